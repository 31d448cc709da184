/** Every program that Mayday starts has a row that says what it reads and what guards it. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { STARTED_PROGRAMS } from '../../src/platform/process/started-programs.ts';

const SRC = resolve(import.meta.dirname, '../../src');
const STARTERS =
  'runCommand|startContained|spawnPiped|runInForeground|spawnDetached|runShell|spawnOutliving|runGit|closedGit|startTime';
const STARTS = new RegExp(`node:child_process|(?<![\\w.\`])(?:${STARTERS})\\(`);
const TYPES_ONLY = /import type [^;]*'node:child_process';/g;

function starters(): string[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.startsWith('core/'));
  return files.filter((file) =>
    STARTS.test(readFileSync(join(SRC, file), 'utf8').replaceAll(TYPES_ONLY, '')),
  );
}

test('a file that starts a program has a row: say in started-programs.ts what the program reads and what guards it', () => {
  expect(starters().filter((file) => !(file in STARTED_PROGRAMS))).toEqual([]);
});

test('a row belongs to a file that starts a program: delete the others from started-programs.ts', () => {
  const all = starters();
  expect(Object.keys(STARTED_PROGRAMS).filter((file) => !all.includes(file))).toEqual([]);
});

test('a command that is covered names what is hidden from it', () => {
  const covered = Object.entries(STARTED_PROGRAMS).filter(([, [, , guard]]) => guard === 'cover');
  const open = covered.filter(
    ([file]) => !/hidden|cover|hiding/i.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(open.map(([file]) => file)).toEqual([]);
});
