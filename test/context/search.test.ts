import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lesson } from '../../src/context/lesson.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { storedLesson } from '../../src/supervise/lessons/lesson-index.ts';
import { aLesson } from './a-lesson.ts';

const LESSONS: readonly Lesson[] = (
  [
    [
      'redis',
      'Integration tests need a running redis',
      'Start it with docker compose up -d redis and wait for port 6379.',
      ['environment'],
      ['queue', 'cache'],
    ],
    [
      'postgres',
      'Migrations fail without the postgres extension',
      'Run create extension pgcrypto as superuser before migrating.',
      ['environment'],
      ['database'],
    ],
    [
      'lockfile',
      'Never regenerate package-lock.json',
      'The lock file is made by CI; npm ci is enough, npm install rewrites it.',
      ['build_failure'],
      ['npm'],
    ],
    [
      'node',
      'The build needs Node 24',
      'Older versions fail with a syntax error in the type stripping loader; use nvm use 24.',
      ['environment'],
      [],
    ],
    [
      'left-pad',
      'left-pad is vendored',
      'Import it from vendor/left-pad; it is not on the registry.',
      ['missing_dependency'],
      [],
    ],
    [
      'snapshot',
      'Snapshot tests differ on macOS',
      'Update snapshots only on Linux: fonts have other widths.',
      ['test_failure'],
      ['screenshots'],
    ],
    [
      'timezone',
      'Dates are compared in UTC',
      'Set TZ=UTC for the test run, otherwise the calendar tests fail in winter.',
      ['test_failure'],
      [],
    ],
    [
      'auth',
      'The sandbox token expires every night',
      'Ask ops for a new token; do not store it in the repository.',
      ['auth_failure'],
      ['login'],
    ],
    [
      'certificate',
      'The internal registry has its own certificate',
      'Point NODE_EXTRA_CA_CERTS at certs/internal.pem.',
      ['network_failure'],
      ['tls', 'ssl'],
    ],
    [
      'memory',
      'The bundler needs 4 GB of memory',
      'Raise --max-old-space-size, otherwise it is killed.',
      ['resource_exhausted'],
      [],
    ],
    [
      'port',
      'Port 3000 is taken on the build host',
      'Use PORT=0 and read the real one from the log.',
      ['environment'],
      ['EADDRINUSE'],
    ],
    [
      'prompt',
      'The deploy script asks for confirmation',
      'Give it --yes; without a terminal it waits for ever.',
      ['waiting_for_input'],
      [],
    ],
  ] as const
).map(([id, title, guidance, classes, words]) =>
  aLesson({ id, title, guidance, classes: [...classes], words: [...words] }),
);

/** Questions as people and agents write them, and the lesson that should come first. */
const QUERIES: readonly (readonly [string, string])[] = [
  ['redis', 'redis'],
  ['ECONNREFUSED 127.0.0.1:6379', 'redis'],
  ['integration tests need a queue', 'redis'],
  ['postgres extension missing', 'postgres'],
  ['pgcrypto', 'postgres'],
  ['should I run npm install?', 'lockfile'],
  ['package-lock.json changed', 'lockfile'],
  ['which node version', 'node'],
  ['syntax error in loader, nvm', 'node'],
  ["Cannot find module 'left-pad'", 'left-pad'],
  ['snapshots on mac', 'snapshot'],
  ['screenshot widths differ', 'snapshot'],
  ['calendar test fails time zone UTC', 'timezone'],
  ['login token expired', 'auth'],
  ['self signed certificate in chain', 'certificate'],
  ['ssl error registry', 'certificate'],
  ['javascript heap out of memory', 'memory'],
  ['EADDRINUSE', 'port'],
  ['deploy waits for confirmation', 'prompt'],
];

const folder = mkdtempSync(join(tmpdir(), 'mayday-search-'));
let record: RunRecord;
beforeAll(async () => {
  record = await openSqliteRecord({ path: join(folder, 'record.db') });
  await record.saveLessons(
    LESSONS.map((lesson) => storedLesson('/repo', lesson, { origin: 'file', stamp: '', at: 1 })),
  );
});
afterAll(async () => {
  await record.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a question', () => {
  const find = async (text: string) =>
    (await record.searchLessons({ text, repository: '/repo', limit: 3 })).map(({ id }) => id);

  it.each(QUERIES)('%s: has its lesson among the first three', async (text, wanted) => {
    expect(await find(text)).toContain(wanted);
  });

  it('finds its lesson at the very top, all but one', async () => {
    const first = await Promise.all(QUERIES.map(async ([text, wanted]) => (await find(text))[0] === wanted));
    expect(first.filter(Boolean).length).toBeGreaterThanOrEqual(QUERIES.length - 1);
  });

  it('about nothing here finds nothing', async () => {
    expect(await record.searchLessons({ text: 'kubernetes operator helm' })).toEqual([]);
  });
});
