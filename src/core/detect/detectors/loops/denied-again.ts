/** `deniedAgain`: notices that the agent keeps trying what was denied although no person is there to allow it. */
import { oneOf } from '../../../text/one-of.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';

interface DeniedState {
  readonly count: number;
  readonly since: { readonly at: number; readonly step: number };
  readonly raised: Level;
  readonly tool: string;
  readonly lastStep: number;
}

const NONE: DeniedState = { count: 0, since: { at: 0, step: 0 }, raised: 0, tool: '', lastStep: -1 };
const DENIED = oneOf(
  /permission (to use|denied|was denied)|requested permissions?|haven't granted|requires approval/i,
  /denied by (policy|user|the user)|user (rejected|declined|denied)|not allowed to|operation not permitted/i,
  /read-only file system|EACCES|EPERM|blocked by policy/i,
);

export const deniedAgain: Detector<DeniedState> = {
  name: 'denied again',
  init: NONE,
  next: (state, { turn, trail, policy }) => {
    if (trail.turns.length === 0) return [NONE, []];
    if (turn === null) return [state, []];
    const forgotten = state.lastStep < (trail.turns[0]?.callStep ?? 0);
    if (!turn.failed || !DENIED.test(turn.errorLine))
      return [!turn.failed && turn.tool === state.tool ? NONE : state, []];
    const count = forgotten ? 1 : state.count + 1;
    const since = count === 1 ? { at: turn.startedAt, step: turn.callStep } : state.since;
    const level = levelOf(count, policy.loop_warn, policy.loop_stop);
    const next = { count, since, raised: level, tool: turn.tool, lastStep: turn.callStep };
    if (level === 0 || level <= state.raised) return [next, []];
    return raise(next, turn, turn.step, {
      type: 'denied_again',
      severity: severityOf(level),
      reason: `${count} calls were denied: ${quote(turn.errorLine)}`,
      sinceAt: since.at,
      sinceStep: since.step,
      evidence: [quote(turn.input), quote(turn.errorLine)],
      confidence: 0.9,
      suggestedAction: 'ask the person whether this is allowed; never widen permissions unasked',
      disproof: 'the same tool is allowed once',
    });
  },
};
