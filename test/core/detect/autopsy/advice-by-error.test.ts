/** The first step is bound to the run: what it started, what it tried, what its outputs tell. */
import { expect, test } from 'vitest';
import { type Call, madeRun, times } from './made-run.ts';

const again = (count: number, command: string, output: string) =>
  times(count, (): Call[] => [['bash', command, output]]);

test('the log of a server is read only if the run started it', () => {
  const refused = 'curl: (7) Failed to connect to localhost port 4000: Connection refused';
  const { next: own, found } = madeRun([
    ['bash', 'npm run dev > dev.log 2>&1 &', ''],
    ...again(7, 'curl -sS http://localhost:4000/', refused),
  ]);
  expect(own).toContain('Read the log of the server');
  expect(found.mendableBy).toBeNull();
  const { next: never } = madeRun(again(7, 'curl -sS http://localhost:4000/', refused));
  expect(never).toContain('no call of the run started it. Start it');
});

test('a service of the machine is for a person to start, and the class says the same', () => {
  const { next, found } = madeRun(
    again(
      7,
      'podman build .',
      'Error: Cannot connect to the container daemon at unix:///run/engine.sock: connection refused',
    ),
  );
  expect(next).toContain('a person has to start it');
  expect(next).not.toContain('log of the server');
  expect(found.mendableBy).toBe('person');
  expect(found.next.strategy).toBe('escalate');
});

test('the owner of a lock that the output names is not asked for', () => {
  const locked =
    'Error: the store is locked\n  Owner: nightly@host-3\n  ID: 55ab\n  Created: 2026-02-01 03:00 UTC';
  const { next, found } = madeRun(again(7, 'storectl apply', locked));
  expect(next).toContain('nightly@host-3 holds the lock (ID 55ab, Created 2026-02-01 03:00 UTC)');
  expect(next).not.toContain('Find out who');
  expect(found.mendableBy).toBe('person');
  expect(madeRun(again(7, 'storectl apply', 'Error: the store is locked')).next).toContain('Find out who');
});

test('a limit of a service is told with its end and with what was reached, and is not the limit of the run', () => {
  const { next, found } = madeRun([
    ['bash', './pull.sh', 'Error: HTTP 429: rate limit exceeded, try again in 41m\ndownloaded 12 of 90'],
    ...again(7, './pull.sh', 'Error: HTTP 429: rate limit exceeded, try again in 41m'),
  ]);
  expect(next).toContain('(41m)');
  expect(next).toContain('downloaded 12 of 90');
  expect(found.endedBy).not.toBe('limit');
});

test('one test that never ends is not told to be made smaller', () => {
  const run = again(6, 'pytest -x tests/test_queue.py', 'Command timed out after 60s\ntests/test_queue.py');
  const { cause, next } = madeRun(run);
  expect(cause).toContain('did not end');
  expect(next).toContain('dump of its stack');
  const whole = madeRun(again(6, 'make check-everything', 'Command timed out after 60s'));
  expect(whole.next).toContain('Run a smaller part');
});

test('a library of the system is named by its own advice, with the installs that failed', () => {
  const { cause, next, found } = madeRun([
    ...again(
      3,
      'cargo build',
      'error: failed to run custom build command for `zeta-sys`\nCould not find directory of zeta\nMake sure you also have the development packages of zeta installed. For example, `libzeta-dev` on Debian.',
    ),
    ['bash', 'apt-get install -y libzeta-dev', 'E: Could not open lock file - open (13: Permission denied)'],
    ...again(
      5,
      'cargo build --release',
      'error: failed to run custom build command for `zeta-sys`\nCould not find directory of zeta\nMake sure you also have the development packages of zeta installed. For example, `libzeta-dev` on Debian.',
    ),
  ]);
  expect(cause).toContain('development files of zeta are not installed');
  expect(cause).toContain('`apt-get install -y libzeta-dev` failed');
  expect(next).toContain('A person has to install the development files of zeta (`libzeta-dev` on Debian)');
  expect(`${cause} ${next}`).not.toContain('directory is not installed');
  expect(found.mendableBy).toBe('person');
});

test('an edit that puts back what it should remove is told where the copy is', () => {
  const listing = '[File: /w/a.py (9 lines total)]\n4:total = add(a, b)\n5:total = add(a, b)\n6:return total';
  const { next } = madeRun(
    times<readonly ['agent', string] | Call>(6, () => [
      ['agent', 'The line is duplicated. I remove the duplicate.'],
      ['edit', 'edit 4:4\ntotal = add(a, b)\nend_of_edit', listing],
    ]),
  );
  expect(next).toContain('The same text stands in line 5 of /w/a.py: delete those lines');
});

test('what a program says to run stands on its next line', () => {
  const { next } = madeRun(
    again(
      7,
      'npm run unit',
      'npm error Missing script: "unit"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
    ),
  );
  expect(next).toContain('To see a list of scripts, run: `npm run`.');
});

test('a name that a listing shows in another spelling is told by that spelling', () => {
  const { next } = madeRun([
    ['bash', 'cd lib/\nls -F', 'parsers/'],
    ...again(7, 'cd parsing/', '/bin/bash: line 1: cd: parsing/: No such file or directory'),
  ]);
  expect(next).toContain('use the name as it is listed, parsers/');
});

test('a search for a part of a name that was found before is told to use a pattern', () => {
  const { next } = madeRun([
    [
      'find_file',
      'find_file "Reader.java"',
      'Found 1 matches for "Reader.java" in /w:\n/w/src/main/Reader.java',
    ],
    ...times(8, (): Call[] => [['find_file', 'find_file "Reader"', 'No matches found for "Reader" in /w']]),
  ]);
  expect(next).toContain('showed /w/src/main/Reader.java');
  expect(next).toContain('`*Reader*`');
});

test('the first call of a missing program is honest work', () => {
  const { since } = madeRun([
    ['bash', 'ls', 'src'],
    ['edit', '{"path": "src/a.c", "old_str": "1", "new_str": "2"}', 'File updated.'],
    ...again(8, 'clang a.c', '/bin/bash: line 7: clang: command not found'),
  ]);
  expect(since).toBe(4);
});
