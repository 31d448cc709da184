import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

describe('an answer invents nothing', () => {
  it('a command that is not in the virtual environment is no environment variable', () => {
    const got = diagnose({ output: 'sh: 1: .venv/bin/ruff: not found', exitCode: 127 });
    expect(got.failureType).toBe('missing_dependency');
    expect(got.rootCause).not.toContain('variable');
    expect(got.rootCause).toContain('.venv/bin/ruff');
  });

  it('a real environment variable is still named', () => {
    const got = diagnose({ output: 'Error: environment variable DATABASE_URL is not set', exitCode: 1 });
    expect(got.failureType).toBe('environment');
    expect(got.rootCause).toContain('DATABASE_URL');
  });

  it('words that nothing is known of are unknown, with or without an exit code', () => {
    for (const exitCode of [1, null])
      expect(diagnose({ output: 'zorp: blarg flooped', exitCode }).failureType).toBe('unknown');
  });

  it('an exit code that a pipe hides is no proof of success', () => {
    const hidden = diagnose({ output: '\n\n', exitCode: 0, command: 'npm run ci 2>&1 | tail -n 32' });
    const shown = diagnose({ output: '\n\n', exitCode: 0, command: 'npm run ci' });
    expect(hidden).toMatchObject({ failureType: 'unknown', recoverable: true });
    expect(hidden.rootCause).toContain('whether it passed is not known');
    expect(hidden.rootCause).toContain('set -o pipefail');
    expect(shown.confidence).toBeGreaterThan(0.9);
  });

  it('a limit of the provider is told as one, and a single file name is not', () => {
    expect(diagnose({ output: 'Limit reached · resets 11:30am · /upgrade' }).failureType).toBe(
      'rate_limited',
    );
    expect(diagnose({ output: 'Only 3 reflections allowed, stopping.' }).failureType).toBe(
      'budget_exhausted',
    );
    expect(diagnose({ output: 'rate-limit-resets.ts\nfailed-login.ts\n' }).failureType).toBe('success');
  });

  it('a failure that ends a long log is sure only where an exit code tells that it failed', () => {
    const output = `${'one more line of a log\n'.repeat(250)}Error: connect ECONNREFUSED 127.0.0.1:1\n`;
    expect(diagnose({ output }).confidence).toBeLessThan(0.9);
    expect(diagnose({ output: output.slice(-800) }).confidence).toBeGreaterThanOrEqual(0.9);
    expect(diagnose({ output, exitCode: 1 }).confidence).toBeGreaterThanOrEqual(0.9);
  });

  it('a refusal of the model is told as one and is not tried again; a test that names it is not', () => {
    const refused = diagnose({
      output:
        'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy',
      exitCode: 1,
    });
    expect(refused).toMatchObject({ failureType: 'model_refusal', recoverable: false });
    const named = "AssertionError: expected 'content_policy_violation' to be 'ok'";
    expect(diagnose({ output: named, exitCode: 1 }).failureType).not.toBe('model_refusal');
  });

  it('the name of a function alone on a line is no exception', () => {
    const output = '1) handles it\n   isHandledError\n\n1 failing\n';
    expect(diagnose({ output, exitCode: 1 }).evidence[0]?.text).not.toContain('isHandledError');
  });

  it('the field of a structured record that says what went wrong is read', () => {
    const output =
      'time="2026-11-15T10:00:00Z" level=error error="permission denied while opening state" msg="sync failed"';
    const got = diagnose({ output, exitCode: 1, command: 'syncd once' });
    expect(got.failureType).toBe('permission_denied');
    expect(got.rootCause).toContain('permission denied while opening state');
  });

  it('an article is no host', () => {
    const output =
      "svn: E170013: Unable to connect to a repository at URL 'svn://127.0.0.1:19/repo'\nsvn: E000111: Can't connect to host '127.0.0.1': Connection refused";
    const got = diagnose({ output, exitCode: 1, command: 'svn checkout svn://127.0.0.1:19/repo' });
    expect(got.rootCause).not.toContain('connections at a:');
    expect(got.rootCause).toContain('127.0.0.1');
  });

  it('a time-out after three tries speaks of the way there, not of a certificate', () => {
    const got = diagnose({ output: 'Error: connect ETIMEDOUT 10.0.0.5:443', exitCode: 1, retryCount: 3 });
    expect(got).toMatchObject({ failureType: 'network_failure', recoverable: false });
    expect(`${got.escalationReason} ${got.humanInstructions}`).not.toContain('certificate');
    expect(got.humanInstructions).toContain('10.0.0.5:443');
  });

  it('a certificate that is not trusted is still called so', () => {
    const got = diagnose({
      output: 'curl: (60) SSL certificate problem: self-signed certificate',
      exitCode: 60,
    });
    expect(got.escalationReason).toContain('certificate');
  });

  it('an architecture violation is no crash, and it is not tried again', () => {
    const output = 'Architecture violation: src/core/a.ts must not import src/cli/b.ts';
    expect(diagnose({ output, exitCode: 1 })).toMatchObject({
      failureType: 'build_failure',
      recoverable: false,
    });
  });

  it('a permission that the agent was not given is a permission', () => {
    const output = "Claude requested permissions to write to /srv/app/a.ts, but you haven't granted it yet.";
    expect(diagnose({ output }).failureType).toBe('permission_denied');
  });

  it('where no place is known, the line of the output is named', () => {
    const got = diagnose({ output: 'one\nError: it broke\n', exitCode: 1, command: 'make' });
    expect(got.recoveryPlan).toContain('line 2 of the output');
  });
});

describe('what the caller knows', () => {
  it('feature and issue are in the answer', () => {
    const output = 'ERROR: 401 Unauthorized from https://api.example.com/v1';
    const got = diagnose({ output, exitCode: 1, featureId: 'F-12', issueNumber: 34 });
    expect(got.escalationReason).toContain('feature F-12, issue #34');
  });

  it('error is taken as runtime_error, as a hint that does not win', () => {
    const got = diagnose({
      output: 'src/a.ts(3,5): error TS2304: Cannot find name',
      failureTypeHint: 'error',
    });
    expect(got.failureType).toBe('build_failure');
    expect(got.hypotheses[0]?.cause).toContain('runtime_error');
  });

  it('the step that was judged is named', () => {
    const output =
      '$ make lint\na.md:3: Line longer than 80 characters.\nThe command "make lint" exited with 1.\n';
    expect(diagnose({ output }).step).toBe('make lint');
    expect(diagnose({ output: 'error: no' }).step).toBeUndefined();
  });
});

describe('a checker that lists what it looked at and then what is wrong', () => {
  const LOOKED_AT = [
    'Pages',
    '  1. https://docs.example/start',
    '  2. https://docs.example/end',
    '  3. https://docs.example/faq',
  ];
  const ALLOWED = ['> Allowed', '  1. https://old.example connection timed out', ''];

  it('is told by the first item of the list that is announced as wrong, however short that list is', () => {
    const output = [
      ...LOOKED_AT,
      ...ALLOWED,
      'Issues :-(',
      '> Pages',
      '  1. 404 https://docs.example/faq',
      '',
    ].join('\n');
    const got = diagnose({ output, exitCode: 1, command: 'link-check README.md' });
    expect(got.evidence[0]?.text).toBe('  1. 404 https://docs.example/faq');
    expect(got.failureType).not.toBe('network_failure');
  });

  it('and lists nothing as wrong where it says that there are no issues', () => {
    const output = [...LOOKED_AT, ...ALLOWED, 'No issues :-)', '  1. written to report.json', ''].join('\n');
    expect(diagnose({ output, exitCode: 0, command: 'link-check README.md' }).failureType).toBe('success');
  });

  it('steps of advice below a problem are not findings', () => {
    const output = [
      'error: the lock file is out of date',
      'To mend it:',
      '  1. run the installer',
      '  2. commit the file',
    ].join('\n');
    expect(diagnose({ output, exitCode: 1 }).evidence[0]?.text).toBe('error: the lock file is out of date');
  });
});

describe('what a runner prints around a failure is not its cause', () => {
  it('the footer of a tool result that lists no error', () => {
    const output = [
      '2/3 Test #2: frame ......   Passed    0.01 sec',
      '3/3 Test #3: loopback ...***Failed    0.02 sec',
      '',
      'The following tests FAILED:',
      '\t  3 - loopback (Failed)',
      'Errors while running CTest',
      'Error: (none)',
      'Exit Code: 8',
      'Signal: 0',
    ].join('\n');
    const got = diagnose({ output, command: 'ctest --test-dir build' });
    expect(got).toMatchObject({ failureType: 'test_failure' });
    expect(got.rootCause).toContain('loopback');
    expect(got.rootCause).not.toContain('(none)');
  });

  it('the banner above a failing test', () => {
    const output = [
      '_____________________________ test_follows_redirect ______________________',
      'async def functions are not natively supported.',
      '=========================== short test summary info ============================',
      'FAILED tests/test_fetch.py::test_follows_redirect - Failed: async def f...',
      '========================= 1 failed, 18 passed in 0.48s =========================',
    ].join('\n');
    const got = diagnose({ output, exitCode: 1, command: 'uv run pytest' });
    expect(got.failureType).toBe('test_failure');
    expect(got.rootCause).not.toContain('____');
  });

  it('a variable that is set, to the wrong thing, is not called unset', () => {
    const got = diagnose({ output: 'Error: JAVA_HOME is not defined correctly.', exitCode: 1 });
    expect(got.failureType).toBe('environment');
    expect(got.rootCause).not.toContain('is not set');
  });

  it('a package that a file of the same name hides is not called uninstalled', () => {
    const output = "ModuleNotFoundError: No module named 'email.parser'; 'email' is not a package";
    const got = diagnose({ output, exitCode: 1, command: 'python tools/cli.py' });
    expect(got.failureType).toBe('runtime_error');
    expect(got.rootCause).toContain("'email' is not a package");
  });
});

describe('what ends a program, and what a service answers', () => {
  it('a crash after running out of something is named by what ran out', () => {
    const output = 'OutOfMemoryError: nothing of it is left';
    expect(diagnose({ output, exitCode: 134, command: './app' }).failureType).toBe('resource_exhausted');
  });

  it('a refusal by a service is no missing permission on this machine', () => {
    const output = 'Error: 403 no permission to use the batch endpoint';
    expect(diagnose({ output, exitCode: 1, command: './app' }).failureType).toBe('auth_failure');
  });
});
