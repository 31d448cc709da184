/**
 * `adoptAnswer`: takes a model's answer into a diagnosis, or says why not. The class must be of the closed list and each piece of evidence
 * must stand in the output word for word. The model decides only the class and the sentence; whether a person is needed, the return point
 * and the confidence come from the rules.
 */
import type { Diagnosis, Evidence } from '../vocabulary/diagnosis.ts';
import { ruleColumns } from '../vocabulary/classes/class-rule.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import { printable } from './lines/clean-line.ts';
import { fingerprint } from './fingerprint.ts';
import type { Line } from './lines/read-lines.ts';

export interface ModelAnswer {
  readonly failureClass: FailureClass;
  readonly rootCause: string;
  readonly evidence: readonly string[];
  readonly nextStep: string;
  readonly confidence: number;
}

export type Adoption =
  | { readonly type: 'adopted'; readonly diagnosis: Diagnosis }
  | { readonly type: 'refused'; readonly reason: string };

/** A model is never surer than the rules are at their best. */
const MODEL_CONFIDENCE_MOST = 0.8;
/** Shorter evidence ("e", "error") occurs everywhere and proves nothing. */
const EVIDENCE_LEAST_CHARS = 8;
const SENTENCE_CHARS = 400;

export function adoptAnswer(plain: Diagnosis, answer: ModelAnswer, lines: readonly Line[]): Adoption {
  const evidence: Evidence[] = [];
  for (const quoted of answer.evidence) {
    const wanted = quoted.trim();
    if (wanted.length < EVIDENCE_LEAST_CHARS)
      return refused(`evidence ${JSON.stringify(wanted)} is too short to prove anything`);
    const line = lines.find((each) => each.raw.includes(wanted));
    if (line === undefined) return refused('a piece of evidence does not occur in the output');
    evidence.push({ line: line.number, text: line.raw });
  }
  if (evidence.length === 0) return refused('the answer has no evidence');
  const rule = FAILURE_CLASSES[answer.failureClass];
  const sentence = oneLine(answer.rootCause);
  const step = oneLine(answer.nextStep);
  if (sentence === '') return refused('the answer names no cause');
  const confidence = Math.min(MODEL_CONFIDENCE_MOST, Math.max(0, answer.confidence));
  return {
    type: 'adopted',
    diagnosis: {
      ...plain,
      failureType: answer.failureClass,
      rootCause: sentence,
      recoverable: rule.recoverable,
      recoveryPlan: rule.recoverable ? step || plain.recoveryPlan || 'Look at the evidence first.' : null,
      humanInstructions: rule.recoverable
        ? null
        : step || plain.humanInstructions || 'Look at the evidence first.',
      escalationReason: rule.recoverable ? null : `${sentence} (found by a model, not by a rule)`,
      suggestedActions: step === '' ? plain.suggestedActions : [step, ...plain.suggestedActions],
      ...ruleColumns(rule),
      confidence: Math.round(confidence * 100) / 100,
      evidence,
      hypotheses: [
        {
          cause: `${plain.failureType}: ${plain.rootCause}`,
          test: 'the rules said so; the evidence of the model does not hold',
        },
        ...plain.hypotheses,
      ],
      fingerprint: fingerprint(answer.failureClass, 'model', evidence[0]?.text ?? ''),
    },
  };
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim().slice(0, SENTENCE_CHARS);
}

function refused(reason: string): Adoption {
  return { type: 'refused', reason };
}
