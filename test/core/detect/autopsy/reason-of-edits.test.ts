/** Why a failure stays the same, by what the edits touched and what the calls printed; and what was left behind. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { ownHint } from '../../../../src/core/detect/autopsy/reasons/own-hint.ts';
import { sameLines } from '../../../../src/core/detect/autopsy/same-lines.ts';
import { sideEffects } from '../../../../src/core/detect/autopsy/side-effects.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const task: Part = { say: 'Mend it.', role: 'person' };
function told(parts: readonly Part[]) {
  const found = autopsy('x', transcript([task, ...parts]), diagnose);
  return { state: found.state, cause: found.rootCause ?? '', next: found.next.startHere ?? '', found };
}
const refused = (from: string) =>
  failedCall(
    JSON.stringify({ file_path: 'src/a.c', old_string: from, new_string: 'x' }),
    'Error: String to replace not found in file.',
    'Edit',
  );
const read = (text: string) => call('{"file_path":"src/a.c"}', text, 'Read');

describe('an edit that is refused again and again', () => {
  test.each(['\t', '→', ': ', '|'])(
    'is told by the line whose white space differs, with %j after the numbers',
    (mark) => {
      const { cause, next } = told([
        read(`     1${mark}int f() {\n     2${mark}\treturn 1;\n     3${mark}}`),
        ...times(6, () => refused('    return 1;')),
      ]);
      expect(cause).toContain('"    return 1;", the file has "\\treturn 1;"');
      expect(next).toContain('cat -A');
    },
  );

  test('is told by the line that is not in the file', () => {
    const { cause } = told([
      read('     1\tint f() {\n     2\t}'),
      ...times(6, () => refused('int g() {\n}')),
    ]);
    expect(cause).toContain('the line int g() { is not in the file');
  });

  test('is told by the line ends where each of its lines is there', () => {
    const { cause, next } = told([
      read('     1\tint f() {\n     2\t}'),
      call('file src/a.c', 'src/a.c: C source, ASCII text, with CRLF line terminators'),
      ...times(6, () => refused('int f() {\n}')),
    ]);
    expect(cause).toContain('its lines end otherwise (the record shows "CRLF")');
    expect(next).toContain('sed -i');
  });

  test('is told by the open file where the agent speaks of another one', () => {
    const { cause, next } = told([
      call('create run.py', '[File: /w/run.py (1 lines total)]\n1:', 'create'),
      ...times(6, (): readonly Part[] => [
        { say: 'I add the line to Data.java now.' },
        failedCall('edit 1:1\nSystem.out\nend_of_edit', "ERRORS:\n- F821 undefined name 'System'", 'edit'),
      ]).flat(),
    ]);
    expect(cause).toContain('go to /w/run.py, which is the open file, but the agent means Data.java');
    expect(next).toContain('Open Data.java first');
  });
});

describe('an edit that its checker refuses', () => {
  const opened = (name: string) =>
    call(`create ${name}`, `[File: /w/${name} (52 lines total)]\n1:`, 'create');
  const refusedEdit = (text: string, line: string) =>
    failedCall(
      `${text}\nend_of_edit`,
      `Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- ${line}`,
      'edit',
    );

  test('is told by the language where the text is of another one than the file', () => {
    const java = 'edit 1:1\nimport java.io.IOException;\npublic class A {\n}';
    const { cause, next } = told([
      opened('bug.py'),
      ...times(6, () => refusedEdit(java, 'E999 SyntaxError: invalid syntax')),
    ]);
    expect(cause).toContain('Java is written into /w/bug.py, which is a Python file');
    expect(next).toContain('a Java file');
  });

  test('is told by the lines that it removes where its text uses them', () => {
    const { cause, next } = told([
      opened('bug.py'),
      ...times(6, () => refusedEdit('edit 1:52\nrun_all()', "F821 undefined name 'run_all'")),
    ]);
    expect(cause).toContain('edit 1:52 puts 1 line in place of 52, and so removes what they use (run_all)');
    expect(next).toContain('52:52');
  });
});

test('a program that is ended by ever longer limits at the same line waits', () => {
  const { cause, next } = told(
    times(6, (index) =>
      failedCall(
        `timeout ${index + 2} python3 -m unittest`,
        'Exit code 124\ntest_run (test_q.T.test_run) ...',
      ),
    ),
  );
  expect(cause).toContain(
    'did not end: 6 runs were ended by their time limit, with limits of 2, 3, 4, 5, 6, 7',
  );
  expect(next).toContain('faulthandler');
});

test('searches since a program was found missing are told by that program', () => {
  const { cause } = told([
    failedCall('javac A.java', '/bin/bash: line 7: javac: command not found'),
    ...times(12, (index) =>
      call(`find_file "setup${'abcdefghijkl'[index]}.txt"`, 'No matches found', 'find_file'),
    ),
  ]);
  expect(cause).toContain('javac is not found');
  expect(cause).toContain('12 looks');
});

describe('a check that fails alike whatever is edited', () => {
  const rounds = (path: string, command: string, output: string) =>
    times(6, (index) => [edit(path, `${index}`, `${index + 1}`), failedCall(command, output)]).flat();

  test('is told by the place that no edit touched', () => {
    const { next } = told(rounds('README.md', 'make lint', 'src/report.js:7: error: line too long'));
    expect(next).toContain('Open src/report.js, line 7, which the output names and no other call names');
  });

  test('is told by the test that was never read', () => {
    const output = '--- FAIL: TestPush (0.00s)\n    queue_test.go:10: Len() = 0, want 2\nFAIL';
    const { cause, next } = told(rounds('queue.go', 'go test ./...', output));
    expect(cause).toContain('the same after 5 edits of queue.go');
    expect(next).toContain('Open queue_test.go, line 10');
  });

  test('is told by what an earlier run left where it says so', () => {
    const output =
      'File "seed.py", line 5, in <module>\nsqlite3.IntegrityError: UNIQUE constraint failed: users.email';
    expect(told(rounds('seed.py', 'python3 seed.py', output)).cause).toContain(
      'the same after 5 edits of seed.py',
    );
  });

  test('in two ways that take turns is told by both, though the runner counts them alike', () => {
    const output = (line: string) =>
      `Traceback (most recent call last):\nAssertionError: ${line}\n\nFAILED (failures=1)`;
    const { cause } = told(
      times(8, (index) => [
        edit('fmt.py', `${index % 2}`, `${(index + 1) % 2}`),
        failedCall('python3 -m unittest', output(index % 2 === 0 ? "'a' != 'b'" : 'False is not true')),
      ]).flat(),
    );
    expect(cause).toContain("'a' != 'b'");
    expect(cause).toContain('False is not true');
  });

  test('is told by the runner that finds no tests', () => {
    const { cause } = told(
      rounds(
        'tests/slug.py',
        'pytest tests',
        'configfile: pytest.ini\ncollected 0 items\n\nno tests ran in 0.01s',
      ),
    );
    expect(cause).toContain('finds no tests');
    expect(cause).toContain('configfile: pytest.ini');
  });

  test('is told by the one change that is sent again and again', () => {
    const fix = (line: string) =>
      failedCall(
        `{"file":"A.java","line":"${line}"}`,
        'AssertionFailedError: expected:<1> but was:<2>',
        'write_fix',
      );
    const { cause } = told(times(8, (index) => fix(index % 3 === 2 ? 'a != b' : 'a == b')));
    expect(cause).toContain('8 changes failed alike, 2 different ones but for comments');
    expect(cause).toContain('a == b');
  });

  test('behind a pipe fails too where the runner shows its failures after the summary', () => {
    const failures = times(30, (index) => `    at frame ${index}`).join('\n');
    const { found } = told([
      call('npm test 2>&1 | tail -60', `ℹ pass 0\nℹ fail 1\n\n✖ failing tests:\n${failures}`),
    ]);
    expect(found.lastCheck?.failed).toBe(true);
  });

  test('that a later run passes is not the story', () => {
    const { state } = told([
      ...rounds('a.go', 'go test ./...', '--- FAIL: TestA\n    a_test.go:3: got 1, want 2\nFAIL'),
      edit('a.go', 'x', 'y'),
      call('go test ./...', 'ok  example.com/a 0.01s'),
      { say: 'All tests pass.' },
    ]);
    expect(state).toBe('finished');
  });
});

test('a call that works with the whole path is told by that path', () => {
  const { cause, next } = told(
    times(6, () => [
      failedCall('search_file "null" Coll.java', 'Error: File name Coll.java not found.', 'search_file'),
      call('search_file "null" /w/src/Coll.java', 'Found 2 matches for "null":\nLine 7: null', 'search_file'),
    ]).flat(),
  );
  expect(cause).toContain('failed 6 times with Coll.java, and worked 6 times with the whole path');
  expect(next).toContain('Use /w/src/Coll.java from the start');
});

test('a view that shows the same part each time is told by what it leaves out', () => {
  const { cause, next } = told(
    times(6, () => [
      call(
        'open src/Big.java',
        '[File: src/Big.java (1918 lines total)]\n1:package a;\n(1818 more lines below)',
        'open',
      ),
      call('grep "key deser" src/Big.java', '// a key deser', 'grep'),
    ]).flat(),
  );
  expect(cause).toContain('1818 more lines below');
  expect(next).toContain('grep -n "key deser"');
});

test('what the failing program advises is told, and only that', () => {
  const output = 'Makefile:5: *** missing separator (did you mean TAB instead of 8 spaces?).  Stop.';
  expect(ownHint([output, output])).toContain('did you mean TAB');
  expect(ownHint(['hint: Updates were rejected because the tip of your branch is behind'])).toContain(
    'Updates were',
  );
  expect(ownHint(['FAIL a.test.ts', 'expected 1 to be 2'])).toBeNull();
});

test('what stays the same is told without what changes by itself', () => {
  const parts = times(3, (index) =>
    failedCall(
      'go test',
      `--- FAIL: TestA (0.0${index}s)\n a_test.go:${index + 3}: want 2\nseed ${'xyz'[index]} failed`,
    ),
  );
  const { found } = told(parts);
  const lines = sameLines(found.turns);
  expect(lines.join('\n')).toContain('--- FAIL: TestA');
  expect(lines.join('\n')).not.toContain('seed');
});

test('what was left behind is edits, lasting commands and processes, not looks and failures', () => {
  const parts = [
    edit('a.ts', '1', '2'),
    edit('a.ts', '2', '3'),
    call('npm test 2>&1 | tail -5', 'ok'),
    call('git stash && npm install left-pad', 'done'),
    call('(node server.js > log.txt 2>&1 &); sleep 1', ''),
    failedCall('git push', 'rejected'),
  ];
  const { found } = told(parts);
  const effects = sideEffects(found.turns);
  expect(effects.map(({ kind, what, count }) => `${kind} ${what} ${count}`)).toEqual(
    expect.arrayContaining([
      'edited a.ts 2',
      'ran git stash 1',
      'ran npm install left-pad 1',
      'started node server.js 1',
    ]),
  );
  expect(
    effects.some(({ what }) => what.includes('push') || what.includes('tail') || what.includes('npm test')),
  ).toBe(false);
});
