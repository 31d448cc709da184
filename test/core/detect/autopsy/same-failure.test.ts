/** Where the record shows why a failure stays the same whatever is edited, the story names that reason. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Count the birds of a pond.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const times = <T>(count: number, part: (index: number) => readonly T[]): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const begin: readonly Part[] = [call('ls', 'pond lib'), call('cat pond/birds.py', 'def count(): return 0')];
const change = (index: number) => edit('/home/ana/pond/birds.py', `return ${index}`, `return ${index + 1}`);

function fails(said: string): Part {
  return failedCall('pytest -q', `E   AssertionError: assert 0 == 7\n${said}\n1 failed, 3 passed`);
}

test('edits that change nothing while another copy of the file runs are told as that', () => {
  const found = told([
    ...begin,
    fails('/opt/lib/pond/birds.py:4: count'),
    ...times(6, (n) => [change(n), fails('/opt/lib/pond/birds.py:4: count')]),
  ]);
  expect(found.rootCause).toContain('what the output names is /opt/lib/pond/birds.py');
  expect(found.next.startHere).toContain('install this tree in place');
});

test('edits that change nothing while the edited file runs are not', () => {
  const found = told([
    ...begin,
    fails('pond/birds.py:4: count'),
    ...times(6, (n) => [change(n), fails('pond/birds.py:4: count')]),
  ]);
  expect(found.rootCause).not.toContain('may be what runs');
  expect(found.rootCause).toContain('the same after 6 edits of');
});

test('a program that a build makes under the name of the folder is no copy of an edited file', () => {
  const found = told([
    ...begin,
    ...times(6, (n) => [
      edit('/home/ana/pond/Makefile', `-O${n}`, `-O${n + 1}`),
      failedCall('make check', `LD build/pond\nnest.c:4: error: too few eggs\n./build/pond: not made`),
    ]),
  ]);
  expect(found.rootCause).not.toContain('may be what runs');
});

test('a check that passes and fails with nothing changed in between is flaky', () => {
  const green = call('pytest -q', '4 passed');
  const slow = fails('took 12 ms');
  const found = told([
    ...begin,
    slow,
    ...times(9, (n) => [change(n), slow, ...(n % 3 === 1 ? [green, slow] : [])]),
  ]);
  expect(found.rootCause).toContain('flaky');
  expect(found.next.startHere).toContain('unchanged tree');
  expect(found.next.startHere).not.toContain('did not move');
});

test('a file that a generator writes again in each build is told with the generator', () => {
  const output = [
    '> make-types spec/birds.yaml -o ./lib/types/bird.ts',
    "lib/pond.ts(9,1): error TS2339: Property 'nest' does not exist on type 'Bird'.",
  ].join('\n');
  const again = edit('/home/ana/lib/types/bird.ts', 'name: string;', 'name: string; nest: string;');
  const found = told([...begin, ...times(6, () => [again, failedCall('npm run build', output)])]);
  expect(found.rootCause).toContain('/home/ana/lib/types/bird.ts is gone after each');
  expect(found.rootCause).toContain('spec/birds.yaml');
  expect(found.next.startHere).toContain('Change spec/birds.yaml, from which it is made');
});

test('an edit that is refused because the file changed since it was read names what rewrites it', () => {
  const refused = 'File has changed since it was last read. Read it again first.';
  const input = JSON.stringify({ file_path: 'lib/list.ts', old_string: 'a', new_string: 'b' });
  const found = told([
    call('npm run watch &', 'watching\nwrote lib/list.ts'),
    ...times(7, () => [
      call('cat lib/list.ts', 'export const list = [a];'),
      failedCall(input, refused, 'Edit'),
    ]),
  ]);
  expect(found.rootCause).toContain('`npm run watch &` started may rewrite lib/list.ts');
  expect(found.next.startHere).toContain('Stop what rewrites the file');
});

test('the marks of a conflict in what runs are the cause', () => {
  const output =
    'E     File "/home/ana/pond/nests.py", line 12\nE       <<<<<<< HEAD\nE       ^^\nE   SyntaxError: invalid syntax\n1 error';
  const found = told([...begin, ...times(6, (n) => [change(n), failedCall('pytest -q', output)])]);
  expect(found.rootCause).toContain('merge conflict stand in /home/ana/pond/nests.py, line 12');
});

test('the same edit that the agent itself took back is not a file that something rewrites', () => {
  const there = edit('lib/a.ts', 'x = 1', 'x = 2');
  const back = edit('lib/a.ts', 'x = 2', 'x = 1');
  const red = failedCall('npm run build', 'lib/a.ts(1,1): error TS1: no');
  const found = told([...begin, ...times(4, () => [there, red, back, red])]);
  expect(found.rootCause).not.toContain('is gone after each');
});

const skip = edit(
  'pond/birds_test.go',
  'func TestCount(t *testing.T) {',
  'func TestCount(t *testing.T) {\n\tt.Skip("later")',
);
const wrong = failedCall('go test ./...', '--- FAIL: TestCount\n    birds_test.go:9: got 0 birds\nFAIL');
const right = call('go test ./...', 'ok pond 0.1s');

test('a check that turned green because its test was switched off is told as that', () => {
  const found = told([
    ...begin,
    wrong,
    edit('pond/birds.go', '0', '1'),
    wrong,
    skip,
    right,
    { say: 'The count is mended, all tests pass.' },
  ]);
  expect(found.state).toBe('failed');
  expect(found.rootCause).toContain('pond/birds_test.go');
  expect(found.rootCause).toContain('TestCount');
  expect(found.next.startHere).toContain('t.Skip("later")');
});

test('a check that turned green after the work and a new test is left alone', () => {
  const more = edit('pond/birds_test.go', 'if n != 1 {', 'if n != 2 {');
  const found = told([
    ...begin,
    wrong,
    more,
    edit('pond/birds.go', '0', '2'),
    right,
    { say: 'The count is mended.' },
  ]);
  expect(found).toMatchObject({ state: 'finished', class: null, rootCause: null });
  const asked = autopsy(
    'x',
    transcript([
      { say: 'Skip the test of the count for now.', role: 'person' },
      ...begin,
      wrong,
      skip,
      right,
      { say: 'It is skipped.' },
    ]),
    diagnose,
  );
  expect(asked.state).toBe('finished');
});

test('the fields that Gemini CLI writes around an output are no failure and no error line', () => {
  const wrapped = (output: string, code: number) =>
    `Command: npm test\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nBackground PIDs: (none)`;
  const found = told([
    call('npm test', wrapped('ok 1 - counts', 0), 'run_shell_command'),
    call(
      'npm test',
      wrapped('not ok 1 - counts\nTypeError: birds is not a function', 1),
      'run_shell_command',
    ),
  ]);
  expect(found.turns.map(({ failed, errorLine }) => [failed, errorLine])).toEqual([
    [false, ''],
    [true, 'TypeError: birds is not a function'],
  ]);
});
