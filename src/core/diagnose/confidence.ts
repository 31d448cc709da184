/**
 * `confidenceOf`: how often a verdict with this support is right. The steps lie between two measurements that `npm run eval:diagnose`
 * prints: the labelled captures, and each origin by what the other origins justify (leave one origin out).
 */
export const CONFIDENCE_STEPS: readonly (readonly [support: number, confidence: number])[] = [
  [0, 0.2],
  [0.2, 0.4],
  [0.45, 0.62],
  [0.6, 0.75],
  [0.75, 0.84],
  [0.9, 0.93],
  [1, 0.97],
];

/** Out of a log of many steps the place may be the wrong one: CI logs are right nine times in ten, however sure the line is. */
const PICKED_MOST = 0.88;
/** A longer text is such a log, whether or not its steps are told. */
export const LOG_LINES = 200;

export function confidenceOf(support: number, isPicked = false): number {
  return Math.min(isPicked ? PICKED_MOST : 1, byStep(support));
}

function byStep(support: number): number {
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
