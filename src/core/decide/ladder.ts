/**
 * The ladder as data: for each class the rungs that are tried before a person is asked. One rung per failed attempt of
 * the same incident; the restart budget may cut it short. Classes without rungs go to a person (phase 3) at once.
 */
import type { ClassPolicy, RungName } from '../vocabulary/class-policy.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { IncidentClass } from '../vocabulary/event.ts';
import type { Phase, Strategy } from '../vocabulary/failure-class.ts';
import type { Incident } from '../state/run-state.ts';
import { ruleOf } from './incident-diagnosis.ts';

export interface Rung {
  readonly phase: Phase;
  readonly strategy: Strategy;
  readonly fresh: boolean;
}

const again: Rung = { phase: 1, strategy: 'resume', fresh: false };
const withHint: Rung = { phase: 2, strategy: 'resume', fresh: false };
const fresh: Rung = { phase: 2, strategy: 'restart', fresh: true };

const NONE: readonly Rung[] = [];
const RUNGS: Readonly<Partial<Record<IncidentClass, readonly Rung[]>>> = {
  crashed: [again, again, fresh],
  interrupted: [again, again, fresh],
  frozen: [again, again, fresh],
  stalled: [again, withHint, fresh],
  // Two that burnt the limit and left nothing new are stopped by the half-limit rule; who got somewhere may split the rest.
  timeout: [again, withHint],
  looping: [withHint, fresh],
  test_failure: [withHint, withHint, fresh],
  build_failure: [withHint, withHint, fresh],
  runtime_error: [withHint, withHint, fresh],
  false_success: [withHint, withHint, fresh],
  check_failed: [withHint, withHint, fresh],
  verification_outdated: [withHint, withHint],
  missing_verification: [withHint, withHint],
  policy_violated: [withHint],
  context_overflow: [fresh, fresh],
  session_corrupt: [fresh, fresh],
  tool_protocol_error: [again, withHint, fresh],
  resource_exhausted: [again],
  git_error: [again],
  unknown: [again],
};

/** Causes that are nobody's fault in this run: waited for, never counted. */
const WAITED_FOR: ReadonlySet<IncidentClass> = new Set(['rate_limited', 'network_failure', 'overloaded']);

/** What the kernel or the runtime says when memory was what ran out; anything else that ran out is the host's. */
const MEMORY = /memory|heap|\boom\b/i;

const BY_NAME: Readonly<Record<RungName, Rung>> = { retry: again, hint: withHint, fresh };

/** `own`: what the configuration says about this class. A higher first phase drops the rungs below it. */
export function rungs(
  { class: incidentClass, diagnosis }: Pick<Incident, 'class' | 'diagnosis'>,
  own?: ClassPolicy,
): readonly Rung[] {
  const first = own?.firstPhase ?? 1;
  const ladder = own?.rungs?.map((name) => BY_NAME[name]) ?? byCause(incidentClass, diagnosis);
  return first === 1 ? ladder : ladder.filter(({ phase }) => phase >= first);
}

/** The class says what is usual; a cause that the rules or the team know better goes its own way. */
function byCause(incidentClass: IncidentClass, diagnosis: Diagnosis | null): readonly Rung[] {
  const usual = RUNGS[incidentClass] ?? NONE;
  if (diagnosis === null) return usual;
  const { recoverable, transient, rootCause, evidence } = diagnosis;
  if (incidentClass === 'resource_exhausted')
    return [rootCause, ...evidence.map(({ text }) => text)].some((text) => MEMORY.test(text)) ? usual : NONE;
  const rule = ruleOf(incidentClass);
  // A circle of dependencies, a corrupt repository: trying again decides nothing.
  if (!recoverable && rule.recoverable) return NONE;
  // A lock that somebody holds, a wrong option, a manifest inside the scope: no person is needed for that.
  if (recoverable && !rule.recoverable && usual.length === 0) return [transient ? again : withHint];
  return usual;
}

export function isWaitedFor(incidentClass: IncidentClass): boolean {
  return WAITED_FOR.has(incidentClass);
}
