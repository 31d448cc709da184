/**
 * How fast lessons are matched and reports are made: `node scripts/bench-context.ts [LESSONS] [RUNS]`.
 * Matching is measured warm, as a keeper does it for every brief, and once more with everything around it: the folder,
 * the record, the ledger.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contextPacket } from '../src/context/context-packet.ts';
import { Lesson, lessonHash } from '../src/context/lesson.ts';
import { renderLessonFile } from '../src/context/lesson-file.ts';
import { contextFolder } from '../src/context/read-lessons.ts';
import { writeRunMetrics } from '../src/core/view/metrics-code.ts';
import { openSqliteRecord } from '../src/record/sqlite/open.ts';
import { buildReport } from '../src/report/build-report.ts';
import { openLessonIndex } from '../src/supervise/lessons/lesson-index.ts';
import { seededRuns } from '../test/report/seeded-runs.ts';

const MATCH_GOAL_MS = 20;
const REPORT_GOAL_MS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const ROUNDS = 50;
const REPORT_ROUNDS = 3;
const CLASSES = ['test_failure', 'missing_dependency', 'environment', 'git_conflict', 'timeout'];

export interface ContextBench {
  /** CPU time, median over the rounds. */
  readonly matchMs: number;
  /** Bringing the whole folder up to date when nothing changed. */
  readonly indexMs: number;
  readonly searchMs: number;
  readonly reportMs: number;
}

export async function benchContext(lessons: number, runs: number): Promise<ContextBench> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-context-'));
  const record = await openSqliteRecord({ path: join(folder, 'record.db') });
  try {
    const all = Array.from({ length: lessons }, (_, index) => aLesson(index));
    mkdirSync(contextFolder(folder), { recursive: true });
    for (const lesson of all)
      writeFileSync(join(contextFolder(folder), `${lesson.id}.md`), renderLessonFile(lesson));
    const place = { home: folder, record };
    await openLessonIndex(place, folder, 1);
    const indexMs = await timed(async () => void (await openLessonIndex(place, folder, 2)));
    const searchMs = await timed(
      async () => void (await record.searchLessons({ text: 'the build of module 17 cannot find a package' })),
    );
    const now = Date.UTC(2026, 5, 1);
    await record.saveMetrics(
      seededRuns(runs, 1, now - 30 * DAY_MS, 30).map((run) => ({
        id: run.id,
        repository: run.repository,
        at: run.created,
        imported: false,
        body: writeRunMetrics(run),
      })),
    );
    const report = async () =>
      void (await buildReport(record, { from: now - 30 * DAY_MS, to: now, now, compare: true }));
    // The best of a few: neighbours on the machine only ever make it slower.
    let reportMs = Infinity;
    for (let round = 0; round < REPORT_ROUNDS; round += 1) reportMs = Math.min(reportMs, await timed(report));
    return { matchMs: matchMs(all), indexMs, searchMs, reportMs };
  } finally {
    await record.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function matchMs(all: readonly Lesson[]): number {
  const approved = all.map((lesson) => ({ lesson, hash: lessonHash(lesson), approvedBy: 'ann', worth: 0 }));
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const begun = process.threadCpuUsage();
    contextPacket(approved, {
      agent: 'claude',
      task: `make the tests of module ${round} pass and tidy src/part-${round}/index.ts ${'word '.repeat(400)}`,
      paths: [`src/part-${round}/**`, `src/part-${round}/a.ts`],
      commands: ['npm test', `node part-${round}.js`],
      incident: { class: 'test_failure', fingerprint: `test_failure-${round}`, cause: 'expected 1 to be 2' },
      seen: new Set([`environment-${round}`]),
    });
    return cpuMs(begun);
  });
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Infinity;
}

function aLesson(index: number): Lesson {
  const kind = CLASSES[index % CLASSES.length] ?? 'unknown';
  return Lesson.parse({
    id: `lesson-${index}`,
    title: `What to do about ${kind} in module ${index}`,
    guidance: `Module ${index} needs its package built first: run the build of part ${index % 90}, then the tests.`,
    classes: index % 3 === 0 ? [kind] : [],
    fingerprints: index % 3 === 1 ? [`${kind}-${index}`] : [],
    paths: index % 4 === 0 ? [`src/part-${index % 90}/**`] : [],
    words: index % 5 === 0 ? [`module ${index}`, 'tidy'] : [],
    agents: index % 7 === 0 ? ['claude', 'codex'] : [],
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  return cpuMs(begun);
}

/** All of it is computing on one thread: its CPU time is the wall clock of a machine that is not busy with others. */
function cpuMs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lessons = Number(process.argv[2] ?? 5_000);
  const runs = Number(process.argv[3] ?? 100_000);
  const { matchMs: match, indexMs, searchMs, reportMs } = await benchContext(lessons, runs);
  console.log(`matching ${lessons} lessons: ${match.toFixed(1)} ms (goal ${MATCH_GOAL_MS})`);
  console.log(
    `an unchanged folder of ${lessons} files: ${indexMs.toFixed(0)} ms, a search ${searchMs.toFixed(1)} ms`,
  );
  console.log(`report with comparison over ${runs} runs: ${reportMs.toFixed(0)} ms (goal ${REPORT_GOAL_MS})`);
  const met = match < MATCH_GOAL_MS && reportMs < REPORT_GOAL_MS;
  console.log(`bench:context: ${met ? 'goals met' : 'GOALS MISSED'}`);
  process.exitCode = met ? 0 : 1;
}
