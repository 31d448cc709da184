import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

function told(lines: readonly string[], command = 'make check', exitCode = 1) {
  return diagnose({ output: lines.join('\n'), exitCode, command });
}

describe('several findings', () => {
  it('a diff that is to be applied names its file', () => {
    const got = told(
      [
        'PLEASE APPLY CHANGES BELOW:',
        '=====',
        'diff --git a/docs/x.org b/docs/x.org',
        'index 1..2 100644',
        '-',
        '+a',
      ],
      './check.sh',
    );
    expect(got).toMatchObject({
      failureType: 'build_failure',
      rootCause: 'the diff of docs/x.org.',
    });
  });
});

describe('a failing test', () => {
  it('tells the values below the source of its assertion, and the line that failed', () => {
    const source = Array.from({ length: 16 }, (_, index) => `         step_${index}()`);
    const got = told(
      [
        '  1) test logs nothing when it is sent (Shop.LogTest)',
        '     test/log_test.exs:40',
        '     Assertion with == failed',
        '     code:  assert capture_log(fn ->',
        ...source,
        '            end) == ""',
        '     left:  "\\n21:37:31.096 [warn]  no configuration found for Other"',
        '     right: ""',
        '     stacktrace:',
        '       test/log_test.exs:43: (test)',
        '',
        '3 tests, 1 failure',
      ],
      'mix test',
    );
    expect(got.rootCause).toContain(
      'logs nothing when it is sent (Shop.LogTest) expects the value to be "", but it is',
    );
    expect(got.rootCause).toContain('(test/log_test.exs:43)');
    expect(got.recoveryPlan).not.toContain('test test');
  });
});

describe('the first words are true of what they quote', () => {
  it('a connection that is not made in time is the network', () => {
    const got = told(
      ['t/https.t ........ Connection error: Connect timeout at t/https.t line 17.'],
      'prove t',
    );
    expect(got.failureType).toBe('network_failure');
    expect(got.rootCause).toBe('t/https.t: Connection error: Connect timeout at t/https.t line 17.');
  });

  it('a package that is declared and not there is not called one that cannot be fetched', () => {
    const got = told(
      ['* checking package dependencies ... ERROR', 'Package required but not available: ‘lubridate’'],
      'R CMD check x',
    );
    expect(got.rootCause).toContain('‘lubridate’');
  });

  it('a source that is missing is no target', () => {
    const got = told(["scons: *** [x.o] Source `x.c' not found, needed by target `x.o'."], 'scons', 2);
    expect(got.rootCause).toBe("scons: [x.o] Source `x.c' not found, needed by target `x.o'.");
  });

  it('a download that failed before is named where something is missing', () => {
    const got = told(
      [
        'curl: (60) server certificate verification failed. CAfile: /etc/ssl/certs/ca-certificates.crt',
        'going on',
        '[ERROR] Failed to execute goal on project shop: Could not find artifact com.acme:tax:jar:9-SNAPSHOT',
      ],
      'sh build.sh',
    );
    expect(`${got.rootCause} ${got.humanInstructions}`).toContain('certificate');
  });

  it('a conflict of Mercurial is not resolved with git', () => {
    const got = told(
      [
        'merging a.c',
        "warning: conflicts while merging a.c! (edit, then use 'hg resolve --mark')",
        "use 'hg resolve' to retry unresolved file merges",
      ],
      'hg merge',
    );
    expect(got.rootCause).toBe('a.c was changed on both sides.');
  });
});
