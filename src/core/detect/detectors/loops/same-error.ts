/** `sameError`: notices the same error, by its fingerprint, whichever call met it. */
import { hashLoose } from '../../text-hash.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { Trail } from '../../trail.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface ErrorState {
  readonly raised: Level;
  /** The errors that the agent CLI itself reports outside any call: retries against an API. */
  readonly fingerprint: number;
  readonly count: number;
}

export const sameError: Detector<ErrorState> = {
  name: 'same error',
  init: { raised: 0, fingerprint: 0, count: 0 },
  next: (state, { entry, turn, trail, step, policy }) => {
    if (entry.type === 'retry') {
      const fingerprint = hashLoose(entry.text);
      // The agent CLI handles its own retries. If they go on, the detector warns, but never stops the attempt.
      const count = fingerprint === state.fingerprint ? state.count + 1 : 1;
      const next = { raised: state.raised, fingerprint, count };
      if (count !== policy.loop_stop) return [next, []];
      const about = signal(1, count, entry.text, [quote(entry.text)]);
      return raise(next, entry, step, { ...about, sinceAt: entry.at, sinceStep: step });
    }
    if (turn === null || turn.sibling) return [state, []];
    if (!turn.failed) return [{ ...state, raised: 0 }, []];
    const same = sameErrors(turn, trail);
    const level = levelOf(same.length, policy.loop_warn, policy.loop_stop);
    if (level === 0 || level <= state.raised) return [{ ...state, raised: level }, []];
    const evidence = [quote(turn.errorLine), ...same.slice(0, 3).map((each) => quote(each.input))];
    const first = same.at(-1) as AgentTurn;
    const about = signal(level, same.length, turn.errorLine, evidence);
    const since = { sinceAt: first.startedAt, sinceStep: first.callStep };
    return raise({ ...state, raised: level }, turn, turn.step, { ...about, ...since });
  },
};

function signal(level: 1 | 2, count: number, text: string, evidence: readonly string[]) {
  return {
    type: 'repeated_error',
    severity: severityOf(level),
    reason: `the same error ${count} times: ${quote(text)}`,
    evidence,
    confidence: level === 2 ? 0.9 : 0.6,
    suggestedAction: 'diagnose the error and give the agent its cause, or ask the person who can remove it',
    disproof: 'the next call of this kind succeeds or fails differently',
  } as const;
}

/**
 * The turns with the same error, latest first. One other turn in three does not end the row; an accepted edit does. Siblings that failed
 * together count once.
 */
function sameErrors(turn: AgentTurn, { turns, treeStep }: Trail): readonly AgentTurn[] {
  const same: AgentTurn[] = [];
  let others = 0;
  for (let i = turns.length - 1; i >= 0; i--) {
    const other = turns[i] as AgentTurn;
    const isExchange = other.mayChangeResults && other.kind !== 'move' && other.call !== turn.call;
    if (changes(other) || isExchange || other.step < treeStep) break;
    if (other.sibling || other.waiting !== null) continue;
    if (other.error === turn.error) same.push(other);
    else if (++others > same.length / 3) break;
  }
  return same;
}
