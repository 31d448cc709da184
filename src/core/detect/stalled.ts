/**
 * Alive, silent and getting nowhere. Facts in the order of trust: the process state, what the tree of processes does
 * (CPU, sockets, children), what it writes (output, session file), what it was last heard to be doing.
 * A tool in flight delays the verdict, never mutes it; when the facts disagree, it is a warning until time decides.
 */
import type { Signal } from '../signal.ts';
import { type Detector, type Level, severityOf } from './detector.ts';
import type { DetectPolicy } from './detect-policy.ts';
import { silentSince, type Tick } from './tick.ts';
import type { Trail } from './trail.ts';

interface StalledState {
  readonly raised: Level;
  readonly frozen: boolean;
  readonly last: Tick | null;
  /** Longest time a tool has taken in this run: its own history is the best limit. */
  readonly longestToolMs: number;
  /** The agent CLI announced that it waits until then. */
  readonly retryUntil: number;
}

interface Wait {
  readonly what: string;
  readonly limitMs: number;
  readonly sinceAt: number;
}

/** Share of one core that counts as work; an idle event loop stays far below. */
const BUSY_SHARE = 0.05;

export const stalled: Detector<StalledState> = {
  name: 'stalled',
  init: { raised: 0, frozen: false, last: null, longestToolMs: 0, retryUntil: -1 },
  next: (state, { entry, turn, trail, step, policy }) => {
    if (entry.type !== 'tick') {
      const longestToolMs =
        turn === null ? state.longestToolMs : Math.max(state.longestToolMs, turn.at - turn.startedAt);
      const retryUntil = entry.type === 'retry' ? entry.at + entry.delayMs : -1;
      return [{ ...state, raised: 0, longestToolMs, retryUntil }, []];
    }
    const next = { ...state, last: entry };
    if (entry.processState === 'stopped') {
      return [{ ...next, frozen: true }, state.frozen ? [] : [frozen(entry, step)]];
    }
    const wait = kindOfWait(state, entry, trail, policy);
    const silentMs = entry.at - wait.sinceAt;
    // Nobody has said when it began: nothing to measure from.
    if (wait.sinceAt < 0 || silentMs < wait.limitMs) return [{ ...next, frozen: false, raised: 0 }, []];
    const life = signsOfLife(entry, state.last);
    const level: Level = life.alive.length === 0 || silentMs >= policy.busyFactor * wait.limitMs ? 2 : 1;
    const settled = { ...next, frozen: false, raised: level };
    return level <= state.raised
      ? [settled, []]
      : [settled, [stall(level, wait, silentMs, life, entry, step)]];
  },
};

function kindOfWait(state: StalledState, tick: Tick, trail: Trail, policy: DetectPolicy): Wait {
  const sinceAt = silentSince(
    tick,
    trail.heardAt,
    tick.lastOutputAt ?? -1,
    tick.sessionWrittenAt ?? -1,
    tick.startedAt ?? -1,
  );
  const call = trail.open.at(-1);
  if (call !== undefined) {
    return {
      what: `${call.tool} has been running`,
      limitMs: Math.max(policy.toolSilenceMs, 3 * state.longestToolMs),
      sinceAt,
    };
  }
  if (sinceAt >= 0 && state.retryUntil > sinceAt) {
    return { what: 'the agent said it would retry', limitMs: policy.silenceMs, sinceAt: state.retryUntil };
  }
  return { what: 'the model has not answered', limitMs: policy.silenceMs, sinceAt };
}

interface Life {
  readonly alive: readonly string[];
  readonly dead: readonly string[];
}

/** Only what moved between two looks counts; standing children and open sockets prove nothing. */
function signsOfLife(now: Tick, before: Tick | null): Life {
  const alive: string[] = [];
  const dead: string[] = [
    'no output',
    ...(now.sessionWrittenAt === undefined ? [] : ['session file unchanged']),
  ];
  const elapsed = before === null ? 0 : now.at - before.at;
  if (before !== null && elapsed > 0) {
    if (now.cpuMs !== undefined && before.cpuMs !== undefined) {
      const share = (now.cpuMs - before.cpuMs) / elapsed;
      (share >= BUSY_SHARE ? alive : dead).push(`CPU ${Math.round(share * 100)} %`);
    }
    if (now.socketBytes !== undefined && before.socketBytes !== undefined) {
      const moved = now.socketBytes - before.socketBytes;
      (moved > 0 ? alive : dead).push(moved > 0 ? 'sockets moving' : 'sockets silent');
    }
    if (now.children !== undefined && before.children !== undefined) {
      if (now.children !== before.children) alive.push('children come and go');
      else if (now.children === 0) dead.push('no children');
    }
  }
  return { alive, dead };
}

function stall(level: 1 | 2, wait: Wait, silentMs: number, life: Life, tick: Tick, step: number): Signal {
  return {
    type: 'stalled',
    severity: severityOf(level),
    reason: `${wait.what} for ${seconds(silentMs)} without a sign (limit ${seconds(wait.limitMs)})`,
    sinceAt: wait.sinceAt,
    at: tick.at,
    ...(step >= 0 ? { atStep: step } : {}),
    evidence: [...life.dead, ...life.alive],
    confidence: Math.min(0.95, 0.5 + 0.1 * life.dead.length) - 0.15 * life.alive.length,
    suggestedAction:
      level === 2
        ? 'stop the agent and resume its session'
        : 'wait; look again when the limit has passed three times',
    disproof: 'a byte of output, CPU time, a changed file',
  };
}

function frozen(tick: Tick, step: number): Signal {
  return {
    type: 'frozen',
    severity: 'critical',
    reason: 'the agent process is stopped and cannot run',
    sinceAt: tick.at,
    at: tick.at,
    ...(step >= 0 ? { atStep: step } : {}),
    evidence: ['process state: stopped'],
    confidence: 0.99,
    suggestedAction: 'continue the process; if it stops again, end it and resume the session',
    disproof: 'the process runs again',
  };
}

function seconds(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
