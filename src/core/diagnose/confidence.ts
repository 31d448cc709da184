/**
 * How often a verdict with this support was right on labelled outputs. The steps are measured, not felt: they are the
 * smoothed shares of right classes over the fixture corpus, with and without exit codes, and `npm run eval:diagnose`
 * prints the table anew (docs/reference/diagnose.md tells how).
 */
const STEPS: readonly (readonly [support: number, confidence: number])[] = [
  [0, 0.3],
  [0.2, 0.45],
  [0.45, 0.7],
  [0.6, 0.85],
  [0.75, 0.93],
  [0.9, 0.96],
  [1, 0.98],
];

/** Below this a verdict is a guess: the recovery agent or a person should look. */
export const LOW_CONFIDENCE = 0.6;

export function confidenceOf(support: number): number {
  for (let index = 1; index < STEPS.length; index += 1) {
    const [upper, high] = STEPS[index] as readonly [number, number];
    const [lower, low] = STEPS[index - 1] as readonly [number, number];
    if (support <= upper) return round(low + ((high - low) * (support - lower)) / (upper - lower));
  }
  return 0.98;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
