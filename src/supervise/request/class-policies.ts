/** `ClassesSchema`, `classPolicies`: read the `classes:` section of `mayday.yaml`, in which a person changes single classes of failures. */
import { z } from 'zod';
import { BLOCKERS } from '../../core/vocabulary/blockers/blocker.ts';
import type { ClassPolicies } from '../../core/vocabulary/classes/class-policy.ts';
import { RUNG_NAMES } from '../../core/vocabulary/classes/class-rule.ts';
import { FAILURE_CLASS_NAMES } from '../../core/vocabulary/classes/failure-class.ts';

/** A wait of much more than a week is a question for a person. */
const MAX_WAIT_MS = 8 * 86_400_000;
/** A ladder with more rungs is a loop. */
const MAX_RUNGS = 10;

const Milliseconds = z.number().min(0).max(MAX_WAIT_MS);

export const ClassesSchema = z.record(
  z.string(),
  z.strictObject({
    first_phase: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
    rungs: z.array(z.enum(RUNG_NAMES)).max(MAX_RUNGS).optional(),
    wait_ms: Milliseconds.optional(),
    horizon_ms: Milliseconds.optional(),
  }),
);
export type ClassesConfig = z.infer<typeof ClassesSchema>;

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
