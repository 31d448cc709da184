/** What the structure of a failure tells, in any language: the innermost cause, how two values differ, a near name, a file never opened. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { deepestLine } from '../../../../src/core/detect/deepest-line.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const read = (path: string, text: string): Part => ({
  call: JSON.stringify({ file_path: path }),
  tool: 'Read',
  result: text,
});

/** Six edits of a file, each with the same red check after it. */
function told(red: Part, before: readonly Part[] = [], path = 'src/mill.ts', to = (n: number) => `n = ${n}`) {
  const runs = Array.from({ length: 6 }, (_, n) => [edit(path, to(n), to(n + 1)), red]).flat();
  const parts = [{ say: 'Let the mill grind.', role: 'person' } as const, ...before, red, ...runs];
  const found = autopsy('x', transcript(parts), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '' };
}

describe('the deepest line of a failure', () => {
  test.each([
    [
      'Failed\nCaused by: a.B: outer\n\tat a.C\nCaused by: c.D: FATAL: no grain "rye"\n\tat e.F\nDone',
      'c.D: FATAL: no grain "rye"',
    ],
    [
      'Error: no start\n\nCaused by:\n    0: no mill\n    1: open /etc/mill: denied',
      'open /etc/mill: denied',
    ],
    ["X : outer\n---- A.BException : in\n-------- A.CException : No 'Stone'", "A.CException : No 'Stone'"],
    // One that names nothing tells less than the line around it.
    ['TypeError: no URL in undefined/rye\nCaused by: TypeError: Invalid URL', 'Failed'],
    // Another failure has a chain of its own.
    ['Caused by: a.B: no "rye"\nERROR second test\nCaused by: a.B: no "oats"', 'a.B: no "rye"'],
  ])('%j', (output, line) => expect(deepestLine('Failed', output)).toBe(line));
  test('of the bare name of a test is what is said of it', () => {
    const output = 'FAIL test/a.ts > grinds\n  AssertionError: expected 3 to be 4';
    expect(deepestLine('FAIL test/a.ts > grinds', output)).toBe(
      'FAIL test/a.ts > grinds: AssertionError: expected 3 to be 4',
    );
    expect(deepestLine('Error: no "rye"', output)).toBe('Error: no "rye"');
  });
});

describe('what is expected and what comes', () => {
  const differing = (expected: string, actual: string) =>
    told(
      failedCall(
        'stone test',
        `1) grinds\n  AssertionError: it differs\n  Expected: ${expected}\n  Received: ${actual}`,
      ),
    );
  test.each([
    ['"2024-06-01 12:00:00"', '"2024-06-01 08:00:00"', 'by exactly 4 h, as two time zones do'],
    ['"09:30"', '"15:00"', 'by exactly 5.5 h, as two time zones do'],
    ['"Rye and Oats"', '"rye and oats"', 'in upper and lower case'],
    ['"rye,oats,corn"', '"oats,corn,rye"', 'in the order of the same parts'],
    ['"rye & oats"', '"rye &amp; oats"', 'in marks that are escaped'],
    ['1250', '12.5', 'by the factor 100'],
    ['"1999.00 EUR"', '"19.99 EUR"', 'by the factor 100'],
    ['"rye über"', '"=?UTF-8?Q?rye =C3=BCber?="', 'in marks that are escaped'],
  ])('%s and %s differ only %s', (expected, actual, how) =>
    expect(differing(expected, actual).cause).toContain(`the two differ only ${how}`),
  );
  test.each([
    ['"2024-06-01 12:00:00"', '"2024-06-01 12:07:00"'],
    ['"rye"', '"oats"'],
    ['7', '12'],
  ])('%s and %s just differ', (expected, actual) =>
    expect(differing(expected, actual).cause).not.toContain('differ only'),
  );
  test('the line that decides it is shown', () => {
    const red = failedCall('stone test', '1) grinds\n  Expected: "12:00"\n  Received: "08:00"');
    const { cause, next } = told(red, [read('conf/mill.ini', 'stones = 2\ntimezone = America/New_York')]);
    expect(cause).toContain('conf/mill.ini, line 2: `timezone = America/New_York`');
    expect(next).toContain('Look at conf/mill.ini, line 2');
  });
});

describe('a file that was never opened', () => {
  const red = failedCall('stone test', '1) grinds\n  Expected: "rye,oats"\n  Received: "oats,rye"');
  const shown = read(
    '/w/src/mill.ts',
    "import { sieve } from './sieve';\nexport const mill = () => sieve(1);",
  );
  const keeps = (n: number) => `sieve(${n})`;
  test('and gives what each edit keeps is named', () => {
    const { cause, next } = told(red, [shown], '/w/src/mill.ts', keeps);
    expect(cause).toContain(
      '/w/src/sieve.ts, which gives `sieve` (/w/src/mill.ts, line 1) and which no call opened',
    );
    expect(next).toContain('Look at /w/src/sieve.ts');
  });
  test('is none once a call opened it', () => {
    const opened = read('/w/src/sieve.ts', 'export const sieve = (n: number) => n;');
    expect(told(red, [shown, opened], '/w/src/mill.ts', keeps).cause).not.toContain('no call opened');
  });
});

describe('a file that was read and not edited', () => {
  const red = failedCall(
    'stone test',
    '--- FAIL: TestSacks (0.0s)\n  sacks_test.go:3:\n    Error: it should have 3 sacks, but has 2',
  );
  const code = read('/w/store.go', 'rows := query("select * from sack_list")');
  test('and makes what the edited one uses is named', () => {
    const view = read(
      '/w/002_view.sql',
      'create view sack_list as\n select * from sack where rye is not null',
    );
    const { cause, next } = told(red, [view, code], '/w/store.go');
    expect(cause).toContain(
      '/w/002_view.sql, line 1 (`create view sack_list as`), which they use and which no edit touched',
    );
    expect(next).toContain('Look at /w/002_view.sql, line 1');
  });
  test('is none if the edited one does not use it', () => {
    expect(
      told(red, [read('/w/002_view.sql', 'create view mill_list as'), code], '/w/store.go').cause,
    ).not.toContain('no edit touched');
  });
});

describe('a value that is missing in a text', () => {
  const red = failedCall('stone run', 'TypeError: no such address: undefined/sacks');
  const code = read('/w/api.ts', 'const base = env.MILL_URL;\nconst sacks = fetch(`${base}/sacks`);');
  test('is followed to where it is set', () => {
    const { cause, next } = told(red, [read('/w/.env', 'MILL_URL=http://mill'), code], '/w/other.ts');
    expect(cause).toContain('`base` is undefined when it runs');
    expect(cause).toContain('`MILL_URL` is set in /w/.env, line 1: `MILL_URL=http://mill`');
    expect(next).toContain('whether it takes only names with a prefix');
  });
  test('is nothing where no line puts it there', () => {
    expect(told(red, [read('/w/api.ts', 'const base = 1;')], '/w/other.ts').cause).not.toContain(
      'when it runs',
    );
  });
});

describe('a right that is refused', () => {
  const red = failedCall('stone publish', 'HTTP 403: Resource not accessible by integration');
  test('is looked for first in the file that says what is allowed', () => {
    const { cause, next } = told(red, [read('.ci/release.yml', 'permissions:\n  contents: read')]);
    expect(cause).toContain('.ci/release.yml, line 1: `permissions: contents: read`');
    expect(next).toContain('If the right is given there, change that first');
  });
  test('is given by a person where nothing is shown', () => {
    expect(told(red).next).toContain('were refused alike. A person grants the right');
  });
});

describe('a name that is not there', () => {
  const red = failedCall('stone run', 'ERROR: column "customer_id" does not exist');
  test('is told with the near name that was shown', () => {
    const { cause, next } = told(red, [read('views/grain.sql', 'select id as cust_id from grain')]);
    expect(cause).toContain(
      '`cust_id` (views/grain.sql, line 1: `select id as cust_id from grain`): probably',
    );
    expect(next).toContain('use `cust_id` where `customer_id` stands, or make `customer_id` first');
  });
  test('is told with the same name in another spelling', () => {
    const key = failedCall('stone run', 'error: keyNotFound "grainName" in sack 0');
    const { cause } = told(key, [read('sack.json', '{"grain_name": "rye"}')]);
    expect(cause).toContain('`grain_name` (sack.json, line 1');
  });
  test('is told with none where two are as near, or none is', () => {
    const two = read('views/grain.sql', 'select a as cust_id,\n b as customers_id');
    expect(told(red, [two]).cause).not.toContain('probably that is meant');
    expect(told(red, [read('views/grain.sql', 'select id as mill_id')]).cause).not.toContain(
      'probably that is meant',
    );
  });
});

describe('a failure inside a dependency', () => {
  const at = (path: string) => failedCall('stone build', `error: no such target\n  --> ${path}:34:9`);
  const kept = '/h/.cargo/registry/src/index-1f/sieve-0.2.15/src/lib.rs';
  test('is mended where it is asked for', () => {
    const { cause, next } = told(at(kept), [], 'src/lib.rs');
    expect(cause).toContain('it fails inside sieve 0.2.15, a dependency');
    expect(next).toContain('Change how sieve is asked for in Cargo.toml');
  });
  test('is none where the edited file is named, with or without a line', () => {
    const called = failedCall('stone build', `error: refused\n  --> ${kept}:34:9\n  called by bin/mill`);
    expect(told(called, [], 'bin/mill').cause).not.toContain('a dependency');
  });
  test('is none where a place of the project is named, too', () => {
    const both = failedCall(
      'stone build',
      `error: no such target\n  --> ${kept}:34:9\n  --> /w/src/lib.rs:2:1`,
    );
    expect(told(both, [], 'src/lib.rs').cause).not.toContain('a dependency');
  });
});

describe('two versions', () => {
  test.each([
    [
      'class file has wrong version 65.0, should be 61.0',
      'Java 21 (65.0) was used to make it, and what runs takes Java 17 (61.0)',
    ],
    [
      'rye.node was compiled against a different Node.js version using\nNODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115.',
      '108 was used to make it, and what runs takes 115',
    ],
  ])('%j do not fit', (line, cause) =>
    expect(told(failedCall('stone build', `error: it cannot be read\n${line}`)).cause).toContain(cause),
  );
});

describe('an absolute name of a file', () => {
  const red = failedCall(
    'stone play',
    'task path: /etc/stone/roles/mill/tasks.yml:1\nfatal: FAILED! no such grain',
  );
  test('in a folder of the machine is another file than a relative one', () => {
    expect(told(red, [], 'roles/mill/tasks.yml').cause).toContain(
      'what the output names is /etc/stone/roles/mill/tasks.yml',
    );
  });
  test('is the same file behind marks of a bundler', () => {
    const bundled = failedCall(
      'stone play',
      'at run (webpack:///./roles/mill.ts:1)\nfatal: FAILED! no such grain',
    );
    expect(told(bundled, [], '/w/roles/mill.ts').cause).not.toContain('may be what runs');
  });
  test('is the same file where a call works in that folder', () => {
    const there = call('ls /etc/stone/roles', 'mill');
    expect(told(red, [there], 'roles/mill/tasks.yml').cause).not.toContain('what the output names is');
  });
});

test('a line that a later edit ends with is not stale', () => {
  const line = (n: number) =>
    n === 0 ? 'grain = store["rye"].first' : `n = ${n}; grain = store["rye"].first`;
  const red = (n: number) =>
    failedCall(
      'stone run',
      `Traceback (most recent call last):\n  File "/w/mill.py", line 2, in run\n    ${line(n)}\nKeyError: 'rye'`,
    );
  const runs = Array.from({ length: 6 }, (_, n) => [
    edit('/w/mill.py', line(n), line(n + 1)),
    red(n + 1),
  ]).flat();
  const found = autopsy('x', transcript([red(0), ...runs]), diagnose);
  expect(found.rootCause).not.toContain('what runs is not what was edited');
});
