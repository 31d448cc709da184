/**
 * `RootCauseLog`, `foldRootCause`: the hypotheses about one incident. Each is open until evidence confirms or refutes it. The log is
 * settled when one is confirmed; it may also end without a confirmed one.
 *
 *   opened -> open -> confirmed | refuted
 *
 * New evidence may open a refuted hypothesis again. A confirmed one may still be refuted; then the log is open again.
 */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';

export type HypothesisState = 'open' | 'confirmed' | 'refuted';

export interface LoggedHypothesis {
  readonly id: string;
  readonly cause: string;
  /** What would confirm it. */
  readonly test: string;
  readonly state: HypothesisState;
  /** The evidence that confirmed or refuted it, in order. Every verdict has one. */
  readonly evidence: readonly string[];
}

export interface RootCauseLog {
  readonly hypotheses: readonly LoggedHypothesis[];
}

export type RootCauseEvent =
  | {
      readonly type: 'hypothesis-opened';
      readonly id: string;
      readonly cause: string;
      readonly test: string;
    }
  | {
      readonly type: 'hypothesis-confirmed' | 'hypothesis-refuted';
      readonly id: string;
      readonly evidence: string;
    };

export const EMPTY_LOG: RootCauseLog = { hypotheses: [] };

/** At most this many hypotheses are kept. The oldest refuted one is dropped first. */
const HYPOTHESES_KEPT = 20;

export function foldRootCause(log: RootCauseLog, event: RootCauseEvent): RootCauseLog {
  const known = log.hypotheses.find((each) => each.id === event.id);
  switch (event.type) {
    case 'hypothesis-opened': {
      if (known !== undefined)
        return known.state === 'refuted' ? replace(log, { ...known, state: 'open' }) : log;
      const opened: LoggedHypothesis = {
        id: event.id,
        cause: event.cause,
        test: event.test,
        state: 'open',
        evidence: [],
      };
      return { hypotheses: withRoom(log.hypotheses).concat(opened) };
    }
    case 'hypothesis-confirmed':
    case 'hypothesis-refuted': {
      // A verdict without evidence, or about an unknown hypothesis, does not count.
      if (known === undefined || event.evidence.trim() === '') return log;
      const state = event.type === 'hypothesis-confirmed' ? 'confirmed' : 'refuted';
      return replace(log, {
        ...known,
        state,
        evidence: [...known.evidence, event.evidence],
      });
    }
  }
}

export function confirmedCause(log: RootCauseLog): LoggedHypothesis | null {
  return log.hypotheses.find((each) => each.state === 'confirmed') ?? null;
}

export function isSettled(log: RootCauseLog): boolean {
  return confirmedCause(log) !== null;
}

/** The cause in the diagnosis is the first hypothesis; its alternatives follow. */
export function hypothesesOpened(diagnosis: Diagnosis): readonly RootCauseEvent[] {
  if (diagnosis.failureType === 'success') return [];
  const first = {
    cause: diagnosis.rootCause,
    test:
      diagnosis.confirmedBy ??
      diagnosis.recoveryPlan ??
      diagnosis.humanInstructions ??
      'a person looks at the evidence',
  };
  return [first, ...diagnosis.hypotheses].map(({ cause, test }, index) => ({
    type: 'hypothesis-opened',
    id: `${diagnosis.fingerprint}/${index + 1}`,
    cause,
    test,
  }));
}

function replace(log: RootCauseLog, changed: LoggedHypothesis): RootCauseLog {
  return { hypotheses: log.hypotheses.map((each) => (each.id === changed.id ? changed : each)) };
}

function withRoom(hypotheses: readonly LoggedHypothesis[]): readonly LoggedHypothesis[] {
  if (hypotheses.length < HYPOTHESES_KEPT) return hypotheses;
  const drop = hypotheses.find((each) => each.state === 'refuted') ?? hypotheses[0];
  return hypotheses.filter((each) => each !== drop);
}
