/** Of a check that never ends, a lead is a line that keeps a process alive and that no edit touched, not an import or a comment. */
import { expect, test } from 'vitest';
import { type Call, madeRun, times } from './made-run.ts';

const read = (path: string, lines: readonly string[]): Call => [
  'Read',
  JSON.stringify({ file_path: path }),
  lines.map((line, at) => `${at + 1}→${line}`).join('\n'),
];
const edit = (n: number): Call => [
  'Edit',
  JSON.stringify({ file_path: 'spec/heron.spec.js', old_string: `wait(${n})`, new_string: `wait(${n + 1})` }),
  'The file spec/heron.spec.js has been updated.',
];
const late: Call = [
  'Bash',
  'npm run spec',
  'Exit code 143\nCommand timed out after 3m 0.0s\n\n✔ wades\n✔ waits',
];
const run = (gauge: readonly string[]) =>
  madeRun([
    read('lib/heron.js', [
      "const gauge = require('./gauge');",
      '// gauge.listen(80) was here',
      'function wade() {}',
    ]),
    read('lib/gauge.js', gauge),
    late,
    ...times(5, (n) => [edit(n), late]),
  ]);

test('a timer that starts when a file is loaded is told as what may keep it open', () => {
  const { cause, next } = run(["const fs = require('fs');", 'function read() {}', 'setInterval(read, 500);']);
  expect(cause).toContain('Why is not proven');
  expect(cause).toContain('lib/gauge.js, line 3 (`setInterval(read, 500);`)');
  expect(cause).toContain('as soon as the file is loaded');
  expect(next).toContain('let it not hold the process');
});

test('a timer that does not hold the process, an import and a comment are no leads', () => {
  const { cause } = run([
    "const fs = require('fs');",
    'function read() {}',
    'setInterval(read, 500).unref();',
  ]);
  expect(cause).not.toContain('keep a process alive');
  expect(cause).not.toContain('require(');
});
