/** `longPoll`: notices that a waiting call gets the same "not yet" for too long. Such calls are judged by time, not by count. */
import { bareCommand } from '../../check-mark.ts';
import { hashExact } from '../../text-hash.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';

interface PollState {
  /** What is asked, with whatever pause before it. */
  readonly call: number;
  readonly opening: number;
  readonly since: { readonly at: number; readonly step: number };
  readonly raised: Level;
}

export const longPoll: Detector<PollState> = {
  name: 'long poll',
  init: { call: 0, opening: 0, since: { at: 0, step: 0 }, raised: 0 },
  next: (state, { turn, policy }) => {
    if (turn === null || turn.waiting === null) return [state, []];
    // A separate sleep call has no answer; the call after it has one.
    const isBetween = turn.waiting === 'sleep' && turn.resultLength === 0 && state.call !== 0;
    const call = hashExact(bareCommand(turn.input));
    if (isBetween && call !== state.call) return [state, []];
    if (call !== state.call || turn.opening !== state.opening) {
      const since = { at: turn.startedAt, step: turn.callStep };
      return [{ call, opening: turn.opening, since, raised: 0 }, []];
    }
    const waitedMs = turn.at - state.since.at;
    const level = levelOf(waitedMs, policy.poll_warn_ms, policy.poll_stop_ms);
    if (level === 0 || level <= state.raised) return [{ ...state, raised: level }, []];
    return raise({ ...state, raised: level }, turn, turn.step, {
      type: 'stalled',
      severity: severityOf(level),
      reason: `waits with ${quote(turn.input)} for ${Math.round(waitedMs / 60_000)} min, and the answer does not change`,
      sinceAt: state.since.at,
      sinceStep: state.since.step,
      evidence: [quote(turn.input)],
      confidence: level === 2 ? 0.8 : 0.5,
      suggestedAction: 'look at what it waits for; it may have failed without saying so',
      disproof: 'a different answer to the same call',
    });
  },
};
