/**
 * `RootCauseLog`, `withHypotheses`, `withVerdict`: the hypotheses about one incident. Each is open until evidence confirms or refutes it.
 *
 *   opened -> open -> confirmed | refuted
 *
 * New evidence may open a refuted hypothesis again. A confirmed one may still be refuted.
 */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { HypothesisVerdict } from '../vocabulary/events/decisions.ts';

export interface LoggedHypothesis {
  readonly id: string;
  readonly cause: string;
  /** What would confirm it. */
  readonly test: string;
  readonly state: 'open' | 'confirmed' | 'refuted';
  /** The evidence that confirmed or refuted it, in order. Every verdict has one. */
  readonly evidence: readonly string[];
}

export interface RootCauseLog {
  readonly hypotheses: readonly LoggedHypothesis[];
}

export const EMPTY_LOG: RootCauseLog = { hypotheses: [] };

/** At most this many hypotheses are kept. The oldest refuted one is dropped first. */
const HYPOTHESES_KEPT = 20;

/** The cause in the diagnosis is the first hypothesis; its alternatives follow. */
export function withHypotheses(log: RootCauseLog, diagnosis: Diagnosis): RootCauseLog {
  if (diagnosis.failureType === 'success') return log;
  const { rootCause, confirmedBy, recoveryPlan, humanInstructions, hypotheses, fingerprint } = diagnosis;
  const test = confirmedBy ?? recoveryPlan ?? humanInstructions ?? 'a person looks at the evidence';
  return [{ cause: rootCause, test }, ...hypotheses].reduce(
    (before, { cause, test }, index) => opened(before, { id: `${fingerprint}/${index + 1}`, cause, test }),
    log,
  );
}

/** A verdict without evidence, or about an unknown hypothesis, does not count. */
export function withVerdict(
  log: RootCauseLog,
  state: 'confirmed' | 'refuted',
  verdict: HypothesisVerdict | null,
): RootCauseLog {
  if (verdict === null || verdict.evidence.trim() === '') return log;
  return change(log, verdict.id, (known) => ({
    ...known,
    state,
    evidence: [...known.evidence, verdict.evidence],
  }));
}

function opened(log: RootCauseLog, told: Pick<LoggedHypothesis, 'id' | 'cause' | 'test'>): RootCauseLog {
  if (!log.hypotheses.some(({ id }) => id === told.id))
    return { hypotheses: [...withRoom(log.hypotheses), { ...told, state: 'open', evidence: [] }] };
  return change(log, told.id, (known) => (known.state === 'refuted' ? { ...known, state: 'open' } : known));
}

function change(
  { hypotheses }: RootCauseLog,
  id: string,
  next: (known: LoggedHypothesis) => LoggedHypothesis,
): RootCauseLog {
  return { hypotheses: hypotheses.map((each) => (each.id === id ? next(each) : each)) };
}

function withRoom(hypotheses: readonly LoggedHypothesis[]): readonly LoggedHypothesis[] {
  if (hypotheses.length < HYPOTHESES_KEPT) return hypotheses;
  const drop = hypotheses.find((each) => each.state === 'refuted') ?? hypotheses[0];
  return hypotheses.filter((each) => each !== drop);
}
