/** `longPoll`: notices that a waiting call gets the same "not yet" for too long. Such calls are judged by time, not by count. */
import { type Detector, type Level, levelOf, quote, severityOf } from '../detector.ts';

interface PollState {
  readonly call: number;
  readonly opening: number;
  readonly since: number;
  readonly raised: Level;
}

export const longPoll: Detector<PollState> = {
  name: 'long poll',
  hears: 'turns',
  init: { call: 0, opening: 0, since: 0, raised: 0 },
  next: (state, { turn, policy }) => {
    if (turn === null || turn.waiting === null) return [state, []];
    // A separate sleep call has no answer; the call after it has one.
    const isBetween = turn.waiting === 'sleep' && turn.resultLength === 0 && state.call !== 0;
    if (isBetween && turn.call !== state.call) return [state, []];
    if (turn.call !== state.call || turn.opening !== state.opening) {
      return [{ call: turn.call, opening: turn.opening, since: turn.startedAt, raised: 0 }, []];
    }
    const waitedMs = turn.at - state.since;
    const level = levelOf(waitedMs, policy.poll_warn_ms, policy.poll_stop_ms);
    if (level === 0 || level <= state.raised) return [{ ...state, raised: level }, []];
    return [
      { ...state, raised: level },
      [
        {
          type: 'stalled',
          severity: severityOf(level),
          reason: `waits with ${quote(turn.input)} for ${Math.round(waitedMs / 60_000)} min, and the answer does not change`,
          sinceAt: state.since,
          at: turn.at,
          atStep: turn.step,
          evidence: [quote(turn.input)],
          confidence: level === 2 ? 0.8 : 0.5,
          suggestedAction: 'look at what it waits for; it may have failed without saying so',
          disproof: 'a different answer to the same call',
        },
      ],
    ];
  },
};
