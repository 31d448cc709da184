import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { recipe, recipeCopy } from './recipe-copy.ts';

const LIMIT_MS = 300_000;
const TABLE = 'test/core/decide/policy-table.test.ts';
const SITUATIONS = 'test/core/gates/answers.test.ts';
const { folder: copy, tool, compile } = recipeCopy(['src', 'test/core/decide', 'test/core/gates']);

function edit(path: string, from: RegExp, to: string): void {
  const before = readFileSync(join(copy, path), 'utf8');
  const after = before.replace(from, () => to);
  expect(after).not.toBe(before);
  writeFileSync(join(copy, path), after);
}

/** Every row of the recipe, exactly as printed, put where it stands in the text: before the end of its table. */
function enterRows(title: string, ends: Readonly<Record<string, RegExp>>): void {
  const text = recipe(title);
  const files = [...text.matchAll(/<!-- row: (.+) -->/g)].map((match) => match[1] as string);
  expect(files).toEqual(Object.keys(ends));
  for (const [index, { text: row }] of markdownBlocks(text).entries()) {
    const end = ends[files[index] as string] as RegExp;
    const found = end.exec(readFileSync(join(copy, files[index] as string), 'utf8'))?.[0] ?? '';
    edit(files[index] as string, end, `\n${row}${found}`);
  }
}

/** Files that do not compile. */
function broken(): string[] {
  return [...new Set([...compile().output.matchAll(/^(\S+\.ts)\(/gm)].map((match) => match[1] as string))];
}

it(
  'a reader who follows the recipes for a failure class and a blocker enters rows, and misses no other table',
  () => {
    enterRows('A new failure class', { 'src/core/vocabulary/classes/supply.ts': /\n\} as const satisfies/ });
    enterRows('A new blocker', {
      'src/core/vocabulary/blockers/blocker-rule.ts': /\n\}\n\nexport type BlockerCode/,
      'src/core/vocabulary/blockers/build.ts': /\n\} as const satisfies/,
    });
    // What is left is what the recipes name: the default of the class, and a situation for the blocker.
    expect(broken().toSorted()).toEqual([TABLE, SITUATIONS]);

    edit(TABLE, /\n {2}unknown: /, "\n  model_retired: [false, false, 3, 'escalate', null],\n  unknown: ");
    const run = tool('vitest', 'run', TABLE, 'test/architecture/one-row.test.ts');
    expect(run.status, run.output).toBe(0);
  },
  LIMIT_MS,
);
