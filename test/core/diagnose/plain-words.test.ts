import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

function told(lines: readonly string[], command = 'make check', exitCode = 1) {
  return diagnose({ output: lines.join('\n'), exitCode, command });
}

describe('several findings', () => {
  it('a single error is corrected; nothing is said of others', () => {
    const got = told(['a.c:3:9: error: ‘total’ undeclared (first use in this function)'], 'make');
    expect(got.recoveryPlan).toBe('Correct the error at a.c:3, then run `make` again.');
  });

  it('independent ones are all told and all corrected', () => {
    const got = told(
      ['a.js: line 1, col 4, Missing semicolon.', "a.js: line 7, col 2, Unmatched '{'.", '2 errors'],
      'jshint a.js',
    );
    expect(got.rootCause).toBe("Missing semicolon (a.js:1); also Unmatched '{' (a.js:7).");
    expect(got.recoveryPlan).toBe(
      'Correct the error at a.js:1, and likewise a.js:7, then run `jshint a.js` again.',
    );
  });

  it('what may follow from an unknown name is told as such', () => {
    const got = told(
      [
        'src/a.c:2:1: error: unknown type name ‘cart’',
        'src/a.c:9:5: error: request for member ‘sum’ in something not a structure',
      ],
      'make',
    );
    expect(got.recoveryPlan).toContain('src/a.c:9 may follow from it');
  });

  it('the same place told twice is one', () => {
    const line =
      '[ERROR] /srv/app/src/Cart.java:[12,9] incompatible types: int cannot be converted to String';
    expect(
      told(
        [line, '[ERROR] Failed to execute goal x:y:1:compile (c) on project z: Compilation failure', line],
        'mvn compile',
      ).rootCause,
    ).not.toContain('also');
  });

  it('a file that is not formatted is given to its formatter', () => {
    const got = told(
      [
        'eth/api.go:1: warning: file is not goimported (goimports)',
        'eth/log.go:1: warning: file is not gofmted with -s (gofmt)',
      ],
      'gometalinter ./...',
    );
    expect(got.recoveryPlan).toContain('Run goimports on eth/api.go');
    expect(got.recoveryPlan).toContain('eth/log.go:1');
  });

  it('the rows of a checker’s table belong to the file that heads it, with their second line', () => {
    const got = told(
      [
        ' ------ ------------------------------------- ',
        '  Line   src/Cart.php                         ',
        ' ------ ------------------------------------- ',
        '  31     Method Cart::sum() invoked with 2    ',
        '         parameters, 1 required.              ',
        ' ------ ------------------------------------- ',
        '',
        ' [ERROR] Found 1 error',
      ],
      'phpstan analyse',
    );
    expect(got.rootCause).toBe('Method Cart::sum() invoked with 2 parameters, 1 required (src/Cart.php:31).');
  });

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
      rootCause: 'The check wants this applied: the diff of docs/x.org.',
    });
    expect(got.recoveryPlan).toContain('Apply the diff that the output shows to docs/x.org');
  });

  it('files that git shows as changed are the cause of a request to commit them', () => {
    const got = told(
      ['Done.', ' M dist/app.js', ' M dist/app.min.js', 'Please rebuild the bundle and commit the changes.'],
      './ci/check',
    );
    expect(got.rootCause).toContain('dist/app.js and dist/app.min.js differ from what is committed');
    expect(got.recoveryPlan).not.toContain('rebuild the bundle and commit the changes. Please');
  });
});

describe('a failing test', () => {
  const go = (message: string, ...above: string[]) =>
    told(
      [
        ...above,
        '--- FAIL: TestGeo (0.1s)',
        '\tError Trace:\tgeo_test.go:26',
        '\tError:\t\tShould be true',
        message,
        'FAIL',
      ],
      'go test ./...',
    );

  it('says what its message adds', () => {
    expect(go('\tMessages:\tThe cart is empty').rootCause).toBe(
      'TestGeo: Should be true: The cart is empty (geo_test.go:26).',
    );
  });

  it('that asks a service is run again first', () => {
    const got = go('\tMessages:\tUnexpected response', 'GET http://lookup.cloudhost.net/198.51.100.1');
    expect(got.recoveryPlan).toContain(
      'First run `go test ./...` again: the test TestGeo asks lookup.cloudhost.net',
    );
    expect(got.recoveryPlan).not.toContain('correct the code');
    expect(go('\tMessages:\tUnexpected response', 'GET http://localhost:80/x').recoveryPlan).toContain(
      'correct the code',
    );
  });

  it('that waits is run again first', () => {
    const got = told(
      [
        '✗ releases_its_view, expected to eventually be nil, got <<MapView: 0x7fb451074800; frame = (0 0)>>',
        'Executed 5 tests, with 1 failure',
      ],
      'xcodebuild test',
    );
    expect(got.recoveryPlan).toContain('lengthen the wait');
    expect(got.rootCause).not.toContain('0x7fb');
    expect(got.rootCause).not.toContain('✗');
  });

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
    expect(got.recoveryPlan).toContain('another test');
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
    expect(got.rootCause).toContain('lubridate is not installed');
  });

  it('a source that is missing is no target', () => {
    const got = told(["scons: *** [x.o] Source `x.c' not found, needed by target `x.o'."], 'scons', 2);
    expect(got.rootCause).toBe(
      "A file that the build needs does not exist and no rule makes it: scons: [x.o] Source `x.c' not found, needed by target `x.o'.",
    );
    expect(got.recoveryPlan).toContain('Add x.c');
  });

  it('what was waited for is looked at', () => {
    const got = told(['Error: Timed out waiting for: tcp:127.0.0.1:5432'], 'wait-on tcp:127.0.0.1:5432');
    expect(got.recoveryPlan).toContain('Look whether tcp:127.0.0.1:5432 is started');
  });

  it('a full disk, a file that is too large and a missing header have each their own fix', () => {
    expect(told(['OSError: [Errno 28] No space left on device'], 'x').humanInstructions).not.toContain(
      'file size',
    );
    expect(told(['cp: error writing big: File too large'], 'cp a b').humanInstructions).toContain(
      'ulimit -f',
    );
    expect(
      told(['ui.h:6:21: fatal error: termkey.h: No such file or directory', ' #include <termkey.h>'], 'make')
        .humanInstructions,
    ).toContain('development package that brings termkey.h');
  });

  it('the outer command that holds the lock is named', () => {
    const got = told(
      ['Failed to create/acquire the lock /srv/r/lock.exclusive (timeout).'],
      'borg with-lock r sh -c "borg --lock-wait 1 create r::x a"',
      2,
    );
    expect(got.rootCause).toContain(
      'The lock is held by the outer `borg with-lock r` of the same command line',
    );
    expect(got.recoveryPlan).toContain('waiting cannot help');
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
    expect(got.rootCause).toBe('a.c was changed on both sides and hg cannot merge it.');
    expect(got.humanInstructions).toContain('hg resolve --mark');
    expect(got.humanInstructions).not.toContain('git');
  });
});
