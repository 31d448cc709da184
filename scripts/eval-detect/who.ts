/** Per agent and model: which thresholds would have been right for it. A row of its own needs an interval without the default. */
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import type { EvalRun } from '../eval-runs.ts';
import { mostExcess, type Replay, replayed } from './refit.ts';
import { inTime, isExhausted, isResolved } from './score.ts';

export function whoReport(runs: readonly EvalRun[]): void {
  console.log(
    `\nper agent and model: a stop above the most of its healthy runs and up to the least of its stuck ones is right (default ${DEFAULT_POLICY.stale_stop})`,
  );
  const replays = replayed(runs);
  const groups = Map.groupBy(runs.keys(), (index) => {
    const { source, model } = runs[index] as EvalRun;
    return `${source} ${model.split(',').at(-1) ?? ''}`.trim();
  });
  for (const [name, indexes] of groups) {
    const healthy: number[] = [];
    const stuck: number[] = [];
    for (const index of indexes) {
      const run = runs[index] as EvalRun;
      const replay = replays[index] as Replay;
      const { label } = run;
      if (label?.stuck === true) {
        // What the counting detectors catch needs no threshold.
        if (!inTime(run, replay.counted)) stuck.push(mostExcess(replay, (label.intervene_step ?? 0) + 10));
      } else if (label !== null || (isResolved(run) && !isExhausted(run)))
        healthy.push(mostExcess(replay, Infinity));
    }
    const most = healthy.length === 0 ? '-' : Math.max(...healthy).toFixed(1);
    const least =
      stuck.length === 0
        ? '-'
        : stuck
            .toSorted((a, b) => a - b)
            .map((each) => each.toFixed(1))
            .join(' ');
    console.log(
      `  ${name.padEnd(52)} ${indexes.length} runs; most of ${healthy.length} healthy ${most}; of ${stuck.length} stuck ones that only staleness can catch ${least}`,
    );
  }
}
