/** `calibration`: what each provider of opinions claimed, and how often it came true. */
import type { OpinionMetrics } from '../../core/view/opinion-metrics.ts';
import type { RunMetrics } from '../../core/view/run-metrics.ts';

/** From this confidence on. */
const CLAIMED = [0.9, 0.75, 0.5, 0] as const;

export function calibration(runs: readonly RunMetrics[]) {
  const given = runs.flatMap(({ opinions }) => opinions);
  return [...Map.groupBy(given, ({ by }) => by)]
    .map(([by, all]) => ({
      by,
      asked: all.length,
      answered: all.filter(({ confidence }) => confidence !== null).length,
      cost_usd: all.reduce((sum, { cost }) => sum + cost, 0),
      claimed: CLAIMED.map((least, index) => bucket(all, least, CLAIMED[index - 1] ?? 2)).filter(
        ({ n }) => n > 0,
      ),
    }))
    .toSorted((a, b) => b.asked - a.asked || (a.by < b.by ? -1 : 1));
}

/** Only of opinions that what happened next has borne out or not. */
function bucket(all: readonly OpinionMetrics[], least: number, below: number) {
  const judged = all.filter(
    ({ confidence, cameTrue }) =>
      cameTrue !== null && confidence !== null && confidence >= least && confidence < below,
  );
  return { from: least, n: judged.length, came_true: judged.filter(({ cameTrue }) => cameTrue).length };
}
