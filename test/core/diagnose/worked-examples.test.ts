import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

function pytest(test: string, ...block: readonly string[]): string {
  return [
    '=================================== FAILURES ===================================',
    `${'_'.repeat(34)} ${test} ${'_'.repeat(34)}`,
    '',
    ...block,
    '=========================== short test summary info ============================',
    '============================== 1 failed in 0.02s ===============================',
  ].join('\n');
}

describe('told as a good colleague would', () => {
  it('a missing datetime import gives the exact line to add', () => {
    const got = diagnose({
      output: pytest(
        'test_stamp',
        '    def test_stamp():',
        '>       assert stamp(datetime.now()) is not None',
        "E       NameError: name 'datetime' is not defined",
        '',
        'tests/test_stamp.py:5: NameError',
      ),
      exitCode: 1,
      command: 'pytest tests/test_stamp.py',
    });
    expect(got.failureType).toBe('test_failure');
    expect(got.recoverable).toBe(true);
    expect(got.rootCause).toContain('tests/test_stamp.py uses datetime without importing it');
    expect(got.recoveryPlan).toContain('`from datetime import datetime`');
    expect(got.recoveryPlan).toContain('pytest tests/test_stamp.py');
  });

  it('the module is imported where the code says datetime.datetime', () => {
    const got = diagnose({
      output: pytest(
        'test_a',
        '>       datetime.datetime.now()',
        "E       NameError: name 'datetime' is not defined",
        'a.py:1: NameError',
      ),
    });
    expect(got.recoveryPlan).toContain('`import datetime`');
  });

  it('the runner of Node: its summary makes it a failing test, told by what was compared, not by the sentence above it', () => {
    const output = [
      '✖ adds (3.888024ms)',
      'ℹ tests 2',
      'ℹ pass 1',
      'ℹ fail 1',
      '',
      '✖ failing tests:',
      '',
      'test at test/add.test.js:4:1',
      '✖ adds (3.888024ms)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      '  ',
      '  3 !== 4',
      '  ',
      '      at TestContext.<anonymous> (file:///w/test/add.test.js:5:10) {',
      "    code: 'ERR_ASSERTION',",
      '  }',
    ];
    const got = diagnose({ output: output.join('\n'), exitCode: 1 });
    expect(got.failureType).toBe('test_failure');
    expect(got.rootCause).toContain('adds expects the value to be 4, but it is 3');
    const frame = "not ok 1 - adds\n  error: '-1 == 5'\n    at (file:///w/test/add.test.js:5:10)";
    expect(diagnose({ output: frame, exitCode: 1 }).rootCause).toContain('(/w/test/add.test.js:5)');
  });

  it('a conflict names the file and is a question for a person', () => {
    const got = diagnose({
      output:
        'Auto-merging src/main.py\nCONFLICT (content): Merge conflict in src/main.py\nAutomatic merge failed; fix conflicts and then commit the result.\n',
      exitCode: 1,
      command: 'git merge feature',
    });
    expect(got).toMatchObject({
      failureType: 'git_conflict',
      recoverable: false,
      recoveryPlan: null,
      returnTo: 'compose',
    });
    expect(got.rootCause).toBe('src/main.py was changed on both sides.');
    expect(got.humanInstructions).toContain('Open src/main.py');
    expect(got.escalationReason).toContain('intents');
  });

  it('a 401 says whose credentials and that only a person may renew them', () => {
    const got = diagnose({
      output: 'HTTP 401: Bad credentials (https://api.github.com/graphql)\n',
      exitCode: 1,
      command: 'gh pr create',
    });
    expect(got).toMatchObject({ failureType: 'auth_failure', recoverable: false, scope: 'account' });
    expect(got.escalationReason).toContain('api.github.com');
  });

  it('an error body is told in its own words, by the host that was called and not the one with the manual', () => {
    const got = diagnose({
      output:
        '{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest","status":"401"}\n',
      exitCode: 22,
      command: 'curl --fail-with-body https://api.github.com/user',
    });
    expect(got.rootCause).toBe('Bad credentials (401) (api.github.com).');
    expect(got.humanInstructions).toContain('the login or key for api.github.com');
  });

  it('the sentence beside an HTTP status outranks it', () => {
    const typeOf = (output: string) => diagnose({ output, exitCode: 1, command: 'frob push' }).failureType;
    expect(typeOf('Error: HTTP 403: the disk quota exceeded, No space left on device')).toBe(
      'resource_exhausted',
    );
    expect(typeOf('Error: HTTP 403: key limit exceeded')).toBe('budget_exhausted');
    expect(typeOf('Error: HTTP 403: not today')).toBe('auth_failure');
  });

  it('a connection that is not made in 30 s is the network, and is waited out', () => {
    const got = diagnose({
      output: 'Error: Connection to db.internal:5432 timed out after 30 seconds\n',
      exitCode: 1,
    });
    expect(got).toMatchObject({ failureType: 'network_failure', recoverable: true, transient: true });
    expect(got.rootCause).toBe('Connection to db.internal:5432 timed out after 30 seconds.');
    const nameless = diagnose({ output: 'Error: connect ETIMEDOUT 10.255.255.1:443\n', exitCode: 1 });
    expect(nameless.rootCause).toContain('connect ETIMEDOUT 10.255.255.1:443');
  });

  it('a failing assertion tells the call, the expected and the actual value', () => {
    const got = diagnose({
      output: pytest(
        'test_add',
        '    def test_add():',
        '>       assert add(2, 3) == 5',
        'E       assert 3 == 5',
        'E        +  where 3 = add(2, 3)',
        '',
        'tests/test_math.py:4: AssertionError',
      ),
      exitCode: 1,
    });
    expect(got.failureType).toBe('test_failure');
    expect(got.rootCause).toBe(
      'test_add expects add(2, 3) to be 5, but it returned 3 (tests/test_math.py:4).',
    );
    expect(got.evidence[0]).toEqual({ line: 6, text: 'E       assert 3 == 5' });
  });

  it('a usage limit tells when to try again', () => {
    const nowMs = Date.UTC(2026, 10, 15, 10, 0, 0);
    const got = diagnose({
      output: 'Claude usage limit reached. Your limit will reset at 3pm (UTC).\n',
      exitCode: 1,
      nowMs,
      timeZone: 'UTC',
    });
    expect(got.failureType).toBe('rate_limited');
    expect(got.retryAt).toBe(Date.UTC(2026, 10, 15, 15, 0, 0));
    expect(got, 'told by the hour').not.toHaveProperty('retryExactToMs');
  });

  it('a limit that tells its end to the second says so', () => {
    const nowMs = Date.UTC(2026, 10, 15, 10, 0, 0);
    const output = 'HTTP 429 Too Many Requests: rate limit exceeded\nretry-after: 40\n';
    expect(diagnose({ output, exitCode: 1, nowMs, timeZone: 'UTC' })).toMatchObject({
      failureType: 'rate_limited',
      retryAt: nowMs + 40_000,
      retryExactToMs: 5_000,
    });
  });

  it('a limit of five minutes does not cost ten', () => {
    const nowMs = Date.UTC(2026, 10, 15, 10, 0, 0);
    const output = 'Rate limit reached. Please try again in 5 minutes.\n';
    expect(diagnose({ output, exitCode: 1, nowMs, timeZone: 'UTC' })).toMatchObject({
      failureType: 'rate_limited',
      retryAt: nowMs + 300_000,
      retryExactToMs: 60_000,
    });
  });

  it('the same failure for the third time goes to a person', () => {
    const output = 'TypeError: x is not a function\n    at run (/srv/app/src/a.js:3:1)\n';
    expect(diagnose({ output, exitCode: 1 }).recoverable).toBe(true);
    const tired = diagnose({ output, exitCode: 1, retryCount: 3 });
    expect(tired.recoverable).toBe(false);
    expect(tired.escalationReason).toContain('tried 3 times');
  });

  it('says that it cannot tell instead of inventing a cause', () => {
    const got = diagnose({ output: 'starting\nworking\n', exitCode: 3 });
    expect(got.failureType).toBe('unknown');
    expect(got.confidence).toBeLessThan(0.6);
    expect(got.rootCause).toContain('no line of its output names a cause');
  });
});

describe('words are not failures', () => {
  const fine: readonly (readonly [string, string])[] = [
    ['a summary with zero failures', '12 passed, 0 failed in 3.2s\n'],
    [
      'a test that is called "times out"',
      '✓ times out when the server hangs (12 ms)\n✓ error handling works\nTests: 2 passed, 2 total\n',
    ],
    ['a retry that ended well', 'attempt 1 failed: ECONNRESET, retrying...\nupload succeeded on attempt 2\n'],
    ['a listing of files', 'errors.ts\nfailed-login.test.ts\npanic.go\ntimeout.log\n'],
    [
      'a diff',
      'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x\n+raise PermissionError("Permission denied")\n',
    ],
    [
      'a search',
      'src/a.js:1:throw new Error("Connection refused");\nsrc/b.js:9:// fatal: not a git repository\n',
    ],
    [
      'warnings',
      'warning: unused variable: `timeout`\nwarning: function `failed` is never used\n    Finished dev [unoptimized] target(s) in 0.2s\n',
    ],
    [
      'a table with headings',
      'job status error\n1   failed timeout\n2   ok     -\n3   failed connection refused\n',
    ],
    [
      'rows in columns without headings',
      'db       UP    3ms\ncache    DOWN  connection refused\nqueue    UP    9ms\n',
    ],
    ['a table of pipes', '| job | status |\n| --- | ------ |\n|   1 | failed |\n'],
    [
      'a list of commits',
      '05:32:19 [ac7c10537c] fix crash: permission denied\n4be1f09 fatal: handle timeouts\n',
    ],
    ['values, line by line', 'connection refused\ntimed out\n'],
    [
      'a conflict that was resolved and committed',
      'CONFLICT (content): Merge conflict in a.txt\nAutomatic merge failed; fix conflicts and then commit the result.\n[main 4be1f09] merge feature\ndone\n',
    ],
    ['nothing', ''],
  ];
  for (const [name, output] of fine)
    it(`${name} is fine`, () => {
      expect(diagnose({ output }).failureType).toBe('success');
      expect(diagnose({ output, exitCode: 0, command: 'cmd' }).failureType).toBe('success');
    });
});

describe('what an unknown tool says', () => {
  const told: readonly (readonly [string, string, string])[] = [
    ['joined words', 'frob: link down (Error XY_CONNECTION_REFUSED)', 'network_failure'],
    ['a place in words', 'unknown block tag on line 1, column 15', 'build_failure'],
    ['the rule of a checker', 'error: value may be empty [no-empty-value]', 'build_failure'],
    ['a stage by its name', 'STATIC ERROR: unknown variable foo', 'build_failure'],
    ['the other stage', 'RUNTIME ERROR: too large', 'runtime_error'],
    ['a set-up that was forgotten', 'error: frob has not been initialised, run `frob init`', 'environment'],
    ['a limit of steps', 'stopped: limit of 40 steps was reached', 'budget_exhausted'],
  ];
  for (const [name, output, failureType] of told)
    it(`${name} is ${failureType}`, () => {
      expect(diagnose({ output, exitCode: 1, command: 'frob go' }).failureType).toBe(failureType);
    });

  it('exit code 127 says that the file which is not there is a command', () => {
    const output = 'frob: nosuchtool: No such file or directory\n';
    expect(diagnose({ output, exitCode: 127, command: 'frob go' }).failureType).toBe('missing_dependency');
    expect(diagnose({ output, exitCode: 1, command: 'frob go' }).failureType).toBe('runtime_error');
  });
});
