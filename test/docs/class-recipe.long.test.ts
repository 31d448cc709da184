import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { recipe, recipeCopy } from './recipe-copy.ts';

const LIMIT_MS = 300_000;
const ROWS = 'src/core/vocabulary/classes/supply.ts';
const TABLE = 'test/core/decide/policy-table.test.ts';
const { folder: copy, tool, compile } = recipeCopy(['src', 'test/core/decide']);

function edit(path: string, from: RegExp, to: string): void {
  const before = readFileSync(join(copy, path), 'utf8');
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, path), after);
}

it(
  'a reader who follows the recipe for a failure class enters one row, and every table of classes has it',
  () => {
    const text = recipe('A new failure class');
    expect(text).toContain(`<!-- row: ${ROWS} -->`);
    const row = markdownBlocks(text)[0]?.text as string;
    // Step 1: the row, exactly as printed, before the end of the table.
    edit(ROWS, /\n\} as const satisfies/, `\n${row}\n} as const satisfies`);
    expect(compile().output).toContain(`${TABLE}(`);

    // Step 3: what it does by default. Nothing else is missing.
    edit(TABLE, /\n {2}unknown: /, "\n  model_retired: [false, false, 3, 'escalate', null],\n  unknown: ");
    const types = compile();
    expect(types.status, types.output).toBe(0);
    const run = tool('vitest', 'run', TABLE, 'test/architecture/one-row.test.ts');
    expect(run.status, run.output).toBe(0);
  },
  LIMIT_MS,
);
