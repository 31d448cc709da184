/** Runs and an operator's reading of some of them, from files of JSON lines. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { entriesOfSteps } from '../src/agents/neutral/steps.ts';
import type { TranscriptEntry } from '../src/core/vocabulary/transcript.ts';

export interface Step {
  readonly type: string;
  readonly tool?: string | null;
  readonly role?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly h?: string | undefined;
}

interface Label {
  readonly file: string;
  readonly id: string;
  readonly stuck: boolean;
  readonly kind: string;
  readonly intervene_step: number | null;
  readonly sure: boolean;
  readonly what: string;
}

export interface EvalRun {
  readonly source: string;
  readonly id: string;
  readonly outcome: string;
  readonly exit: string;
  readonly label: Label | null;
  readonly entries: readonly TranscriptEntry[];
  /** The step that an entry came from. */
  readonly stepOf: readonly number[];
  readonly model: string;
  /** As they stand in the file. */
  readonly steps: readonly Step[];
}

export function loadRuns(files: readonly string[]): readonly EvalRun[] {
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  const labels = files.filter((file) => basename(file).includes('labels')).flatMap(lines) as Label[];
  return files
    .filter((file) => !basename(file).includes('labels'))
    .flatMap((file) => {
      const source = basename(file, '.jsonl');
      return lines(file).map((run) => {
        const { entries, stepOf } = entriesOfSteps(run.steps);
        return {
          source,
          id: String(run.id),
          outcome: String(run.outcome_label ?? ''),
          exit: String(run.exit_status ?? ''),
          model: String(run.model ?? ''),
          label: labels.find((label) => label.file === source && label.id === run.id) ?? null,
          entries,
          stepOf,
          steps: run.steps,
        };
      });
    });
}
