/** How catches and false alarms move when the runs are recorded otherwise, or a number is not what it is. */
import { entriesOfSteps } from '../../src/agents/neutral/steps.ts';
import type { DetectPolicy } from '../../src/core/detect/detector.ts';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import { STALENESS } from '../../src/core/detect/staleness.ts';
import { whatIf } from '../../src/core/detect/autopsy/what-if.ts';
import type { EvalRun } from '../eval-runs.ts';
import { DEFAULT_FIT, replayed, replayAlarm } from './refit.ts';
import { REGRAINED, type Regrained } from './regrain.ts';
import { type Alarm, score, shortLine } from './score.ts';

const FACTORS = [0.7, 0.8, 0.9, 1.1, 1.2, 1.3];
const SCALED = ['loop_stop', 'stale_allowance', 'stale_stop', 'cycle_turns', 'undo_stop'] as const;

function alarmOf(steps: Regrained, policy: Partial<DetectPolicy>): Alarm {
  const { entries, stepOf } = entriesOfSteps(steps.map(([step]) => step));
  const at = whatIf([{ id: '', entries, truth: 'unknown' }], policy).verdicts[0]?.critical?.atStep;
  return at === undefined ? null : (steps[stepOf[at] ?? 0]?.[1] ?? null);
}

export function regrainReport(runs: readonly EvalRun[]): void {
  console.log('\nrecorded otherwise');
  for (const [name, regrain] of Object.entries(REGRAINED)) {
    const alarms = runs.map((run) => alarmOf(regrain(run.steps), {}));
    console.log(`  ${shortLine(name, score(runs, alarms))}`);
  }
}

export function thresholdReport(runs: readonly EvalRun[]): void {
  console.log('\none number changed');
  const whole = (key: (typeof SCALED)[number], value: number) =>
    key.startsWith('stale') ? value : Math.round(value);
  for (const key of SCALED) {
    const values = new Set(FACTORS.map((factor) => whole(key, DEFAULT_POLICY[key] * factor)));
    values.delete(DEFAULT_POLICY[key]);
    for (const value of values) {
      const alarms = runs.map(({ steps }) =>
        alarmOf(
          steps.map((step, index) => [step, index]),
          { [key]: value },
        ),
      );
      console.log(`  ${shortLine(`${key} ${+value.toFixed(3)}`, score(runs, alarms))}`);
    }
  }
  const replays = replayed(runs);
  const names = Object.keys(STALENESS).filter((name) => name !== 'fresh');
  for (const name of names as readonly (keyof typeof STALENESS)[]) {
    for (const factor of [0.7, 1.3]) {
      const weights = { ...DEFAULT_FIT.weights, [name]: DEFAULT_FIT.weights[name] * factor };
      const alarms = replays.map((replay) => replayAlarm(replay, { ...DEFAULT_FIT, weights }));
      console.log(`  ${shortLine(`${name} ${+weights[name].toFixed(3)}`, score(runs, alarms))}`);
    }
  }
}
