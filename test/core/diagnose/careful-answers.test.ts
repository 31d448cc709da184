import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

function told(lines: readonly string[], command = 'make check', exitCode = 1) {
  return diagnose({ output: lines.join('\n'), exitCode, command });
}

describe('a line that only announces is completed by what stands below it', () => {
  it('with the lines that stand further in, past what another job says', () => {
    const got = told(
      [
        'lib/Shape.hs:7:3: error:',
        '[3 of 9] Compiling Other',
        '    Variable not in scope: area',
        '[4 of 9] Compiling More',
      ],
      'cabal build',
    );
    expect(got.rootCause).toBe('Variable not in scope: area (lib/Shape.hs:7).');
  });

  it('with the error below the mark of a test', () => {
    const got = told(
      [
        '--- FAIL: TestRefund (0.02s)',
        '\tError Trace:\tshop_test.go:41',
        '\tError:      \tShould be false',
        'FAIL',
      ],
      'go test ./...',
    );
    expect(got.rootCause).toBe('TestRefund: Should be false (shop_test.go:41).');
  });

  it('by its last part where a chain of messages is long', () => {
    const got = told(
      [
        `[ERROR] Failed to execute goal on project shop: ${'Could not resolve: '.repeat(14)}Could not find artifact com.acme:tax:jar:9.1 -> [Help 1]`,
      ],
      'mvn test',
    );
    expect(got.rootCause).toContain('Could not find artifact com.acme:tax:jar:9.1.');
  });
});

describe('the place is the one of the user', () => {
  it('rows below the name of a file belong to that file', () => {
    const got = told(
      ['styles/page.css', ' 12:3  ✖  Unexpected empty block  block-no-empty'],
      'checkcss styles',
    );
    expect(got.rootCause).toContain('(styles/page.css:12)');
  });

  it('a place in words is a place, and the first of several is told', () => {
    const got = told(
      ['app.js: line 3, col 7, Missing semicolon.', 'app.js: line 9, col 1, Unrecoverable syntax error.'],
      'checkjs app.js',
    );
    expect(got.rootCause).toBe('Missing semicolon (app.js:3).');
  });

  it('a severity and a place alone announce what stands below', () => {
    const got = told(
      ['page.css', '1: error at line 4, col 2', 'Expected a bracket at line 4, col 2.', '.a{ top: 1px'],
      'checkcss page.css',
    );
    expect(got.rootCause).toBe('Expected a bracket at line 4, col 2 (page.css:4).');
  });

  it('the line that the message tells counts, not the one of the next message', () => {
    const got = told(
      [
        'Error: Parse error on line 31:',
        '...some text',
        '---^',
        'docs/guide.md:9: R003 Begin with a capital letter',
      ],
      'checkdocs',
    );
    expect(got.rootCause).toBe('Parse error on line 31 (docs/guide.md:31).');
  });

  it('the traceback of an unknown language names it', () => {
    const got = told(
      ['/srv/app/main.nim(8) main', 'Error: unhandled exception: value out of range [RangeDefect]'],
      './main',
    );
    expect(got.rootCause).toContain('(/srv/app/main.nim:8)');
  });

  it('the name of the test and its brackets count, installed packages do not', () => {
    const got = told(
      [
        'Failure:',
        'TestCart#test_total [/srv/shop/test/cart_test.rb:19]',
        'Minitest::Assertion: Expected false to be truthy.',
        '/home/dev/.rvm/gems/ruby-3.1/gems/bundler-2.3/lib/bundler/cli/exec.rb:58:in `load`',
        '4 tests, 9 assertions, 1 failures, 0 errors, 0 skips',
      ],
      'rake test',
    );
    expect(got.rootCause).toBe(
      'TestCart#test_total expects the value to be truthy, but it is false (/srv/shop/test/cart_test.rb:19).',
    );
  });

  it('a full disk has none', () => {
    const got = told(
      ['java.io.IOException: No space left on device', '\tat com.tool.Writer.put(Writer.java:88)'],
      'gen',
    );
    expect(got.rootCause).not.toContain('Writer.java');
    expect(got.humanInstructions).toContain('df -h');
  });

  it('a port is no row', () => {
    const got = told(
      ['Issues:', '1. 301 old.example.co:443 moved', '2. 404 http://gone.example.co/x'],
      'checklinks README.md',
    );
    expect(got.rootCause).not.toContain('(old.example.co:443)');
  });
});

describe('the fix is what is known, and nothing else', () => {
  it('a request of the script at its end is the cause', () => {
    const got = told(
      ['building', 'Please regenerate the schema and commit the result.', '3 files written', 'bye', 'x y'],
      './ci/check-schema',
    );
    expect(got.rootCause).toContain('Please regenerate the schema and commit the result.');
    expect(got.rootCause).not.toContain('no line');
  });

  it('a service of this machine that is not there is started, not waited for', () => {
    const plan = (place: string) => told([`Error: connect ECONNREFUSED ${place}`], 'npm test').recoveryPlan;
    expect(plan('127.0.0.1:9000')).toContain('Start what should listen at 127.0.0.1:9000');
    expect(plan('10.0.0.7:9000')).toContain('Wait and try again');
  });

  it('a module that is asked for and not installed comes before the task that it should have brought', () => {
    const got = told(
      [
        '>> Local module "task-minify" not found. Is it installed?',
        'Warning: Task "minify" not found.',
        '',
        'Aborted due to warnings.',
      ],
      'runner',
      3,
    );
    expect(got.failureType).toBe('missing_dependency');
    expect(got.humanInstructions).toContain('Install task-minify');
  });
});

describe('no filler', () => {
  it('lines that tell nothing of the failure are no evidence', () => {
    const got = told(['Welcome to widget 3', 'reading plan', 'step one', 'step two', 'step three'], 'widget');
    expect(got.evidence).toEqual([]);
    expect(got.rootCause).toContain('no line of its output names a cause');
  });

  it('an address alone and a line of progress are no statements', () => {
    for (const line of [
      '[Help 1] http://wiki.example.org/DependencyResolutionException',
      "Cloning into 'team/submodule'...",
    ])
      expect(told(['reading', 'one', 'two', 'three', line], 'widget').evidence[0]?.text).not.toBe(line);
  });

  it('a complaint about a place comes before the count and the mark that close the run', () => {
    const got = told(
      [
        '(docs/a.yml): found a tab that cannot start a token at line 3 column 2',
        'FAILURE!!! 1 files are bad',
        'rake aborted!',
        'Failed 1 tests!!',
      ],
      'rake test',
    );
    expect(got.evidence[0]?.text).toContain('docs/a.yml');
  });

  it('empty messages and mere warnings do not stand beside an error', () => {
    const got = told(
      ['[ERROR] src/A.java:[3,1] class expected', '[ERROR] ', '[WARNING] src/B.java:[9,1] deprecated'],
      'mvn compile',
    );
    expect(got.evidence.map(({ text }) => text)).toEqual(['[ERROR] src/A.java:[3,1] class expected']);
  });
});

describe('an error of the operating system tells its class in any program', () => {
  it.each([
    ['WidgetError: cannot save [Errno 27] too big', 'resource_exhausted'],
    ['widget: fatal: os error 113', 'network_failure'],
  ])('%s', (line, failureClass) => {
    expect(told([line], 'widget').failureType).toBe(failureClass);
  });
});

describe('what stands elsewhere than in the failing line is used', () => {
  it('no remark of a package that passed', () => {
    const got = told(
      [
        '\tcopy_test.go:87: /home/ci/.copy/one two three',
        'ok  \tshop/copy\t0.2s',
        ...Array.from({ length: 100 }, (_, at) => `step ${at} of the other package`),
        '--- FAIL: TestRefund (0.02s)',
        '\tshop_test.go:41: refund is 3, want 4',
        'FAIL',
      ],
      'go test ./...',
    );
    expect(got.evidence.map(({ text }) => text).join()).not.toContain('copy_test.go');
  });
});

it.each(['ExpectError', 'expectError'])('what %s of a test compares is no trouble from outside', (name) => {
  const got = told(['FAIL test/client.test.js', `${name}: rate limit exceeded, try again later`], 'npm test');
  expect(got.failureType).toBe('test_failure');
});
