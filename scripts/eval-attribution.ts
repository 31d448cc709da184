/** Which step went wrong: our suspect against the labelled one, beside the rule that always says step 1. */
import { suspectStep } from '../src/core/detect/autopsy/suspect-step.ts';
import { watchOver } from '../src/core/detect/watch.ts';
import type { EvalRun } from './eval-runs.ts';

export function attributionReport(runs: readonly EvalRun[]): void {
  console.log('\nstep attribution: exact step, and within 3 steps');
  for (const source of new Set(runs.map((run) => run.source))) {
    const known = runs
      .filter((run) => run.source === source)
      .flatMap((run) => {
        const original = mistakeStep(run.labels);
        return original === null ? [] : [{ run, truth: run.originalSteps.indexOf(original) }];
      });
    const hits = (guess: (run: EvalRun) => number, within: number) =>
      known.filter(({ run, truth }) => Math.abs(truth - guess(run)) <= within).length;
    const suspect = (run: EvalRun) =>
      run.stepOf[
        suspectStep(
          run.entries,
          [...watchOver(run.entries)].flatMap(({ signals }) => signals),
        ) ?? -1
      ] ?? -99;
    const line = (name: string, guess: (run: EvalRun) => number) =>
      `${name} ${hits(guess, 0)}/${known.length} (${((100 * hits(guess, 0)) / known.length).toFixed(1)} %), within 3: ${hits(guess, 3)}`;
    console.log(
      `  ${source}: ${line('suspect', suspect)}; ${line('always step 1', () => 1)}; ${line('always step 0', () => 0)}`,
    );
  }
}

/** 0-based, in the run as it was before it was normalised. */
function mistakeStep(labels: unknown): number | null {
  const record = labels as {
    mistake_step?: string;
    failures?: readonly { failure_id: number; step_number: number }[];
    root_cause?: { failure_id?: number };
  };
  if (record.mistake_step !== undefined) return Number(record.mistake_step);
  const failures = record.failures ?? [];
  const root =
    failures.find((failure) => failure.failure_id === record.root_cause?.failure_id) ?? failures[0];
  return root === undefined ? null : root.step_number - 1;
}
