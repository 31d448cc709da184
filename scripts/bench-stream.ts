/** Output through a real keeper against the same program writing to a file: how much slower it writes, how much memory the keeper needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN, type BenchPlace, medianOf } from './bench-place.ts';

export interface StreamBench {
  /** Bare writing time over supervised writing time. */
  readonly outputRatio: number;
  readonly outputRatios: readonly number[];
  readonly bareMbPerS: number;
  readonly streamedBytes: number;
  readonly keeperMb: number;
  /** Largest memory in the second half of the stream over that in the first. */
  readonly keeperGrowth: number;
}

const MB = 1024 * 1024;
const STREAM_ROUNDS = 3;
/** One write per line, as a program prints. */
const LINE_BYTES = 1024;
const SAMPLE_MS = 50;

/** The writer notes its own first and last moment: starting Node is not throughput. */
export async function benchStream(place: BenchPlace, streamedBytes: number): Promise<StreamBench> {
  const note = join(place.folder, 'times.json');
  const program = join(place.folder, 'writer.cjs');
  writeFileSync(
    program,
    `const { writeSync, writeFileSync } = require('node:fs');
    const line = Buffer.from('x'.repeat(${LINE_BYTES - 1}) + '\\n');
    const begun = Date.now();
    for (let left = ${streamedBytes}; left > 0; left -= line.length) writeSync(1, line);
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
    streamedBytes,
    outputRatio: medianOf(ratios),
    outputRatios: ratios,
    bareMbPerS: streamedBytes / MB / (medianOf(bareMs) / 1000),
    keeperMb: Math.max(...memory),
    keeperGrowth: Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half)),
  };
}

/** Looks at one process: the search through all of them would take time from the writer that nothing takes from the bare one. */
async function sampled(child: ChildProcess, place: BenchPlace, memory: number[]): Promise<void> {
  let ended = false;
  const end = once(child, 'exit').then(() => (ended = true));
  let keeper: string | null = null;
  while (!ended) {
    keeper ??= keeperPid(place);
    const rss = keeper === null ? null : rssOf(keeper);
    if (rss !== null) memory.push(rss);
    await Promise.race([pause(SAMPLE_MS), end]);
  }
}

export function keeperRss(place: BenchPlace): number | null {
  const pid = keeperPid(place);
  return pid === null ? null : rssOf(pid);
}

function keeperPid({ folder }: BenchPlace): string | null {
  const isKeeper = (pid: string): boolean => {
    const command = textOf(`/proc/${pid}/cmdline`);
    return command.includes('keeper-process') && command.includes(folder);
  };
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isKeeper(name)) ?? null;
}

function rssOf(pid: string): number | null {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/** Empty where the process ended between two looks. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
