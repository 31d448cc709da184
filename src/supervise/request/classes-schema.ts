/** `classesSchema`: the `classes:` section of `mayday.yaml`, in which a person changes single classes of failures. */
import { z } from 'zod';
import { RUNG_NAMES } from '../../core/vocabulary/classes/class-rule.ts';

/** A wait of much more than a week is a question for a person. */
const MAX_WAIT_MS = 8 * 86_400_000;
/** A ladder with more rungs is a loop. */
const MAX_RUNGS = 10;

const milliseconds = z.number().min(0).max(MAX_WAIT_MS);
export const classesSchema = z.record(
  z.string(),
  z.strictObject({
    first_phase: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
    rungs: z.array(z.enum(RUNG_NAMES)).max(MAX_RUNGS).optional(),
    wait_ms: milliseconds.optional(),
    horizon_ms: milliseconds.optional(),
  }),
);
export type ClassesConfig = z.infer<typeof classesSchema>;
