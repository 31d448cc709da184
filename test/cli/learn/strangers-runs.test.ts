import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { MAYDAY } from '../../mayday-under-test.ts';

interface StuckRun {
  readonly id: string;
  /** The steps between which a stranger said that the run was stuck, before seeing any answer. */
  readonly stuck_from: number;
  readonly stuck_by: number;
}

const text = readFileSync(resolve(import.meta.dirname, '../../fixtures/stories/made.jsonl'), 'utf8');
const runs = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as StuckRun);

/** Not a goal: what is reached. No rule may be written for these runs; a better figure comes from rules that hold elsewhere. */
const RIGHT = 3;

it('of ten stuck runs made by a stranger, the place of at least three is told', () => {
  const told = execFileSync(process.execPath, [MAYDAY, 'autopsy', '--jsonl'], {
    input: text,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly id: string; readonly first_stuck_step: number | null });
  expect(told.map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
  const right = runs.filter(({ stuck_from, stuck_by }, at) => {
    const step = told[at]?.first_stuck_step ?? -1;
    return step >= stuck_from && step <= stuck_by;
  });
  expect(right.length, right.map(({ id }) => id).join(', ')).toBeGreaterThanOrEqual(RIGHT);
});
