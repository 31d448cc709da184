/** `classPolicies`, `unknownClass`: read the `classes:` section of settings, in which a person changes single classes of failures. */
import { BLOCKERS } from '../../core/vocabulary/blockers/blocker.ts';
import type { ClassPolicies } from '../../core/vocabulary/classes/class-policy.ts';
import { FAILURE_CLASS_NAMES } from '../../core/vocabulary/classes/failure-class.ts';
import type { ClassesConfig } from './classes-schema.ts';

/** Returns the first name that is neither a failure class nor a blocker code. */
export function unknownClass(names: readonly string[]): string | undefined {
  const known = new Set<string>([...FAILURE_CLASS_NAMES, ...Object.keys(BLOCKERS)]);
  return names.find((name) => !known.has(name));
}

export function classPolicies(classes: ClassesConfig): ClassPolicies {
  return Object.fromEntries(
    Object.entries(classes).map(([name, { first_phase, rungs, wait_ms, horizon_ms }]) => [
      name,
      {
        ...(first_phase === undefined ? {} : { firstPhase: first_phase }),
        ...(rungs === undefined ? {} : { rungs }),
        ...(wait_ms === undefined ? {} : { waitMs: wait_ms }),
        ...(horizon_ms === undefined ? {} : { horizonMs: horizon_ms }),
      },
    ]),
  );
}
