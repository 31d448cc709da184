/** `recovery`: makes a recovery with defaults: at once, uncounted, the same agent session, the same agent, no hint. */
import type { Recovery } from '../../vocabulary/events/event.ts';

type Choice = Pick<Recovery, 'strategy' | 'phase' | 'returnTo' | 'reason'> & Partial<Recovery>;

export function recovery(choice: Choice): Recovery {
  return { notBefore: null, counted: false, freshSession: false, hint: null, agent: null, ...choice };
}
