/** What a person may change about a class of failures: where the ladder begins, its rungs, how long is waited. Never what the class means. */
import type { IncidentClass } from './incident-class.ts';
import type { Phase, RungName } from './class-rule.ts';

export interface ClassPolicy {
  /** 3: a person is asked at once. */
  readonly firstPhase?: Phase;
  readonly rungs?: readonly RungName[];
  /** Pause before a retry, or between two looks at an outage. */
  readonly waitMs?: number;
  /** Longest time an outage or limit is waited out. */
  readonly horizonMs?: number;
}

export type ClassPolicies = Readonly<Partial<Record<IncidentClass, ClassPolicy>>>;
