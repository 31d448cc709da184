/**
 * The ladder as data: for each class the rungs that are tried before a person is asked. One rung per failed attempt of
 * the same incident; the restart budget may cut it short. Classes without rungs go to a person (phase 3) at once.
 */
import type { ClassPolicy, RungName } from '../class-policy.ts';
import type { IncidentClass } from '../event.ts';
import type { Phase, Strategy } from '../failure-class.ts';

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
  // A failed attempt that burnt its whole limit gets one more, not three.
  timeout: [again],
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

const BY_NAME: Readonly<Record<RungName, Rung>> = { retry: again, hint: withHint, fresh };

/** `own`: what the configuration says about this class. A higher first phase drops the rungs below it. */
export function rungs(incidentClass: IncidentClass, own?: ClassPolicy): readonly Rung[] {
  const first = own?.firstPhase ?? 1;
  const ladder = own?.rungs?.map((name) => BY_NAME[name]) ?? RUNGS[incidentClass] ?? NONE;
  return first === 1 ? ladder : ladder.filter(({ phase }) => phase >= first);
}

export function isWaitedFor(incidentClass: IncidentClass): boolean {
  return WAITED_FOR.has(incidentClass);
}
