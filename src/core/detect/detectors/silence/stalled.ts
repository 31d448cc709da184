/**
 * `stalled`: notices an agent that is alive, silent and makes no progress. A stall needs the absence of every sign of life (`life.ts`)
 * for the limit of what the agent waits for; silence is measured from the strongest sign. CPU work without output only delays the verdict
 * (`busy_factor`), and bytes on sockets delay it longer (`wordless_ms`), because a hung process can use CPU or send a heartbeat. A tool
 * in flight delays the verdict, but never prevents it. A critical verdict needs two ticks in a row.
 */
import { minutes } from '../../../text/minutes.ts';
import type { Signal } from '../../../vocabulary/signal.ts';
import { type Detector, type Level, severityOf } from '../../detector.ts';
import type { Policy } from '../../../vocabulary/policy.ts';
import { describeLife, lastChildWorkAt, lastWordAt, lastWorkAt, type LifeSigns } from '../../life.ts';
import type { TranscriptEntry } from '../../../vocabulary/transcript.ts';
import { silentSince, type Tick } from '../../tick.ts';
import type { Trail } from '../../trail.ts';

export interface StalledState {
  readonly raised: Level;
  /** The last tick found the agent silent. Only the next tick raises the signal: the agent may just have written, or its tree changed. */
  readonly suspected: boolean;
  /** The longest time that a tool took in this run. The limit for tools is derived from it. */
  readonly longestToolMs: number;
  /** The time until which the agent CLI announced to wait. */
  readonly retryUntil: number;
  /** When the agent last said something else than that it reconnects, and when it last said that it does; negative if never. */
  readonly spokeAt: number;
  readonly reconnectedAt: number;
}

interface Wait {
  readonly what: string;
  readonly limitMs: number;
  /** No output and no byte on a socket since then. */
  readonly sinceAt: number;
  /** No output since then. */
  readonly wordAt: number;
}

export const stalled: Detector<StalledState> = {
  name: 'stalled',
  init: { raised: 0, suspected: false, longestToolMs: 0, retryUntil: -1, spokeAt: -1, reconnectedAt: -1 },
  next: (state, { entry, turn, trail, life, step, policy }) => {
    // A change was found, nothing was said: the next tick measures from when it was made, and a wait that was announced goes on.
    if (entry.type === 'progress')
      return [{ ...state, spokeAt: Math.max(state.spokeAt, entry.changedAt ?? entry.at) }, []];
    if (entry.type !== 'tick') {
      const longestToolMs =
        turn === null ? state.longestToolMs : Math.max(state.longestToolMs, turn.at - turn.startedAt);
      if (isReconnect(entry)) return [{ ...state, longestToolMs, reconnectedAt: entry.at }, []];
      const retryUntil = entry.type === 'retry' ? entry.at + entry.delayMs : -1;
      return [{ ...state, raised: 0, suspected: false, longestToolMs, retryUntil, spokeAt: entry.at }, []];
    }
    const wait = kindOfWait(state, entry, trail, life, policy);
    const workAt = isOwnNoise(entry, trail, life) ? lastChildWorkAt(life, entry) : lastWorkAt(life, entry);
    const level = levelOfSilence(wait, workAt, entry.at, policy);
    if (level === 2 && state.raised < 2 && !state.suspected) return [{ ...state, suspected: true }, []];
    const settled = { ...state, suspected: level === 2, raised: level };
    return level === 0 || level <= state.raised
      ? [settled, []]
      : [settled, [stall(level, wait, entry, step, describeLife(life, entry, trail.heardAt))]];
  },
};

function levelOfSilence(wait: Wait, workAt: number, at: number, policy: Policy): Level {
  // It is not known when the silence began, so it cannot be measured.
  if (wait.sinceAt < 0) return 0;
  if (at - wait.wordAt >= Math.max(policy.wordless_ms, wait.limitMs)) return 2;
  const silentMs = at - wait.sinceAt;
  if (silentMs < wait.limitMs) return 0;
  const isIdle = at - Math.max(wait.sinceAt, workAt) >= wait.limitMs;
  return isIdle || silentMs >= policy.busy_factor * wait.limitMs ? 2 : 1;
}

/** Two times that differ by less are of the same line: when it was written, and when a tick saw it. */
const SAME_WORD_MS = 2_000;

/** The agent CLI lost its stream and opens another. Unlike a refusal of the API, with its status, that is no answer. */
function isReconnect(entry: TranscriptEntry): boolean {
  return entry.type === 'retry' && entry.status === null && entry.delayMs === 0;
}

/** From this share of a core on a program computes; below, an event loop turns over. */
const COMPUTING_SHARE = 0.5;

/**
 * True: the processor time of the agent CLI itself is no work while it waits for its model. If its sockets can be seen and are still, no
 * stream lives, however busy its event loop is. A tool in flight, a child that works or real computing is work; a server of its tools
 * is a child that only stands there.
 */
function isOwnNoise(
  { children, childrenCpuMs, socketBytes }: Tick,
  trail: Trail,
  { cpu }: LifeSigns,
): boolean {
  return (
    socketBytes !== undefined &&
    (children === 0 || childrenCpuMs !== undefined) &&
    trail.open.length === 0 &&
    (cpu.share ?? 0) < COMPUTING_SHARE
  );
}

function kindOfWait(state: StalledState, tick: Tick, trail: Trail, life: LifeSigns, policy: Policy): Wait {
  const wordAt = lastWordAt(life, tick, trail.heardAt);
  const socketsAt = life.socketsAt <= tick.at ? life.socketsAt : -1;
  if (state.reconnectedAt >= Math.max(0, wordAt - SAME_WORD_MS) && state.spokeAt >= 0) {
    // Bytes that move while it reconnects are the reconnection.
    const streamsAt = socketsAt > state.reconnectedAt + SAME_WORD_MS ? socketsAt : -1;
    const since = silentSince(tick, state.spokeAt, streamsAt);
    return { what: 'the agent only reconnects', limitMs: policy.silence_ms, sinceAt: since, wordAt: since };
  }
  const sinceAt = wordAt < 0 ? wordAt : Math.max(wordAt, socketsAt);
  const call = trail.open.at(-1);
  if (call !== undefined) {
    return {
      what: `${call.tool} has been running`,
      limitMs: Math.max(policy.tool_silence_ms, 3 * state.longestToolMs),
      sinceAt,
      wordAt,
    };
  }
  if (sinceAt >= 0 && state.retryUntil > sinceAt) {
    const { retryUntil } = state;
    return {
      what: 'the agent said it would retry',
      limitMs: policy.silence_ms,
      sinceAt: retryUntil,
      wordAt: retryUntil,
    };
  }
  return { what: 'the agent has been silent', limitMs: policy.silence_ms, sinceAt, wordAt };
}

function stall(level: 1 | 2, wait: Wait, tick: Tick, step: number, evidence: readonly string[]): Signal {
  const silentMs = tick.at - wait.sinceAt;
  const isWordless = silentMs < wait.limitMs;
  const wordlessMs = tick.at - wait.wordAt;
  return {
    type: 'stalled',
    severity: severityOf(level),
    reason: isWordless
      ? `${wait.what} for ${minutes(wordlessMs)}: bytes move on its sockets, but not a word came`
      : `${wait.what} for ${minutes(silentMs)} without a sign (limit ${minutes(wait.limitMs)})`,
    sinceAt: isWordless ? wait.wordAt : wait.sinceAt,
    at: tick.at,
    ...(step >= 0 ? { atStep: step } : {}),
    evidence,
    confidence: level === 1 ? 0.5 : isWordless ? 0.7 : 0.9,
    suggestedAction:
      level === 2
        ? 'stop the agent and resume its session'
        : 'wait; look again when the limit has passed three times',
    disproof: 'a line or a piece of one, a byte on a socket, CPU time, a changed file',
  };
}
