/** The cause and the first step that an autopsy names are made from what repeated, not from the last failure. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';

type Said = readonly ['agent' | 'person', string];
type Call = readonly [tool: string, input: string, output: string];

function told(parts: readonly (Said | Call)[]) {
  const entries: TranscriptEntry[] = [{ type: 'message', at: 0, role: 'person', text: 'Mend the cart' }];
  for (const part of parts) {
    const [at, id] = [1_000 * entries.length, `${entries.length}`];
    if (part.length === 2) entries.push({ type: 'message', at, role: part[0], text: part[1] });
    else {
      const [tool, input, output] = part;
      entries.push({ type: 'tool_call', at, id, tool, input });
      entries.push({ type: 'tool_result', at: at + 500, id, output, isError: false });
    }
  }
  const found = autopsy('run', entries, diagnose);
  return { state: found.state, cause: found.rootCause, start: found.next.startHere };
}

const BEGIN: readonly Call[] = [
  ['bash', 'ls', 'src test'],
  ['read', 'src/cart.ts', 'export const total = 1;'],
];
const times = <T>(count: number, part: (n: number) => readonly T[]) =>
  Array.from({ length: count }, (_, n) => part(n)).flat();

test('a refusal that repeats is the cause, with its words', () => {
  const refusal = 'Stop hook: CHANGELOG.md must have an entry for this change before you may finish.';
  const look: Call = ['bash', 'git diff --stat', 'a.sql | 12 ++'];
  const { cause, start } = told([
    ...BEGIN,
    ...times<Said | Call>(5, () => [
      ['agent', 'The work is complete and verified.'],
      ['person', refusal],
      look,
    ]),
  ]);
  expect(cause).toContain('CHANGELOG.md must have an entry');
  expect(start).toContain('Do exactly what they ask for');
});

test('words sent as a command are named as that, not as a program to install', () => {
  const words =
    "DISCUSSION\nIt seems there was an issue with the previous command. Let's try to understand what went wrong with it.";
  const { cause, start } = told([
    ...BEGIN,
    ...times(6, (n): Call[] => [
      ['bash', `${words} ${n}`, '/bin/bash: line 7: DISCUSSION: command not found'],
    ]),
  ]);
  expect(cause).toContain('words were sent where a command belongs');
  expect(start).toContain('Send the command alone');
});

test('a program that is not there is still a program to do without', () => {
  const { cause, start } = told([
    ...BEGIN,
    ...times(6, (): Call[] => [['bash', 'tsx src/cart.ts', '/bin/bash: line 7: tsx: command not found']]),
  ]);
  expect(cause).toContain('tsx');
  expect(start).toContain('without it');
});

test('edits that are taken back are the cause where no error tells more', () => {
  const edit = (from: string, to: string): Call => [
    'edit',
    JSON.stringify({ path: 'src/a.ts', old_str: from, new_str: to }),
    'updated',
  ];
  const check: Call = ['bash', 'npm test', 'not ok 3 - keeps order'];
  const { cause } = told([
    ...BEGIN,
    ...times(5, () => [edit('x = 1', 'x = 2'), check, edit('x = 2', 'x = 1'), check]),
  ]);
  expect(cause).toContain('made and taken back');
});

test('searches that find nothing are told as that, however they differ', () => {
  const { cause, start } = told([
    ...BEGIN,
    ...times(9, (n): Call[] => [['grep', `pattern: timeout${'ABCDEFGHI'.charAt(n)}`, 'No matches found']]),
  ]);
  expect(cause).toMatch(/^\d+ looks found nothing/);
  expect(start).toContain('list the tree');
});

test('a round of calls is told as a round, and an error that is only a part of it is not the cause', () => {
  const round: readonly Call[] = [
    ['open', 'src/a.ts', 'line one of a'],
    ['goto', '172', 'line 172 of a'],
    ['search', 'total', 'found in a'],
  ];
  const { cause } = told([
    ...BEGIN,
    ...times(4, (n) => [
      ...round,
      ...(n % 2 === 0 ? [['create', 'b.ts', "Error: file 'b.ts' already exists"] as const] : []),
    ]),
  ]);
  expect(cause).toContain('the same 3 looks, each at least 4 times');
  expect(cause).not.toContain('already exists');
});

test('honest work has no cause and no first step', () => {
  const work = times(12, (n): Call[] => [
    ['edit', `src/${n}.ts: add part ${'abcdefghijkl'.charAt(n)}`, 'updated'],
    ['bash', `npm test ${'abcdefghijkl'.charAt(n)}`, `ok ${n} tests of ${'abcdefghijkl'.charAt(n)}`],
  ]);
  expect(told([...BEGIN, ...work, ['agent', 'All done.']])).toEqual({
    state: 'finished',
    cause: null,
    start: null,
  });
});
