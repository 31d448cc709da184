/**
 * `confidenceOf`: how often a verdict with this support is right. Two measurements bound it: the labelled corpus (tools that the rules
 * were made with, right more often than said), and the same with one tool left out (what only that tool justifies is taken away, right
 * less often). The steps lie midway; `npm run eval:diagnose` prints both tables.
 */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';

export const CONFIDENCE_STEPS: readonly (readonly [support: number, confidence: number])[] = [
  [0, 0.2],
  [0.2, 0.4],
  [0.45, 0.62],
  [0.6, 0.75],
  [0.75, 0.84],
  [0.9, 0.93],
  [1, 0.97],
];

/** Below this a verdict is a guess: the recovery agent or a person should look. */
const LOW_CONFIDENCE = 0.6;

export function needsRecoveryAgent({ failureType, confidence }: Diagnosis): boolean {
  return failureType === 'unknown' || (failureType !== 'success' && confidence < LOW_CONFIDENCE);
}

export function confidenceOf(support: number): number {
  for (let index = 1; index < CONFIDENCE_STEPS.length; index += 1) {
    const [upper, high] = CONFIDENCE_STEPS[index] as readonly [number, number];
    const [lower, low] = CONFIDENCE_STEPS[index - 1] as readonly [number, number];
    if (support <= upper) return round(low + ((high - low) * (support - lower)) / (upper - lower));
  }
  return 0.97;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
