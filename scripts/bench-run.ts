/** Whole runs through the real command line against the bare thing beside them: output, memory, `ps`, a happy run, a death. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunBench {
  /** Bare writing time over supervised writing time. */
  readonly outputRatio: number;
  readonly outputRatios: readonly number[];
  readonly bareMbPerS: number;
  readonly keeperMb: number;
  /** Largest memory in the second half of the stream over that in the first. */
  readonly keeperGrowth: number;
  readonly psRatio: number;
  /** The happy run in starts of Node, and in `git worktree add && remove`. */
  readonly happyMs: number;
  readonly happyToNode: number;
  readonly happyToWorktree: number;
  readonly noticeDeathMs: readonly number[];
}

const BIN = resolve(import.meta.dirname, '../bin/mayday.js');
const MB = 1024 * 1024;
const STREAM_BYTES = 1024 * MB;
const STREAM_ROUNDS = 3;
const START_ROUNDS = 9;
const HAPPY_ROUNDS = 5;
const DEATHS = 3;
/** One write per line, as a program prints. */
const LINE_BYTES = 1024;
const SAMPLE_MS = 50;

interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly env: NodeJS.ProcessEnv;
}

export async function benchRun(): Promise<RunBench> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-run-'));
  const repository = join(folder, 'repository');
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(
    join(home, 'mayday.yaml'),
    'policy: {restarts: 20, restarts_total: 20, backoff_ms: 10, backoff_max_ms: 10}\n',
  );
  const place = { folder, repository, env: { ...process.env, MAYDAY_HOME: home } };
  try {
    spawnSync('git', ['init', '--quiet', repository]);
    writeFileSync(join(repository, 'README.md'), 'x\n');
    spawnSync('git', ['add', '.'], { cwd: repository });
    spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '--quiet', '-m', 'x'], {
      cwd: repository,
    });
    const happy = happyRuns(place);
    const psRatio = median(
      pairs(
        START_ROUNDS,
        () => mayday(place, 'ps'),
        () => node(place),
      ),
    );
    return { ...happy, psRatio, ...(await streams(place)), noticeDeathMs: await deaths(place) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function happyRuns(place: Place): Pick<RunBench, 'happyMs' | 'happyToNode' | 'happyToWorktree'> {
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
  return { happyMs: median(times), happyToNode: median(toNode), happyToWorktree: median(toWorktree) };
}

/** The writer notes its own first and last moment: starting Node is not throughput. */
async function streams(
  place: Place,
): Promise<Pick<RunBench, 'outputRatio' | 'outputRatios' | 'bareMbPerS' | 'keeperMb' | 'keeperGrowth'>> {
  const note = join(place.folder, 'times.json');
  const program = join(place.folder, 'writer.cjs');
  writeFileSync(
    program,
    `const { writeSync, writeFileSync } = require('node:fs');
    const line = Buffer.from('x'.repeat(${LINE_BYTES - 1}) + '\\n');
    const begun = Date.now();
    for (let left = ${STREAM_BYTES}; left > 0; left -= line.length) writeSync(1, line);
    writeFileSync(${JSON.stringify(note)}, JSON.stringify(Date.now() - begun));
    writeFileSync('done', '');`,
  );
  const bare = async (): Promise<number> => {
    const output = join(place.folder, 'bare.out');
    const fd = openSync(output, 'w');
    const child = spawn(process.execPath, [program], { cwd: place.folder, stdio: ['ignore', fd, fd] });
    closeSync(fd);
    await once(child, 'exit');
    rmSync(output);
    return JSON.parse(readFileSync(note, 'utf8')) as number;
  };
  const memory: number[] = [];
  const supervised = async (): Promise<number> => {
    const args = ['run', '--check', 'test -f done', '--', process.execPath, program];
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: place.repository,
      env: place.env,
      stdio: 'ignore',
    });
    await sampled(child, place, memory);
    return JSON.parse(readFileSync(note, 'utf8')) as number;
  };
  await bare();
  const [ratios, bareMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < STREAM_ROUNDS; round += 1) {
    const early = round % 2 === 1 ? await supervised() : null;
    const [first, ours, second] = [await bare(), early ?? (await supervised()), await bare()];
    ratios.push((first + second) / 2 / ours);
    bareMs.push(first, second);
  }
  const half = memory.length >> 1;
  return {
    outputRatio: median(ratios),
    outputRatios: ratios,
    bareMbPerS: STREAM_BYTES / MB / (median(bareMs) / 1000),
    keeperMb: Math.max(...memory),
    keeperGrowth: Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half)),
  };
}

async function sampled(child: ChildProcess, place: Place, memory: number[]): Promise<void> {
  let ended = false;
  const end = once(child, 'exit').then(() => (ended = true));
  while (!ended) {
    const rss = keeperRss(place);
    if (rss !== null) memory.push(rss);
    await Promise.race([pause(SAMPLE_MS), end]);
  }
}

function keeperRss({ folder }: Place): number | null {
  for (const pid of readdirSync('/proc')) {
    try {
      if (!/^\d+$/.test(pid)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!command.includes('keeper-process') || !command.includes(folder)) continue;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      // It ended between two looks.
    }
  }
  return null;
}

/** From the kill to the fact in the journal. Each death starts the next attempt of the same run. */
async function deaths(place: Place): Promise<number[]> {
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
function endsOrStarts({ env }: Place, type: string): number[] {
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

function mayday({ repository, env }: Place, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: repository, env });
  if (status !== 0) throw new Error(`mayday ${args[0]} ended with ${status}: ${stderr.toString()}`);
}

function node({ repository }: Place): void {
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}
