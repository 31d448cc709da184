/** Where another place of the record tells why a call fails, the story names that, and only that. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Let the kiosk print receipts.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number, path = 'src/receipt.ts') =>
  edit(path, `width = ${index}`, `width = ${index + 1}`);

describe('a program that is ended by a time limit', () => {
  const init = (said: string) =>
    failedCall('timeout 90 npx kiosk-init', `${said}\nCommand timed out after 90 s`);
  test('while it asks something waits for an answer', () => {
    const found = told(times(7, () => [init('Setting up.\nOverwrite kiosk.json? (y/N)')]));
    expect(found.rootCause).toContain('the last that it printed asks something: Overwrite kiosk.json? (y/N)');
    expect(found.next.startHere).toContain('without questions');
  });
  test('while it works is slow', () => {
    const found = told(times(7, () => [init('Compiling 41 of 900')]));
    expect(found.rootCause).not.toContain('answer');
    expect(found.next.startHere).toContain('measure where the time goes');
  });
});

describe('a module that is not found', () => {
  const red = failedCall(
    'make check',
    "bin/python -m pytest\nE   ModuleNotFoundError: No module named 'escpos'",
  );
  test('though it was installed is installed somewhere else', () => {
    const found = told([
      red,
      ...times(6, () => [call('pip install escpos', 'Successfully installed escpos-3.1'), red]),
    ]);
    expect(found.rootCause).toContain(
      'escpos was installed by `pip install escpos`, and `make check` does not find it',
    );
    expect(found.next.startHere).toContain('the program that runs the check');
  });
  test('and was never installed is missing', () => {
    const found = told(times(7, () => [red]));
    expect(found.rootCause).toContain('not installed');
  });
  test('because it is a file of another language is told as that', () => {
    const imports = failedCall('python try.py', "ModuleNotFoundError: No module named 'app.kiosk.Printer'");
    const found = told([
      call('find . -name "Printer*"', './app/kiosk/Printer.kt'),
      ...times(7, () => [imports]),
    ]);
    expect(found.rootCause).toContain('Printer.kt is Kotlin');
    expect(found.next.startHere).toContain('Write the check in Kotlin');
  });
});

test('a server that nothing answers for and that the run may not start is for a person to start', () => {
  const red = failedCall('npm test', 'Error: connect ECONNREFUSED 127.0.0.1:5432\n1 failed');
  const start = failedCall('sudo service postgresql start', 'sudo: a password is required');
  const found = told([red, start, ...times(6, (n) => [change(n), red])]);
  expect(found.rootCause).toContain(
    'the run cannot start it: `sudo service postgresql start` failed: sudo: a password is required',
  );
  expect(found.next.startHere).toContain('A person has to start it here (`sudo service postgresql start`)');
  expect(found.class).toBe('environment');
});

describe('a check that fails in two ways', () => {
  const wide = failedCall('go test ./...', '--- FAIL: TestWidePaper\nFAIL');
  const narrow = failedCall('go test ./...', '--- FAIL: TestNarrowPaper\nFAIL');
  test('by turns is told with both', () => {
    const found = told([wide, ...times(4, (n) => [change(n), narrow, change(n + 9), wide])]);
    expect(found.rootCause).toContain(
      'the other: --- FAIL: TestWidePaper (after `width = 13`) · --- FAIL: TestNarrowPaper (after `width = 4`)',
    );
    expect(found.next.startHere).toContain('satisfies both');
  });
  test('one after the other moved once', () => {
    const found = told([
      wide,
      ...times(3, (n) => [change(n), wide]),
      ...times(7, (n) => [change(n + 9), narrow]),
    ]);
    expect(found.rootCause).not.toContain('take turns');
  });
});

test('a name that the listing shows otherwise is told with the listed one', () => {
  const found = told([
    call('ls', 'printers/\nlib/'),
    ...times(7, () => [failedCall('cd printing/', 'bash: cd: printing/: No such file or directory')]),
  ]);
  expect(found.rootCause).toContain('the last listing has no printing, but printers/');
  expect(found.next.startHere).toContain('printers/');
});
