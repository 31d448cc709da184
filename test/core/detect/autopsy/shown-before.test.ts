/** A failure that stays while the agent edits, where an earlier call of the record shows what it comes from: each told, and left alone. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

function told(task: string, before: readonly Part[], red: Part, path: string) {
  const rounds = Array.from({ length: 6 }, (_, n) => [edit(path, `step${n}`, `step${n + 1}`), red]).flat();
  const entries = transcript([{ say: task, role: 'person' }, ...before, red, ...rounds]);
  const found = autopsy('x', entries, diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '' };
}

const read = (path: string, text: string) => call(JSON.stringify({ file_path: path }), text, 'Read');

describe('a lock or a port that is held', () => {
  const red = failedCall('node load.mjs', 'Error: SQLITE_BUSY: stock.db is locked by another process');
  const started = call('node watch.mjs --db stock.db > w.log 2>&1 &\necho pid $!', 'pid 3312');

  test('by a process of the run itself is told with its call and how to end it', () => {
    const { cause, next } = told('Load the stock.', [started], red, 'load.mjs');
    expect(cause).toContain('stock.db is held by `node watch.mjs --db stock.db`, which call 1 of this run');
    expect(next).toContain('`kill 3312`');
    expect(next).toContain('then run `node load.mjs` once');
  });

  test('is not told so once that was ended, or where nothing links the two', () => {
    expect(told('Load.', [started, call('kill 3312', '')], red, 'load.mjs').cause).not.toContain(
      'is held by',
    );
    const other = call('node docs.mjs --dir notes.d > d.log 2>&1 &', 'serving notes on :7070');
    expect(told('Load.', [other], red, 'load.mjs').cause).not.toContain('is held by');
  });

  test('by its own server is told by the port', () => {
    const server = call('npm run preview &\nsleep 2', 'preview on http://localhost:4173/');
    const busy = failedCall(
      'npx wdio run e2e.conf.ts',
      'Error: listen EADDRINUSE: address already in use :::4173',
    );
    const { cause, next } = told('Add an e2e test.', [server], busy, 'e2e.conf.ts');
    expect(cause).toContain('4173 is held by `npm run preview`');
    expect(next).toContain('fuser -k 4173/tcp');
  });
});

describe('a port on which nothing listens', () => {
  const red = failedCall(
    'mix test',
    '** (Postgrex.Error) tcp connect (localhost:5432): connection refused - :econnrefused',
  );
  const settings = read('config/test.exs', 'config :app, Repo,\n  port: 5432,\n  hostname: "localhost"');

  test('is told with the port that the record shows and the line that asks for the other', () => {
    const ps = call('docker ps', 'NAMES  PORTS\ndb     0.0.0.0:5544->5432/tcp');
    const { cause, next } = told('Get the tests to run.', [settings, ps], red, 'lib/repo.ex');
    expect(cause).toContain('listens on 5544');
    expect(next).toContain('Change 5432 to 5544 in config/test.exs, line 2: `port: 5432,`');
  });

  test('is not told so where the record shows no other, or two others', () => {
    expect(told('Go.', [settings], red, 'lib/repo.ex').cause).not.toContain('listens on');
    const two = call('cat logs', 'api listening on 8081\nweb listening on 8082');
    expect(told('Go.', [settings, two], red, 'lib/repo.ex').cause).not.toContain('listens on');
  });
});

describe('two values of one key', () => {
  const red = failedCall('./deploy.sh', 'error: unknown queue mails-v1');
  const one = read('worker/settings.ini', '[worker]\nqueue = mails-v1');
  const other = read('broker/queues.conf', 'durable = yes\nqueue = mails-v2');

  test('are told where the failure names one of them', () => {
    const { cause, next } = told('Deploy it.', [one, other], red, 'deploy.sh');
    expect(cause).toContain('two values of `queue` do not agree: worker/settings.ini, line 2');
    expect(next).toContain('queue in worker/settings.ini, line 2 from mails-v1 to mails-v2');
  });

  test('are not told where the failure names neither, or both are in one file', () => {
    const vague = failedCall('./deploy.sh', 'error: the worker did not come up');
    expect(told('Deploy it.', [one, other], vague, 'deploy.sh').cause).not.toContain('two values');
    const same = read('all.ini', 'queue = mails-v1\n[b]\nqueue = mails-v2');
    expect(told('Deploy it.', [same], red, 'deploy.sh').cause).not.toContain('two values');
  });
});

describe('what an earlier call showed to be empty', () => {
  const red = failedCall(
    'make site',
    'mkdocs build -t themes/corp\nERROR: theme has no templates\nmake: *** [Makefile:3: site] Error 1',
  );

  test('is told as the cause, with the command that the project names for it', () => {
    const readme = call('cat README.md', 'Fetch the theme with `./bin/theme pull` before the first build.');
    const { cause, next } = told('Build the site.', [call('ls themes/corp', ''), readme], red, 'mkdocs.yml');
    expect(cause).toContain('themes/corp is empty (`ls themes/corp`, call 1), and `make site` names it');
    expect(next).toContain('run `./bin/theme pull`');
  });

  test('is told as a submodule where the record shows one', () => {
    const modules = call(
      'ls -l themes/corp; cat .gitmodules',
      'total 0\n[submodule "t"]\n\tpath = themes/corp',
    );
    expect(told('Build it.', [modules], red, 'mkdocs.yml').next).toContain(
      'git submodule update --init themes/corp',
    );
  });

  test('is not told once something was put there, or where the failure has nothing to do with it', () => {
    const filled = [call('ls themes/corp', ''), call('cp -r /opt/theme/. themes/corp', '')];
    expect(told('Build it.', filled, red, 'mkdocs.yml').cause).not.toContain('is empty');
    expect(told('Build it.', [call('ls assets/old', '')], red, 'mkdocs.yml').cause).not.toContain('is empty');
    const part = call("find themes/corp -name '*.psd'", '');
    expect(told('Build it.', [part], red, 'mkdocs.yml').cause).not.toContain('is empty');
  });
});

describe('what has expired', () => {
  const red = failedCall(
    'cargo test login',
    'thread panicked: InvalidToken: token expired\ntest login ... FAILED',
  );

  test('is told with its date and its place', () => {
    const fixture = read('tests/session.toml', 'user = "kim"\nexpires_at = "2021-04-30T00:00:00Z"');
    const { cause, next } = told('Mend the login.', [fixture], red, 'src/login.rs');
    expect(cause).toContain('it may have expired on 2021-04-30 (tests/session.toml, line 2');
    expect(next).toContain('let the clock stand before 2021-04-30');
  });

  test('is not told so where the record shows no date', () => {
    const fixture = read('tests/session.toml', 'user = "kim"\nexpires_at = "in 30 days"');
    expect(told('Mend it.', [fixture], red, 'src/login.rs').cause).not.toContain('expired on');
  });
});

describe('a version that does not fit', () => {
  test('is told with both versions and the line that asks for one', () => {
    const red = failedCall(
      'yarn build',
      'error demo@1.0.0: The engine "node" is incompatible. Expected version ">=20.11". Got "18.19.1"',
    );
    const { cause, next } = told(
      'Build it.',
      [read('package.json', '{\n "engines": { "node": ">=20.11" }\n}')],
      red,
      'src/a.ts',
    );
    expect(cause).toContain('20.11 is asked for and 18.19.1 is there');
    expect(next).toContain('Let `yarn build` run with 20.11');
    expect(next).toContain('package.json, line 2');
  });

  test('is not seen in a comparison of values', () => {
    const red = failedCall('pytest t.py', 'E   AssertionError: expected 2.5 but got 3.5');
    expect(told('Mend it.', [], red, 'a.py').cause).not.toContain('is asked for');
  });
});

describe('a test that was red before the first edit', () => {
  const red = failedCall(
    'go test ./...',
    '--- FAIL: TestZoneTable (0.00s)\n    zone_test.go:9: got 3, want 4\nFAIL\tcal/zone\nok  \tcal/csv\t0.1s',
  );

  test('is told as no work of this run, with the run that leaves it out', () => {
    const { cause, next } = told('Write an export to CSV.', [], red, 'csv/export.go');
    expect(cause).toContain('TestZoneTable was red before the first edit (call 1; the first edit is call 2)');
    expect(next).toContain("`go test ./... -skip '^TestZoneTable$'`");
  });

  test('is not told so where the task is to mend it, or the edits are about it', () => {
    expect(told('Fix the tests.', [], red, 'csv/export.go').cause).not.toContain('red before');
    expect(told('Sort the zones; TestZoneTable says how.', [], red, 'csv/e.go').cause).not.toContain(
      'red before',
    );
    expect(told('Write an export.', [], red, 'zone/zone_test.go').cause).not.toContain('red before');
  });
});

describe('a call in the wrong folder', () => {
  const red = failedCall('yarn e2e', 'error Command "e2e" not found.');

  test('is told with the folder that has what it asks for', () => {
    const manifest = read(
      '/w/apps/shop/package.json',
      '     3→  "scripts": {\n     4→    "e2e": "cypress run"',
    );
    const { cause, next } = told('Write a test.', [manifest], red, '/w/apps/shop/cypress/a.cy.ts');
    expect(cause).toContain('"e2e" stands in /w/apps/shop/package.json');
    expect(next).toContain('`cd /w/apps/shop && yarn e2e`');
  });

  test('is not told so where no folder has it', () => {
    const manifest = read('/w/apps/shop/package.json', '     3→  "scripts": {\n     4→    "unit": "vitest"');
    expect(told('Write a test.', [manifest], red, '/w/a.ts').cause).not.toContain('stands in');
  });
});

describe('a failure of Gradle', () => {
  const wrong = (reason: string) =>
    failedCall(
      './gradlew build',
      `FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:check'.\n> ${reason}\n  Go to the documentation to learn how to <a href="d.test/x">Fix it</a>.\n\nBUILD FAILED in 4s`,
    );

  test('is told by its reason and not by the link below; a class that is brought twice names both', () => {
    const twice = wrong(
      'Duplicate class a.b.Future found in modules core-2.0 (org.x:core:2.0) and future-1.0 (org.x:future:1.0)',
    );
    const { cause, next } = told(
      'Build it.',
      [read('app/build.gradle', 'implementation "org.x:core:2.0"')],
      twice,
      'app/build.gradle',
    );
    expect(cause).toContain('a.b.Future is brought twice, by core-2.0 (org.x:core:2.0) and by future-1.0');
    expect(next).toContain("exclude group: 'org.x', module: 'future'");
  });

  test('of another kind keeps its own words', () => {
    const { cause } = told('Build it.', [], wrong('Signing key release is blank'), 'app/build.gradle');
    expect(cause).toContain('Signing key release is blank');
    expect(cause).not.toContain('Go to the documentation');
    expect(cause).not.toContain('brought twice');
  });
});

describe('a variable that the failing call does not have', () => {
  const red = failedCall('php bin/sync', 'RuntimeException: FEED_TOKEN is not set');

  test('is told with the call of its own that set it', () => {
    const { cause } = told('Sync it.', [call('export FEED_TOKEN=abc', '')], red, 'src/Sync.php');
    expect(cause).toContain('each call has a shell of its own');
  });

  test('is told with the file that has it and the call that loads it', () => {
    const { cause, next } = told(
      'Sync it.',
      [call('cat .env.local', 'A=1\nFEED_TOKEN=abc')],
      red,
      'src/Sync.php',
    );
    expect(cause).toContain('it is set in .env.local, line 2');
    expect(next).toContain('`set -a; . ./.env.local; set +a; php bin/sync`');
  });

  test('is not told so where no file sets it', () => {
    const { cause } = told('Sync it.', [call('cat .env.local', 'A=1\nFEED_URL=x')], red, 'src/Sync.php');
    expect(cause).not.toContain('it is set in');
  });
});
