/**
 * `LifeSigns`, `followLife`: the signs of life of an attempt, each with the time it was last seen. The strongest signs first:
 *
 *   words     lines, parts of an unfinished message, a grown session file, a changed tree: they end every silence
 *   sockets   bytes on the connections of the process tree: they end a silence, but only for a limited time (see `stalled`)
 *   work      CPU time, children that start and end: they only delay the verdict, because a hung process can use CPU time
 */
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import type { Policy } from '../vocabulary/policy.ts';
import { silentSince, type Tick } from './tick.ts';

export interface LifeSigns {
  readonly last: Tick | null;
  /** When the tree last changed, as far as it was seen; negative if it did not. */
  readonly filesAt: number;
  readonly socketsAt: number;
  readonly childrenAt: number;
  readonly cpu: CpuUse;
  /** The part of it that was not the agent's own process. */
  readonly childrenCpu: CpuUse;
}

interface CpuUse {
  /** When it was last work. */
  readonly at: number;
  /** CPU time is measured over a period, because a moment of CPU use is not work. */
  readonly since: { readonly at: number; readonly cpuMs: number } | null;
  /** The share of one core since then; null if it was not measured. */
  readonly share: number | null;
}

const NO_USE: CpuUse = { at: -1, since: null, share: null };

export const NO_LIFE: LifeSigns = {
  last: null,
  filesAt: -1,
  socketsAt: -1,
  childrenAt: -1,
  cpu: NO_USE,
  childrenCpu: NO_USE,
};

/** The share of one core that counts as work; an idle event loop uses far less. */
const BUSY_SHARE = 0.05;
/** CPU time is measured over this share of the silence limit. */
const CPU_WINDOW_SHARE = 0.1;

export function followLife(life: LifeSigns, entry: TranscriptEntry | Tick, policy: Policy): LifeSigns {
  // A change that is found late is a sign of life of the time when it was made.
  if (entry.type === 'progress')
    return { ...life, filesAt: Math.max(life.filesAt, entry.changedAt ?? entry.at) };
  if (entry.type !== 'tick') return life;
  const before = life.last;
  const windowMs = policy.silence_ms * CPU_WINDOW_SHARE;
  return {
    ...life,
    cpu: cpuUse(life.cpu, entry.at, entry.cpuMs, windowMs),
    childrenCpu: cpuUse(life.childrenCpu, entry.at, entry.childrenCpuMs, windowMs),
    last: entry,
    socketsAt: rose(before?.socketBytes, entry.socketBytes) ? entry.at : life.socketsAt,
    childrenAt:
      differs(before?.children, entry.children) || differs(before?.childrenStarted, entry.childrenStarted)
        ? entry.at
        : life.childrenAt,
  };
}

function cpuUse(before: CpuUse, at: number, cpuMs: number | undefined, windowMs: number): CpuUse {
  const { since } = before;
  if (cpuMs === undefined) return { ...before, since: null, share: null };
  // The sum over the live processes falls when one of them ends.
  if (since === null || at <= since.at || cpuMs < since.cpuMs)
    return { ...before, since: { at, cpuMs }, share: null };
  const share = (cpuMs - since.cpuMs) / (at - since.at);
  const isOver = at - since.at >= windowMs;
  return {
    since: isOver ? { at, cpuMs } : since,
    at: isOver && share >= BUSY_SHARE ? at : before.at,
    share,
  };
}

/** When the agent last gave output: the latest of what it said, wrote and changed. */
export function lastWordAt(life: LifeSigns, tick: Tick, heardAt: number): number {
  return silentSince(
    tick,
    heardAt,
    life.filesAt,
    tick.lastOutputAt ?? -1,
    tick.partialAt ?? -1,
    tick.sessionWrittenAt ?? -1,
    tick.startedAt ?? -1,
  );
}

/** When a process of the tree last worked: it used CPU time, or a child started or ended. */
export function lastWorkAt({ cpu, childrenAt }: LifeSigns, tick: Tick): number {
  return isBusy(cpu) ? tick.at : silentSince(tick, cpu.at, childrenAt);
}

/** The same without the agent's own process; negative if it has no child. */
export function lastChildWorkAt({ childrenCpu, childrenAt }: LifeSigns, tick: Tick): number {
  if (tick.children === 0) return -1;
  return isBusy(childrenCpu) ? tick.at : silentSince(tick, childrenCpu.at, childrenAt);
}

function isBusy({ share }: CpuUse): boolean {
  return share !== null && share >= BUSY_SHARE;
}

/** One line for every sign of life: since when it is missing, or that it cannot be seen here. */
export function describeLife(life: LifeSigns, tick: Tick, heardAt: number): readonly string[] {
  const begun = silentSince(tick, tick.startedAt ?? -1);
  const since = (sign: number): string => {
    const seenAt = silentSince(tick, begun, sign);
    return seenAt < 0 ? 'never seen' : `none for ${Math.round((tick.at - seenAt) / 1000)} s`;
  };
  const {
    lastOutputAt = -1,
    partialAt,
    sessionWrittenAt,
    socketBytes,
    children,
    cpuMs,
    childrenCpuMs,
  } = tick;
  return [
    `output: ${since(Math.max(heardAt, lastOutputAt))}`,
    ...(partialAt === undefined ? [] : [`pieces of a message: ${since(partialAt)}`]),
    ...(sessionWrittenAt === undefined ? [] : [`session file: ${since(sessionWrittenAt)}`]),
    `new files: ${since(life.filesAt)}`,
    socketBytes === undefined
      ? 'bytes on sockets: cannot be seen here'
      : `bytes on sockets: ${since(life.socketsAt)}`,
    ...(children === undefined
      ? []
      : [`children (${children} now) that come or go: ${since(life.childrenAt)}`]),
    ...(cpuMs === undefined ? [] : [`CPU time: ${shareOf(life.cpu)}${since(life.cpu.at)}`]),
    ...(childrenCpuMs === undefined || children === 0
      ? []
      : [`CPU time of its children: ${shareOf(life.childrenCpu)}${since(life.childrenCpu.at)}`]),
  ];
}

function shareOf({ share }: CpuUse): string {
  return share === null ? '' : `${Math.round(share * 100)} % of a core now, `;
}

function rose(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now > before;
}

function differs(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now !== before;
}
