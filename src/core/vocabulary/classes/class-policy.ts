/** `ClassPolicy`: what a person may change about a failure class: where its ladder begins, its rungs, how long to wait. */
import type { IncidentClass } from './incident-class.ts';
import type { Phase, RungName } from './class-rule.ts';

export interface ClassPolicy {
  /** With 3, a person is asked at once. */
  readonly firstPhase?: Phase;
  readonly rungs?: readonly RungName[];
  /** The pause before a retry, or between two probes during an outage. */
  readonly waitMs?: number;
  /** The longest time to wait for the end of an outage or a limit. */
  readonly horizonMs?: number;
}

export type ClassPolicies = Readonly<Partial<Record<IncidentClass, ClassPolicy>>>;
