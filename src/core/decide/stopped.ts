/** A person stopped the run. */
import { ask } from './ask.ts';
import { optionFor } from './option-for.ts';
import type { Turn } from './turn.ts';

/** Stopped by a person's word: not a failure, but it waits for them. */
export function stopped(turn: Turn): void {
  const { reason, by } = turn.state.stopAsked ?? { reason: '', by: 'a person' };
  ask(turn, {
    kind: 'stopped',
    text: `The run was stopped by ${by}${reason ? ` (${reason})` : ''}. Go on, deliver what is there, or stop for good?`,
    whyNow: 'the work is safe in the last checkpoint; nothing is running',
    options: [
      { id: 'retry', label: 'go on from the checkpoint', effect: 'a new attempt resumes the work' },
      optionFor('waive_with_reason'),
      optionFor('abandon'),
    ],
    recommended: 'retry',
  });
}
