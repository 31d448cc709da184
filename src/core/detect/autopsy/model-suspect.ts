/**
 * `adoptSuspect`: adopts a model's answer on where a run went wrong only if it names a step that the model was shown and quotes text of
 * that step.
 */
import type { StepDigest } from './step-digest.ts';

export interface ModelSuspect {
  readonly step: number;
  readonly reason: string;
  readonly evidence: string;
}

/** Shorter evidence occurs in many steps and proves nothing. */
const EVIDENCE_LEAST_CHARS = 8;

/** Returns the suspect, or the reason why it is not adopted. */
export function adoptSuspect(answer: ModelSuspect, { shown }: StepDigest): ModelSuspect | string {
  const text = shown.get(answer.step);
  if (text === undefined) return `step ${answer.step} was not shown`;
  const evidence = plain(answer.evidence);
  const whole = plain(text);
  if (evidence.length < Math.min(EVIDENCE_LEAST_CHARS, whole.length))
    return 'the evidence is too short to prove anything';
  if (evidence === '' || !whole.includes(evidence))
    return `the evidence does not stand in step ${answer.step}`;
  return { ...answer, evidence: answer.evidence.trim() };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
