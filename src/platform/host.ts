/** `diskFreeBytes`, `readClocks`, `compareClocks`, `takesConnection`: facts about the machine: its free disk, its clocks, its network. */
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { uptime } from 'node:os';
import type { Endpoint } from '../core/vocabulary/hold.ts';

/** Bytes that this user may still write under `path`. */
export async function diskFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Three clocks, read together. The monotonic clock stops while the machine sleeps; the clock since boot does not. */
export interface ClockReading {
  readonly wallMs: number;
  readonly sinceBootMs: number;
  readonly monotonicMs: number;
}

export function readClocks(): ClockReading {
  return { wallMs: Date.now(), sinceBootMs: uptime() * 1000, monotonicMs: performance.now() };
}

export interface ClockChange {
  /** How long the machine slept between the two readings. */
  readonly sleptMs: number;
  /** How far the wall clock was moved; negative for backwards. */
  readonly jumpedMs: number;
}

/** Smaller differences come from the precision of the clocks and the time between reading them. */
const CLOCK_GRAIN_MS = 1_000;

export function compareClocks(before: ClockReading, after: ClockReading): ClockChange {
  const monotonic = after.monotonicMs - before.monotonicMs;
  const sinceBoot = after.sinceBootMs - before.sinceBootMs;
  const wall = after.wallMs - before.wallMs;
  return { sleptMs: coarse(sinceBoot - monotonic), jumpedMs: coarse(wall - sinceBoot) };
}

function coarse(ms: number): number {
  return Math.abs(ms) < CLOCK_GRAIN_MS ? 0 : Math.round(ms);
}

/** Whether the endpoint accepts a connection in time. Nothing is sent: this tests the network, not the service. */
export async function takesConnection({ host, port }: Endpoint, timeoutMs: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
