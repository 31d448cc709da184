/** A check behind a filter is judged by what it printed, and a run whose last words say that all was in vain did not finish. */
import { expect, test } from 'vitest';
import { type Call, madeRun, type Said, times } from './made-run.ts';

const edit = (n: number): Call => [
  'Edit',
  JSON.stringify({ file_path: 'src/tide.c', old_string: `level ${n}`, new_string: `level ${n + 1}` }),
  'The file src/tide.c has been updated.',
];
const undeclared = "src/tide.c:9:4: error: 'HIGH_WATER' undeclared (first use in this function)";
const rules: Call = [
  'Read',
  JSON.stringify({ file_path: 'Makefile' }),
  'build/levels.h: levels.txt\n\t@levelgen levels.txt > $@\n\ncheck: build/harbour\n\t./build/harbour',
];
const begin: readonly (Said | Call)[] = [
  [
    'Bash',
    'make check',
    `Exit code 2\n/bin/sh: 1: levelgen: not found\n${undeclared}\nmake: *** [Makefile:4: build/tide.o] Error 1`,
  ],
  rules,
  ...times(6, (n): readonly Call[] => [
    edit(n),
    ['Bash', 'make check 2>&1 | tail -2', `${undeclared}\nmake: *** [Makefile:4: build/tide.o] Error 1`],
  ]),
];
const filtered = (said: string): Call => ['Bash', 'make check 2>&1 | grep -E "error|ok" | head -4', said];
const inVain: Said = [
  'agent',
  'I tried the flags and the order of the headers, without success. Pin the old compiler.',
];

test('another error behind a filter is no check that passed, and the run gave up', () => {
  const { found } = madeRun([
    ...begin,
    edit(7),
    filtered('src/tide.c:2:1: error: unknown type name'),
    ['Bash', 'git checkout src', 'Updated 1 path from the index'],
    inVain,
  ]);
  expect(found.endedBy).toBe('gave up');
  expect(found.state).toBe('stuck');
  expect(found.lastCheck?.failed).toBe(true);
  expect(found.gotOver).toBeNull();
});

test('a good word behind the same filter is a check that passed', () => {
  const { found } = madeRun([...begin, edit(7), filtered('harbour ok'), ['agent', 'The build is green.']]);
  expect(found.endedBy).toBe('result');
  expect(found.lastCheck?.failed).toBe(false);
});
