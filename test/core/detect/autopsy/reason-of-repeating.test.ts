/** Where the record shows why calls that do not fail are made again and again, the story names that. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'The tide table must show the next high water.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number) => edit('tides.py', `high = ${index}`, `high = ${index + 1}`);
const begin: readonly Part[] = [call('ls', 'tides.py'), call('cat tides.py', 'high = 0')];

describe('a program that prints the same after each edit', () => {
  const start = (said: string) => call('python tides.py & sleep 1; curl -s localhost:8000/next', said);
  test('may not be what is edited', () => {
    const found = told([...begin, ...times(5, (n) => [change(n), start('{"next": null}')])]);
    expect(found.state).toBe('stuck');
    expect(found.rootCause).toContain('printed the same 5 times, whatever was edited: {"next": null}');
    expect(found.next.startHere).toContain('What runs may not be what is edited');
  });
  test('is an old one where the record shows that the port is held', () => {
    const found = told([
      ...begin,
      ...times(5, (n) => [change(n), start('{"next": null}')]),
      call('tail -1 tides.log', 'OSError: [Errno 98] Address already in use'),
    ]);
    expect(found.rootCause).toContain('may still hold the port');
    expect(found.next.startHere).toContain('End the old process');
  });
  test('is well if that is what it says, and moves if it prints something else', () => {
    expect(told([...begin, ...times(5, (n) => [change(n), start('ok, 4 tides')])]).state).toBe('progressing');
    expect(told([...begin, ...times(5, (n) => [change(n), start(`{"next": ${n}}`)])]).state).toBe(
      'progressing',
    );
  });
});

describe('an edit that is made again and again', () => {
  const again = (answer: string) =>
    call(JSON.stringify({ file_path: 'tides.py', old_string: 'a', new_string: 'b' }), answer, 'Edit');
  test('with the same answer changes nothing', () => {
    const found = told([...begin, ...times(7, () => [again('1: high = 0')])]);
    expect(found.rootCause).toContain('puts the same lines in place of themselves');
    expect(found.next.startHere).toContain('outside of the lines');
  });
  test('with another answer each time changes the file once more', () => {
    const words = 'The line stands there twice now; I correct that by putting it in its place once more.';
    const found = told([...begin, ...times(7, (n) => [{ say: words }, again('high = 0\n'.repeat(n + 1))])]);
    expect(found.rootCause).toContain('each changed the file once more');
    expect(found.next.startHere).toContain('git checkout');
  });
});

describe('a program that is run again and again without a change', () => {
  const silent = call('python tides.py', '');
  const words = (n: number) => `I add a line that prints the height ${'abcdefgh'[n]}.`;
  test('is unchanged because the edits were only said', () => {
    const found = told([
      ...begin,
      ...times(8, (n) => [{ say: `${words(n)}\n\`\`\`\nprint(${n})\n\`\`\`` }, silent]),
    ]);
    expect(found.rootCause).toContain("stand only in the agent's messages");
    expect(found.next.startHere).toContain('with a call of the editor');
  });
  test('is only run again where nothing was said to be edited', () => {
    const found = told([...begin, ...times(8, (n) => [{ say: words(n) }, silent])]);
    expect(found.rootCause).not.toContain('messages');
  });
});

describe('one wall in many words', () => {
  const full = [
    failedCall('npm ci', 'npm error ENOSPC: write'),
    failedCall('cp a b', "cp: error writing 'b': No space left on device"),
    failedCall('git gc', 'fatal: write error: Disk quota exceeded'),
    failedCall('pip download x', 'ERROR: Could not install: insufficient disk space'),
    failedCall('docker pull x', 'failed to register layer: no space left on device'),
  ];
  test('is one trouble, stopped by the fifth', () => {
    const found = told(full);
    expect(found.signals.map(({ type, severity }) => `${type} ${severity}`)).toContain(
      'repeated_error critical',
    );
    expect(found.repeats?.count).toBe(5);
  });
  test('and different walls are different troubles', () => {
    const walls = ['Permission denied', 'connection reset', 'bad gateway', 'no such host', 'broken pipe'];
    const found = told(walls.map((wall, n) => failedCall(`step-${'abcde'[n]}`, `Error: ${wall}`)));
    expect(found.state).not.toBe('stuck');
  });
});

test('the code that RSpec shows is not its error', () => {
  const red = (code: string) =>
    failedCall(
      'rspec',
      `Failure/Error: ${code}\n\nTideError:\n  no high water after noon\n1 example, 1 failure`,
    );
  const found = told([...begin, ...times(7, (n) => [change(n), red(`tide.${'abcdefg'[n]}(${n})`)])]);
  expect(found.repeats?.count).toBe(7);
  expect(found.repeats?.turn.errorLine).not.toContain('Failure/Error');
});

describe('honest work that looks like a loop', () => {
  const letter = (n: number) => String.fromCharCode(97 + n);
  test('a hunt for one name that finds something new each time is none', () => {
    const found = told([
      ...begin,
      ...times(12, (n) => [call(`grep -rn tideTable lib${letter(n)}`, `lib${letter(n)}/a.py:${n}: x`)]),
    ]);
    expect(found.state).toBe('progressing');
  });
  test('a state that moves is asked for with reason', () => {
    const jobs = (n: number) =>
      `build\t${n > 1 ? 'pass' : 'pending'}\nunit\t${n > 4 ? 'pass' : 'pending'}\nrows ${'x'.repeat(n)}`;
    const found = told([...begin, ...times(8, (n) => [call('sleep 30; gh pr checks 7', jobs(n))])]);
    expect(found.state).toBe('progressing');
  });
  const trace = 'File "/code/tides.py", line 8\n    high = heights.max() + offset\nTypeError: offset is None';
  const lost: readonly Part[] = [
    ...begin,
    edit('tides.py', 'high = heights.max() + offset', 'high = heights.max() + (offset or 0)'),
  ];
  const runs = (between: string) =>
    times(6, (n) => [change(n), call(between, 'done'), failedCall('python ask.py', trace)]);
  test('what runs is told as old where its trace shows what was edited away', () => {
    expect(told([...lost, ...runs('supervisorctl restart tides')]).rootCause).toContain(
      'what runs is not what was edited',
    );
  });
});
