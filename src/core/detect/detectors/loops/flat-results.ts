/** `flatResults`: notices that one check fails again and again with edits in between, and that its result hardly moves. */
import { callText, type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { checkOf } from '../../check-mark.ts';
import { changes } from '../../staleness.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface FailingCheck {
  readonly check: number;
  /** It is told by how programs ended, whatever they were. */
  readonly isEnding: boolean;
  /** The failures in a row that brought nothing new, and the first one. A new error takes two of them back. */
  readonly flat: number;
  readonly errors: readonly number[];
  readonly leastFailures: number | null;
  readonly since: { readonly at: number; readonly step: number };
  readonly raised: Level;
}

interface FlatState {
  readonly checks: readonly FailingCheck[];
  readonly edited: boolean;
}

const NONE: FlatState = { checks: [], edited: false };
/** The most checks and errors remembered at once; the oldest is forgotten first. */
const REMEMBERED = 8;
/** A new error is a step on, but a run that alternates between a few errors comes back to them. */
const NEW_ERROR_WORTH = 2;

export const flatResults: Detector<FlatState> = {
  name: 'flat results',
  init: NONE,
  next: (state, { entry, turn, trail, policy }) => {
    if (entry.type === 'progress' && entry.kind !== 'tree') return [NONE, []];
    if (trail.turns.length === 0) return [NONE, []];
    if (turn === null || turn.sibling || turn.waiting !== null) return [state, []];
    if (!turn.failed && state.checks.length === 0)
      return [changes(turn) ? { ...state, edited: true } : state, []];
    const mark = checkOf(turn);
    if (mark === 0) return [state, []];
    const known = state.checks.find(({ check }) => check === mark);
    const others = state.checks.filter((each) => each !== known);
    const edited = state.edited || changes(turn);
    // A program that ends by itself shows that programs can.
    if (!turn.failed)
      return [{ checks: others.filter(({ isEnding }) => !isEnding || changes(turn)), edited }, []];
    const next = failedAgain(known, turn, mark);
    const level = edited ? levelOf(next.flat, policy.flat_warn, policy.flat_stop) : 0;
    const checks = [...others.slice(1 - REMEMBERED), { ...next, raised: level }];
    if (level === 0 || level <= next.raised) return [{ checks, edited }, []];
    return raise({ checks, edited }, turn, turn.step, {
      type: 'flat_results',
      severity: severityOf(level),
      reason: `${callText(turn)}: failed ${next.flat} times, with edits in between, and nothing moves: ${quote(turn.errorLine)}`,
      sinceAt: next.since.at,
      sinceStep: next.since.step,
      evidence: [quote(turn.input), quote(turn.errorLine)],
      confidence: level === 2 ? 0.85 : 0.6,
      suggestedAction:
        'ask what the edits so far have in common, and test that assumption before the next one',
      disproof: 'the check passes, fails in fewer places, or fails with another error',
    });
  },
};

function failedAgain(known: FailingCheck | undefined, turn: AgentTurn, check: number): FailingCheck {
  const fresh: FailingCheck = {
    check,
    isEnding: turn.ended !== null,
    flat: 1,
    errors: [turn.error],
    leastFailures: turn.failures,
    since: { at: turn.startedAt, step: turn.callStep },
    raised: 0,
  };
  if (known === undefined) return fresh;
  const least = known.leastFailures;
  if (turn.failures !== null && least !== null && turn.failures < least) return fresh;
  const isNew = !known.errors.includes(turn.error);
  return {
    ...known,
    flat: isNew ? Math.max(1, known.flat - NEW_ERROR_WORTH) : known.flat + 1,
    errors: isNew ? [...known.errors.slice(1 - REMEMBERED), turn.error] : known.errors,
    leastFailures: least ?? turn.failures,
  };
}
