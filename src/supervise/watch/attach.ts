/**
 * `attach`: watches an agent that another program started, from its session file and its process. It reports and never kills.
 *
 * At every look the detectors hear what the session file added, and then a tick with what the processes do, unless it is the
 * person's turn (the agent has spoken and waits) or the agent waits until a limit is over (parked). It ends when the process is
 * gone, or when the caller stops looking.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionFile } from '../../agents/sessions/session-store.ts';
import { storeNamed } from '../../agents/sessions/session-stores.ts';
import { followSession } from '../../agents/sessions/session-tail.ts';
import { policyFor } from '../../core/vocabulary/agent-limits.ts';
import type { WatchAdvice } from '../../core/detect/watch.ts';
import type { Policy } from '../../core/vocabulary/policy.ts';
import { exactToMs, parseResetTime } from '../../core/text/reset-time/parse-reset-time.ts';
import type { ResetTime } from '../../core/text/reset-time/instant.ts';
import type { Signal } from '../../core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { findAgentProcesses, lookAtTree, type TreeFacts } from '../../platform/process/find-agent-process.ts';
import type { ProcessIdentity } from '../../platform/process/process-identity.ts';
import { AgentWatch } from './agent-watch.ts';
import type { Thresholds } from '../request/config.ts';
import type { SeenProcesses } from './life-looks.ts';

export type Notice =
  | {
      readonly type: 'attached';
      readonly sessionId: string | null;
      readonly pid: number | null;
      readonly entries: number;
      readonly advice: WatchAdvice;
    }
  | { readonly type: 'signal'; readonly signal: Signal }
  | { readonly type: 'progress'; readonly what: string }
  | { readonly type: 'your_turn' }
  | { readonly type: 'parked'; readonly until: number; readonly source: string }
  | { readonly type: 'limit_over'; readonly processGone: boolean }
  | { readonly type: 'process_gone' };

export interface AttachOptions {
  readonly file: SessionFile;
  readonly intervalMs: number;
  readonly thresholds: Thresholds;
  readonly timeZone: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const LIMIT =
  /\b(usage|rate|session|weekly|request)s? limit|limit (reached|will reset|exceeded)|hit your .{0,30}limit|quota|\b429\b/i;
const LIMIT_CHARS = 2_000;

export async function* attach(options: AttachOptions): AsyncGenerator<Notice> {
  const tail = followSession(options.file);
  const first = tail.look();
  const { policy, agentPolicy } = options.thresholds;
  const who = { agent: options.file.store, model: tail.facts().model };
  const limits = { ...policyFor(policy, who, agentPolicy), scope: [] };
  const watch = new AgentWatch({ policy: limits, earlier: first.entries, everyMs: options.intervalMs });
  let last = first.entries.findLast((entry) => entry.type !== 'usage');
  const { sessionId, cwd } = tail.facts();
  const found = agentProcess(options.file, cwd);
  let parkedUntil = 0;
  let toldTurn = false;
  let gone = false;
  const limit = last === undefined ? null : limitIn(last, options);
  yield {
    type: 'attached',
    sessionId,
    pid: found?.pid ?? null,
    entries: first.entries.length,
    advice: watch.advice,
  };

  if (limit !== null && limit.at > options.now()) {
    parkedUntil = limit.at + skewOf(limit, policy);
    yield { type: 'parked', until: parkedUntil, source: limit.source };
  }

  while (!options.signal.aborted) {
    const { entries, writtenAt } = tail.look();
    for (const entry of entries) {
      const stood = watch.standing.length > 0;
      for (const signal of watch.hear(entry)) yield { type: 'signal', signal };
      if (stood && watch.standing.length === 0) yield { type: 'progress', what: entry.type };
      const told = limitIn(entry, options);
      if (told !== null && told.at > parkedUntil) {
        parkedUntil = told.at + skewOf(told, policy);
        yield { type: 'parked', until: parkedUntil, source: told.source };
      }
      last = entry.type === 'usage' ? last : entry;
      toldTurn = false;
    }
    const now = options.now();
    const tree = found === null ? null : lookAtTree(found);
    if (!gone && tree?.state === 'gone') {
      gone = true;
      yield { type: 'process_gone' };
    }
    if (parkedUntil > 0 && now >= parkedUntil) {
      parkedUntil = 0;
      yield { type: 'limit_over', processGone: gone };
    }
    if (gone && parkedUntil === 0) return;
    if (parkedUntil === 0 && !gone) {
      if (isPersonsTurn(last)) {
        if (!toldTurn) yield { type: 'your_turn' };
        toldTurn = true;
      } else {
        const seen = tree === null ? null : seenOf(tree);
        const told = { sessionWrittenAt: writtenAt, ...(seen === null ? {} : { interactive: true }) };
        for (const signal of await watch.look(now, seen, told)) yield { type: 'signal', signal };
      }
    }
    await sleep(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

function skewOf(reset: ResetTime, { reset_skew_ms }: Policy): number {
  return Math.min(exactToMs(reset) ?? reset_skew_ms, reset_skew_ms);
}

function agentProcess(file: SessionFile, cwd: string | null): ProcessIdentity | null {
  const { program } = storeNamed(file.store);
  return program === null || cwd === null ? null : (findAgentProcesses(cwd, program)[0] ?? null);
}

function isPersonsTurn(last: TranscriptEntry | undefined): boolean {
  return last?.type === 'result' || (last?.type === 'message' && last.role === 'agent');
}

function seenOf({ state, cpuMs, leaderCpuMs, members }: TreeFacts): SeenProcesses | null {
  const isThere = state !== 'gone' && state !== 'unseen' && state !== 'zombie';
  return isThere ? { members, cpuMs, leaderCpuMs, stopped: state === 'stopped' } : null;
}

function limitIn(
  entry: TranscriptEntry,
  { now, timeZone }: AttachOptions,
): { readonly at: number; readonly source: string } | null {
  const said =
    entry.type === 'error' || entry.type === 'retry' || (entry.type === 'message' && entry.role === 'agent');
  if (!said || entry.text.length > LIMIT_CHARS || !LIMIT.test(entry.text)) return null;
  return parseResetTime(entry.text, now(), timeZone);
}
