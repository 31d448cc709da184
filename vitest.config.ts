import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { changedSinceMain, concerns, sampled } from './test/lane.ts';
import { LongestFirst } from './test/longest-first.ts';

// Every process that a test starts finds compiled what an earlier one compiled: 0.8 s less for a keeper, 0.15 s for an attendant.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/mayday-compiled');
process.env['MAYDAY_TEST_SEED'] ??= String(1 + Math.floor(Math.random() * 1e6));
const playsAll = process.env['MAYDAY_TEST_ALL'] === '1';

/** Data in, data out: no process, no file that another test sees. These share their workers. */
const PURE = ['test/core/**', 'test/simulation/**', 'test/architecture/**', 'test/report/**'].map(
  (folder) => `${folder}/*.test.ts`,
);
/** What a stranger tries first: played every time. */
const ALWAYS = ['exit-codes', 'new-tests', 'signs-of-life', 'unsaved-work'];
/** Files with real processes and real seconds, each about one more place: `npm test` draws one of each `of`, CI plays all. */
const DRAWN = [
  { of: 14, files: ['e2e/*', 'drills/{judging,limit,many-runs,rescuer-harm,storm}', 'docs/{demo,removal}'] },
  {
    of: 4,
    files: [
      'act/{checkpoint,checks,compose,deliver}/*',
      'supervise/{forged-*,prove-again}',
      'platform/container/*',
    ],
  },
  {
    of: 4,
    files: [
      'cli/{learn,look}/*',
      'http/desk-*',
      'agents/recovery/*',
      'forgeries/{as-*,defences}',
      '{library,use-cases}/*',
    ],
  },
];
/** What a change is about is played whole. */
const changed = changedSinceMain(import.meta.dirname);
const notDrawn = playsAll ? [] : DRAWN.flatMap(leftOut);
const LONG = playsAll ? [] : ['test/**/*.long.test.ts', ...notDrawn];
process.env['MAYDAY_TEST_CHOICE'] =
  `${notDrawn.length} files with real processes left out, none that is about the ${changed.length} files changed since main`;

function leftOut({ of, files }: (typeof DRAWN)[number]): readonly string[] {
  // Asked for by name, a file is played whatever was drawn.
  if (process.argv.some((word) => word.startsWith('test/'))) return [];
  const found = globSync(
    files.map((file) => `test/${file}.test.ts`),
    { cwd: import.meta.dirname },
  )
    .filter((file) => !ALWAYS.some((name) => file === `test/e2e/${name}.test.ts`) && !file.includes('.long.'))
    .toSorted();
  const drawn = sampled(found, Math.ceil(found.length / of), Number(process.env['MAYDAY_TEST_SEED']));
  return found.filter((file) => !drawn.includes(file) && !concerns(file, changed));
}

export default defineConfig({
  test: {
    // Real processes and git: generous limits, few workers, no shared state.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A shared CI machine gets one second look, which is printed; at a desk a flaky test is a red test.
    retry: process.env['CI'] ? 1 : 0,
    // One more than the cores of a small machine: most of these tests wait for processes of theirs.
    maxWorkers: 3,
    // Drills mostly wait; more at once disturb each other on two cores.
    maxConcurrency: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/summary-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, exclude: LONG, isolate: false } },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...LONG],
          globalSetup: ['test/bundle-mayday.ts'],
        },
      },
    ],
  },
});
