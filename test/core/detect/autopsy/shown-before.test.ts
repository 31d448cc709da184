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

  test('is told as no work of this run', () => {
    const { cause, next } = told('Write an export to CSV.', [], red, 'csv/export.go');
    expect(cause).toContain('TestZoneTable was red before the first edit (call 1; the first edit is call 2)');
    expect(next).toContain('Do not edit for it');
  });

  test('is not told so where the task is to mend it, or the edits are about it', () => {
    expect(told('Fix the tests.', [], red, 'csv/export.go').cause).not.toContain('red before');
    expect(told('Sort the zones; TestZoneTable says how.', [], red, 'csv/e.go').cause).not.toContain(
      'red before',
    );
    expect(told('Write an export.', [], red, 'zone/zone_test.go').cause).not.toContain('red before');
  });
});

describe('a failure of Gradle', () => {
  const wrong = (reason: string) =>
    failedCall(
      './gradlew build',
      `FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:check'.\n> ${reason}\n  Go to the documentation to learn how to <a href="d.test/x">Fix it</a>.\n\nBUILD FAILED in 4s`,
    );

  test('of another kind keeps its own words', () => {
    const { cause } = told('Build it.', [], wrong('Signing key release is blank'), 'app/build.gradle');
    expect(cause).toContain('Signing key release is blank');
    expect(cause).not.toContain('Go to the documentation');
  });
});

describe('a port or a process that is in the way', () => {
  const server = call('npm run preview &\nsleep 2', 'preview on http://localhost:4173/');
  const busy = failedCall(
    'npx wdio run e2e.conf.ts',
    'Error: listen EADDRINUSE: address already in use :::4173',
  );
  const ofRun = 'of this run started and no later call ended, names the same';

  test('is told with the call of the run that started it and how to end it', () => {
    const { cause, next } = told('Add an e2e test.', [server], busy, 'e2e.conf.ts');
    expect(cause).toContain(`\`npm run preview\`, which call 1 ${ofRun} port, 4173`);
    expect(next).toContain('fuser -k 4173/tcp');
    const started = call('node watch.mjs > w.log 2>&1 &\necho pid $!', 'pid 3312');
    const held = failedCall('node load.mjs', 'Error: another process (3312) is writing stock.db');
    expect(told('Load.', [started], held, 'load.mjs').next).toContain('`kill 3312`');
  });

  test('is not told so once that was ended, or where nothing links the two', () => {
    const ended = call('fuser -k 4173/tcp', '4173/tcp: 99');
    expect(told('Add a test.', [server, ended], busy, 'e2e.conf.ts').cause).not.toContain(ofRun);
    const other = call('node docs.mjs > d.log 2>&1 &', 'serving notes on :7070');
    expect(told('Add a test.', [other], busy, 'e2e.conf.ts').cause).not.toContain(ofRun);
  });
});
