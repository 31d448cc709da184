/** What Mayday takes while nothing happens: the memory of the keeper of a run that waits for a person, and the processor time of an idle `mayday work`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN, type BenchPlace, inBenchPlace } from './bench-place.ts';
import { keeperRss } from './bench-stream.ts';

export interface IdleBench {
  /** 0: a waiting run has no keeper. */
  readonly waitingKeeperMb: number;
  /** Of one core, in percent. */
  readonly idleWorkPercent: number;
}

const ASKS = 'attempts: [{steps: [{say: "Which store should I use, Postgres or SQLite?"}, {exit: 0}]}]\n';
/** The run is asked for, and waits this long: what its keeper frees after the last turn is free. */
const WAITS_MS = 3_000;
/** What a start leaves is over then: V8 gives its memory back in two rounds, about 8 s and 18 s after it. Once per process is not idle. */
const STARTED_MS = 25_000;
/** A thousandth of a core is a tick of the kernel's clock in ten seconds. */
const IDLE_MS = 30_000;
/** `USER_HZ` of every Linux. */
const TICKS_PER_SECOND = 100;

export async function benchIdle(idleMs = IDLE_MS): Promise<IdleBench> {
  return await inBenchPlace(async (place) => ({
    waitingKeeperMb: await waitingKeeper(place),
    idleWorkPercent: await idleWork(place, idleMs),
  }));
}

async function waitingKeeper(place: BenchPlace): Promise<number> {
  const script = join(place.folder, 'script.yaml');
  writeFileSync(script, ASKS);
  const args = [BIN, 'run', '--script', script, '--check', 'test -f done', 'choose a store'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: place.repository, env: place.env });
  if (status !== 3) throw new Error(`the run does not wait but ended with ${status}: ${stderr.toString()}`);
  await pause(WAITS_MS);
  return keeperRss(place) ?? 0;
}

async function idleWork({ repository, env }: BenchPlace, idleMs: number): Promise<number> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, [BIN, 'work'], { cwd: repository, env, stdio: [...stdio] });
  await Promise.race([once(child.stdout as Readable, 'data'), once(child.stderr as Readable, 'data')]);
  await pause(STARTED_MS);
  const before = ticksOf(child.pid);
  await pause(idleMs);
  const ticks = ticksOf(child.pid) - before;
  child.kill();
  await once(child, 'exit');
  return ((ticks / TICKS_PER_SECOND) * 100) / (idleMs / 1_000);
}

/** User and system time; the name before them may have spaces. */
function ticksOf(pid: number | undefined): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
