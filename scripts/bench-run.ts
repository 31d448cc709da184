/** Whole runs through the real command line against the bare thing beside them: output, memory, a happy run, a death. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN, type BenchPlace, inBenchPlace, medianOf } from './bench-place.ts';
import { benchStream, type StreamBench } from './bench-stream.ts';

export interface RunBench extends StreamBench {
  /** The happy run in starts of Node, and in `git worktree add && remove`. */
  readonly happyMs: number;
  readonly happyToNode: number;
  readonly happyToWorktree: number;
  readonly noticeDeathMs: readonly number[];
}

const HAPPY_ROUNDS = 9;
const DEATHS = 3;

export async function benchRun(streamedBytes: number): Promise<RunBench> {
  return await inBenchPlace(async (place) => ({
    ...happyRuns(place),
    ...(await benchStream(place, streamedBytes)),
    noticeDeathMs: await deaths(place),
  }));
}

type HappyBench = Pick<RunBench, 'happyMs' | 'happyToNode' | 'happyToWorktree'>;

function happyRuns(place: BenchPlace): HappyBench {
  const run = () => mayday(place, 'run', '--check', 'test -f done', '--', 'sh', '-c', 'touch done');
  // The first one fills the caches that every later one finds.
  run();
  const times: number[] = [];
  const timedRun = () => times.push(timed(run));
  const toNode = pairs(HAPPY_ROUNDS, timedRun, () => node(place));
  const tree = join(place.folder, 'tree');
  const toWorktree = pairs(HAPPY_ROUNDS, timedRun, () => {
    spawnSync('git', ['worktree', 'add', '--quiet', '--detach', tree], { cwd: place.repository });
    spawnSync('git', ['worktree', 'remove', tree], { cwd: place.repository });
  });
  return {
    happyMs: medianOf(times),
    happyToNode: medianOf(toNode),
    happyToWorktree: medianOf(toWorktree),
  };
}

/** From the kill to the fact in the journal. Each death starts the next attempt of the same run. */
async function deaths(place: BenchPlace): Promise<number[]> {
  const pidFile = join(place.folder, 'pid');
  const script = `[ "$MAYDAY_ATTEMPT" -gt ${DEATHS} ] && touch done && exit; echo $$ > '${pidFile}'; exec sleep 300`;
  const run = ['run', '--check', 'test -f done', '--', 'sh', '-c', script];
  const child = spawn(process.execPath, [BIN, ...run], {
    cwd: place.repository,
    env: place.env,
    stdio: 'ignore',
  });
  const noticed: number[] = [];
  for (let death = 0; death < DEATHS; death += 1) {
    const pid = await until(() => readPid(pidFile));
    // The keeper must have begun to watch it: a death before that is a start that failed.
    await until(() => (endsOrStarts(place, 'attempt_started').length > death ? true : null));
    rmSync(pidFile);
    const killedAt = Date.now();
    process.kill(pid, 'SIGKILL');
    const endedAt = await until(() => endsOrStarts(place, 'attempt_ended')[death] ?? null);
    noticed.push(endedAt - killedAt);
  }
  await once(child, 'exit');
  return noticed;
}

function readPid(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8').trim()) || null;
  } catch {
    return null;
  }
}

/** Times of such events in the newest run. */
function endsOrStarts({ env }: BenchPlace, type: string): number[] {
  const database = new DatabaseSync(join(env['MAYDAY_HOME'] as string, 'record.db'), {
    readOnly: true,
    timeout: 10_000,
  });
  try {
    const rows = database
      .prepare('SELECT at FROM events WHERE type = ? AND run = (SELECT max(run) FROM events) ORDER BY seq')
      .all(type);
    return rows.map((row) => Number(row['at']));
  } finally {
    database.close();
  }
}

async function until<T>(look: () => T | null): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== null) return seen;
    await pause(5);
  }
}

function mayday({ repository, env }: BenchPlace, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: repository, env });
  if (status !== 0) throw new Error(`mayday ${args[0]} ended with ${status}: ${stderr.toString()}`);
}

function node({ repository }: BenchPlace): void {
  spawnSync(process.execPath, ['-e', '0'], { cwd: repository });
}

/** Ours over the other's, pair by pair; who goes first alternates. */
function pairs(rounds: number, ours: () => unknown, other: () => unknown): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    if (round % 2 === 0) return timed(ours) / timed(other);
    const otherMs = timed(other);
    return timed(ours) / otherMs;
  });
}

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}
