/** How much the process layer costs: output throughput against a bare process, memory while output streams, time to notice a death. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STDOUT_FILE } from '../src/platform/container/attempt-files.ts';
import { release, startContained } from '../src/platform/container/container.ts';
import type { ContainerHandle } from '../src/platform/container/container-handle.ts';
import { observe } from '../src/platform/container/observe.ts';
import { kill } from '../src/platform/container/stop.ts';
import { Tail } from '../src/platform/file/tail.ts';

export interface ProcessBench {
  readonly level: string;
  /** Bare time over supervised time for the writer itself, pair by pair: what an agent feels. */
  readonly writerRatio: Spread;
  /** The same until the keeper has read the last byte: what the person waits for. */
  readonly readRatio: Spread;
  /** Bare over bare, in the same pairs. A ratio inside this spread says nothing. */
  readonly controlRatio: Spread;
  /** Writer ratio for a stream far beyond what a spool may hold, where giving blocks back slows the writer. */
  readonly floodWriterRatio: Spread;
  readonly floodBytes: number;
  readonly bareMbPerS: number;
  readonly streamedBytes: number;
  /** The keeper's own memory while the stream goes through it, and how much of it the stream added. */
  readonly keeperBytes: number;
  readonly keeperGrowthBytes: number;
  readonly startMs: number;
  readonly observeMs: number;
  readonly noticeDeathMs: Spread;
  readonly attendantPrivateBytes: number | null;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

const MB = 1024 * 1024;
/** As the keeper looks. */
const LOOK_EVERY_MS = 250;
const ROUNDS = 6;
const FLOOD_ROUNDS = 3;
/** One write per line, as a program prints: a stream in big blocks ends before the keeper has looked once. */
const LINE_BYTES = 1024;

export async function benchProcess(
  options: { readonly streamBytes?: number; readonly floodBytes?: number } = {},
): Promise<ProcessBench> {
  const { streamBytes = 1024 * MB, floodBytes = 4096 * MB } = options;
  const directory = mkdtempSync(join(tmpdir(), 'mayday-bench-'));
  try {
    // The first run pays for a cold page cache.
    await bareRun(directory, streamBytes);
    const [writer, read, control, bareMs]: [number[], number[], number[], number[]] = [[], [], [], []];
    const before = process.memoryUsage().rss;
    let keeperBytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const attemptDir = join(directory, `round-${round}`);
      // Each kind goes first as often as the other: what the run before left in the page cache favours neither.
      const supervisedFirst = round % 2 === 1;
      const early = supervisedFirst ? await supervisedRun(attemptDir, streamBytes) : null;
      const bare = await bareRun(directory, streamBytes);
      const supervised = early ?? (await supervisedRun(attemptDir, streamBytes));
      const again = await bareRun(directory, streamBytes);
      writer.push(bare / supervised.writerMs);
      read.push(bare / supervised.readMs);
      control.push(bare / again);
      bareMs.push(bare, again);
      keeperBytes = Math.max(keeperBytes, supervised.rssBytes);
    }
    const flood: number[] = [];
    for (let round = 0; round < FLOOD_ROUNDS; round++) {
      const bare = await bareRun(directory, floodBytes);
      const supervised = await supervisedRun(join(directory, `flood-${round}`), floodBytes);
      flood.push(bare / supervised.writerMs);
      keeperBytes = Math.max(keeperBytes, supervised.rssBytes);
    }
    const life = await lifeOfOne(directory);
    return {
      writerRatio: spread(writer),
      readRatio: spread(read),
      controlRatio: spread(control),
      floodWriterRatio: spread(flood),
      floodBytes,
      bareMbPerS: streamBytes / MB / (spread(bareMs).median / 1000),
      streamedBytes: streamBytes,
      keeperBytes,
      keeperGrowthBytes: keeperBytes - before,
      ...life,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The writer notes when its first and last byte went out: starting Node is not throughput. */
function timedWriter(bytes: number, resultFile: string): string[] {
  const code = `
    const { writeSync, writeFileSync } = require('node:fs');
    const line = Buffer.from('x'.repeat(${LINE_BYTES - 1}) + '\\n');
    const begun = Date.now();
    for (let left = ${bytes}; left > 0; left -= line.length) writeSync(1, line);
    writeFileSync(${JSON.stringify(resultFile)}, JSON.stringify([begun, Date.now()]));`;
  return [process.execPath, '-e', code];
}

function timesIn(resultFile: string): readonly [begunAt: number, endedAt: number] {
  return JSON.parse(readFileSync(resultFile, 'utf8')) as [number, number];
}

async function bareRun(directory: string, bytes: number): Promise<number> {
  const [result, output] = [join(directory, 'bare.ms'), join(directory, 'bare.out')];
  const [command = '', ...args] = timedWriter(bytes, result);
  const fd = openSync(output, 'a', 0o600);
  const child = spawn(command, args, { stdio: ['ignore', fd, fd] });
  closeSync(fd);
  await once(child, 'exit');
  assertBytes('bare', statSync(output).size, bytes);
  rmSync(output);
  const [begunAt, endedAt] = timesIn(result);
  return endedAt - begunAt;
}

/** A figure for a stream that was not written or read in full is no figure. */
function assertBytes(who: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`bench: ${who} handled ${found} of ${expected} bytes`);
}

async function start(attemptDir: string, argv: string[]): Promise<ContainerHandle> {
  return await startContained({
    attemptDir,
    argv,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    stdinFile: null,
    marker: `bench.1.${randomBytes(6).toString('hex')}`,
  });
}

/** What a keeper does: look four times a second, and read and give back what has come. It may not jump over anything here. */
async function supervisedRun(
  attemptDir: string,
  bytes: number,
): Promise<{ writerMs: number; readMs: number; rssBytes: number }> {
  const result = `${attemptDir}.ms`;
  const handle = await start(attemptDir, timedWriter(bytes, result));
  const tail = new Tail(join(attemptDir, STDOUT_FILE), { backlogBytes: Number.POSITIVE_INFINITY });
  let [readBytes, rssBytes, readAt] = [0, 0, 0];
  for (let ended = false; !ended; ) {
    ended = (await observe(handle)).empty;
    const nextLook = performance.now() + LOOK_EVERY_MS;
    for (let atEnd = false; !atEnd; ) {
      const read = await tail.read();
      for (const line of read.lines) readBytes += line.bytes + 1;
      atEnd = read.atEnd;
      await tail.trim();
    }
    if (readBytes === bytes && readAt === 0) readAt = Date.now();
    rssBytes = Math.max(rssBytes, process.memoryUsage().rss);
    if (!ended) await sleep(Math.max(0, nextLook - performance.now()));
  }
  await tail.close();
  release(handle);
  rmSync(attemptDir, { recursive: true, force: true });
  assertBytes('supervised', readBytes, bytes);
  const [begunAt, endedAt] = timesIn(result);
  return { writerMs: endedAt - begunAt, readMs: readAt - begunAt, rssBytes };
}

async function lifeOfOne(
  directory: string,
): Promise<
  Pick<ProcessBench, 'level' | 'startMs' | 'observeMs' | 'noticeDeathMs' | 'attendantPrivateBytes'>
> {
  const [starts, looks, notices]: [number[], number[], number[]] = [[], [], []];
  let level = '';
  let attendantPrivateBytes: number | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const handle = await start(join(directory, `life-${round}`), ['sleep', '300']);
    starts.push(performance.now() - begun);
    // Apart by the keeper's own pace: looks in a row would share one reading of the process table.
    for (let n = 0; n < 4; n++) {
      const look = performance.now();
      await observe(handle);
      looks.push(performance.now() - look);
      await sleep(LOOK_EVERY_MS);
    }
    attendantPrivateBytes = privateBytes(handle.attendant.pid);
    // Right after a look: the longest a death can stay unseen.
    await observe(handle);
    const died = performance.now();
    process.kill(handle.leader?.pid ?? Number.NaN, 'SIGKILL');
    do await sleep(LOOK_EVERY_MS);
    while ((await observe(handle)).exit === null);
    notices.push(performance.now() - died);
    await kill(handle);
    release(handle);
    level = handle.level;
  }
  return {
    level,
    startMs: spread(starts).median,
    observeMs: spread(looks).median,
    noticeDeathMs: spread(notices),
    attendantPrivateBytes,
  };
}

function privateBytes(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(text.match(/^Private_Dirty:\s+(\d+)/m)?.[1]) * 1024;
  } catch {
    return null;
  }
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min = Number.NaN, max = Number.NaN] = [sorted[0], sorted.at(-1)];
  const [low = min, high = max] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return { median: (low + high) / 2, min, max };
}
