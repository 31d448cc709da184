/** `readAnswer`, `ANSWER_JSON_SCHEMA`: the closed form of a recovery agent's answer. */
import { z } from 'zod';
import type { ModelAnswer } from '../../core/diagnose/adopt-answer.ts';
import {
  FAILURE_CLASS_NAMES,
  FAILURE_CLASSES,
  type FailureClass,
} from '../../core/vocabulary/classes/failure-class.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** What only Mayday itself can observe is not for a model to claim. */
export const ANSWER_CLASSES = FAILURE_CLASS_NAMES.filter((name) => FAILURE_CLASSES[name].isObserved !== true);

const Answer = z.strictObject({
  failure_class: z.enum(ANSWER_CLASSES as [FailureClass, ...FailureClass[]]),
  root_cause: z.string().min(1).max(1_000),
  evidence: z.array(z.string().min(1).max(4_000)).min(1).max(5),
  next_step: z.string().max(1_000),
  confidence: z.number().min(0).max(1),
});

/** In the draft that providers and agent CLIs all take. */
export const ANSWER_JSON_SCHEMA = z.toJSONSchema(Answer, { target: 'draft-7' }) as Record<string, unknown>;

export function readAnswer(value: unknown): ModelAnswer | { readonly mistake: string } {
  const parsed = safeParse(Answer, value);
  if (!parsed.success)
    return {
      mistake: parsed.error.issues
        .map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`)
        .join('; '),
    };
  const { failure_class, root_cause, evidence, next_step, confidence } = parsed.data;
  return { failureClass: failure_class, rootCause: root_cause, evidence, nextStep: next_step, confidence };
}
