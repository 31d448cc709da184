/** Which step went wrong: our suspect against the labelled one, beside the rule that always says step 1. */
import { askSuspect } from '../src/agents/recovery/ask-suspect.ts';
import type { ModelProvider } from '../src/agents/recovery/model-call.ts';
import { RECOVERY_LIMITS } from '../src/agents/recovery/recovery-agent.ts';
import { suspectStep } from '../src/core/detect/autopsy/suspect-step.ts';
import { watchOver } from '../src/core/detect/watch.ts';
import type { EvalRun } from './eval-runs.ts';

/** Runs asked about at once. */
const AT_ONCE = 4;

export async function attributionReport(
  runs: readonly EvalRun[],
  provider: ModelProvider | null,
): Promise<void> {
  console.log('\nstep attribution: exact step, and within 3 steps');
  const named = provider === null ? null : await askAll(runs, provider);
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
    if (named !== null)
      console.log(`    ${line(`with ${provider?.model}`, (run) => named.get(run) ?? suspect(run))}`);
  }
}

/** Where the model was not believed, the rules' guess stands, as in `mayday autopsy`. */
async function askAll(
  runs: readonly EvalRun[],
  provider: ModelProvider,
): Promise<ReadonlyMap<EvalRun, number>> {
  const named = new Map<EvalRun, number>();
  const left = [...runs];
  const stop = new AbortController().signal;
  const worker = async () => {
    for (let run = left.pop(); run !== undefined; run = left.pop()) {
      const guess = suspectStep(
        run.entries,
        [...watchOver(run.entries)].flatMap(({ signals }) => signals),
      );
      const got = await askSuspect(run.entries, guess, (text) => text, provider, RECOVERY_LIMITS, stop);
      if (got.type === 'answered') named.set(run, run.stepOf[got.suspect.step] ?? -99);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`  ${provider.model} was believed about ${named.size} of ${runs.length} runs`);
  return named;
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
