/**
 * Watching one live attempt, from its start or from its adoption, until nobody of it lives any more.
 *
 *   looking -> (exit note, or everybody gone) -> draining -> emptied -> ended
 *
 * It reads, measures and reports facts; it never decides. Signals that would stop an agent are looked at twice.
 */
import { setImmediate as yieldToOthers, setTimeout as pause } from 'node:timers/promises';
import type { AgentAdapter } from '../agents/adapter.ts';
import { noteTime } from '../act/agent-notes.ts';
import { agentFiles } from '../act/run-files.ts';
import type { EndedBy, ExitFacts, Fact } from '../core/event.ts';
import { detectPolicyOf } from '../core/detect/detect-policy.ts';
import type { Tick } from '../core/detect/tick.ts';
import { createWatch, type Watch, watchNext } from '../core/detect/watch.ts';
import type { RunState } from '../core/run-state.ts';
import type { Signal } from '../core/signal.ts';
import type { TranscriptEntry, Usage } from '../core/transcript.ts';
import { totalUsage } from '../core/usage.ts';
import type { ContainerHandle } from '../platform/container-handle.ts';
import { type Observation, observe } from '../platform/observe.ts';
import { stopLadder } from '../platform/stop.ts';
import type { AttemptOutput } from './attempt-output.ts';

/** A death must be noticed within a second; looking costs a few milliseconds. */
const LOOK_MS = 200;
/** A flood must not keep the watch from looking at the clock. */
const READ_SLICE_MS = 250;
/** Time-driven detectors need no finer clock. */
const TICK_MS = 1_000;
/** Totals are journaled at most that often; a budget that runs out in between is still caught at the next. */
const USAGE_EVERY_MS = 2_000;
/** A chatty detector must not flood the journal. */
const MAX_SIGNALS = 100;
/** A second look before an agent is stopped for silence: it may just have spoken. */
const RECHECK_MS = 1_000;
/** After it raised the flag the agent may end by itself. */
const BLOCKER_GRACE_MS = 10_000;

export interface AttemptWatchOptions {
  readonly attempt: number;
  readonly handle: ContainerHandle;
  readonly adapter: AgentAdapter;
  readonly output: AttemptOutput;
  readonly startedAt: number;
  readonly state: () => RunState;
  readonly submit: (fact: Fact) => Promise<unknown>;
  /** Stores the entries. */
  readonly keep: (entries: readonly TranscriptEntry[]) => Promise<void>;
  /** Entries of this attempt from before an adoption, to warm the detectors up. */
  readonly earlier: readonly TranscriptEntry[];
  /** Looks at the tree; reports progress and takes a checkpoint where it changed. */
  readonly lookAtTree: (force: boolean) => Promise<{ readonly changed: string | null }>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

export async function watchAttempt(options: AttemptWatchOptions): Promise<void> {
  await new AttemptWatch(options).run();
}

class AttemptWatch {
  readonly #options: AttemptWatchOptions;
  #watch: Watch;
  #lastOutputAt: number;
  #lastLine = '';
  #tickAt = 0;
  #usage: Usage | null = null;
  #usageAt = 0;
  #treeAt: number;
  #noteAt: number | null = null;
  #resultAt: number | null = null;
  #frozenSince: number | null = null;
  #raised = 0;
  #suspect: { readonly signal: Signal; readonly at: number; readonly outputAt: number } | null = null;

  constructor(options: AttemptWatchOptions) {
    this.#options = options;
    const { policy, scope } = options.state();
    const limits = detectPolicyOf(policy, scope.allowed);
    const speaksTurns = options.adapter.name !== 'command';
    this.#watch = createWatch(speaksTurns ? limits : { ...limits, silenceMs: policy.command_silence_ms });
    for (const entry of options.earlier) this.#watch = watchNext(this.#watch, entry).watch;
    this.#lastOutputAt = options.now();
    this.#treeAt = options.now();
  }

  async run(): Promise<void> {
    const { handle, output, signal, submit, attempt, now } = this.#options;
    let seen: Observation;
    for (;;) {
      signal.throwIfAborted();
      seen = await observe(handle);
      await this.#read(false);
      if (seen.exit !== null || seen.empty) break;
      if (seen.leader === 'gone' && seen.attendant === 'gone') break;
      await this.#look(seen);
      await pause(LOOK_MS, undefined, { signal });
    }
    while (!(await this.#read(true)));
    await output.close();
    const emptied = await this.#empty();
    if (!emptied) {
      await submit({
        type: 'attempt_unkillable',
        at: now(),
        attempt,
        evidence: [
          `processes left: ${(await observe(handle)).members.map(({ pid, command }) => `${pid} ${command}`).join(', ')}`,
        ],
      });
      await this.#untilEmpty();
    }
    await this.#reportUsage(true);
    await submit({
      type: 'attempt_ended',
      at: now(),
      attempt,
      exit: this.#exitFacts((await observe(handle)).exit),
    });
  }

  /** What is left of the container after its leader's end has no claim to live. */
  async #empty(): Promise<boolean> {
    const { handle, signal } = this.#options;
    const { policy } = this.#options.state();
    const outcome = await stopLadder(handle, {
      softSignal: null,
      softMs: 0,
      termMs: Math.min(policy.stop_term_ms, 2_000),
      killEveryMs: policy.stop_kill_every_ms,
      giveUpMs: policy.stop_give_up_ms,
      signal,
    });
    return outcome !== 'unkillable';
  }

  async #untilEmpty(): Promise<void> {
    while (!(await observe(this.#options.handle)).empty)
      await pause(TICK_MS, undefined, { signal: this.#options.signal });
  }

  #exitFacts(exit: Observation['exit']): ExitFacts {
    const { life } = this.#options.state();
    const stoppedBy: EndedBy | null = life.type === 'stopping' ? life.by : null;
    if (exit === null)
      return {
        exitCode: null,
        signal: null,
        outOfMemory: false,
        endedBy: stoppedBy ?? 'unobserved',
        exitedAt: null,
      };
    return {
      exitCode: exit.exitCode,
      signal: exit.signal,
      outOfMemory: exit.oomKilled === true && stoppedBy === null,
      endedBy: stoppedBy ?? 'itself',
      exitedAt: Date.parse(exit.at),
    };
  }

  /** Reads what is there, piece by piece, for as long as the clock allows. True once everything was read. */
  async #read(final: boolean): Promise<boolean> {
    const { output, keep, now } = this.#options;
    const begun = performance.now();
    for (;;) {
      const at = now();
      const { entries, grew, skippedBytes, atEnd, lastLine } = await output.read(at, final);
      if (grew) this.#lastOutputAt = at;
      this.#lastLine = lastLine;
      const all = skippedBytes > 0 ? [gap(skippedBytes, at), ...entries] : entries;
      await keep(all);
      for (const entry of all) await this.#notice(entry);
      if (atEnd) return true;
      if (performance.now() - begun > READ_SLICE_MS) return false;
      await yieldToOthers();
    }
  }

  async #notice(entry: TranscriptEntry): Promise<void> {
    if (entry.type === 'usage') this.#usage = entry.usage;
    if (entry.type === 'result') {
      this.#resultAt = entry.at;
      if (entry.usage !== undefined) this.#usage = entry.usage;
    }
    await this.#feed(entry);
  }

  async #feed(entry: TranscriptEntry | Tick): Promise<void> {
    const { watch, signals } = watchNext(this.#watch, entry);
    this.#watch = watch;
    // Several detectors often see the same trouble in one step; the gravest is told, the others add nothing.
    const gravest = signals.find(({ severity }) => severity === 'critical') ?? signals[0];
    if (gravest !== undefined) await this.#raise(gravest);
  }

  async #raise(signal: Signal): Promise<void> {
    if (signal.type === 'frozen') return;
    if (signal.type === 'stalled' && signal.severity === 'critical') {
      this.#suspect ??= { signal, at: this.#options.now(), outputAt: this.#lastOutputAt };
      return;
    }
    await this.#report(signal);
  }

  async #report(signal: Signal): Promise<void> {
    if (this.#raised >= MAX_SIGNALS && signal.severity !== 'critical') return;
    this.#raised += 1;
    const { submit, attempt, now } = this.#options;
    await submit({ type: 'signal_raised', at: now(), attempt, signal });
  }

  async #look(seen: Observation): Promise<void> {
    const at = this.#options.now();
    if (at - this.#tickAt < TICK_MS) return;
    this.#tickAt = at;
    await this.#feed(this.#tick(seen, at));
    await this.#recheck(at);
    await this.#lookFrozen(seen, at);
    await this.#lookAtNotes(at);
    await this.#lookAtTree(at);
    await this.#reportUsage(false);
    await this.#lookFinished(at);
  }

  #tick(seen: Observation, at: number): Tick {
    const state = this.#options.state();
    const used = totalUsage(state);
    const { budget, task, attempts } = state;
    const limit = (name: 'tokens' | 'usd' | 'turns', value: number, max: number | null) =>
      max === null ? [] : [{ name, used: value, limit: max }];
    return {
      type: 'tick',
      at,
      startedAt: this.#options.startedAt,
      lastOutputAt: this.#lastOutputAt,
      cpuMs: seen.cpuMs,
      children: Math.max(0, seen.members.length - 1),
      lastLine: this.#lastLine,
      ...(task.expectedMs === null ? {} : { expectedMs: task.expectedMs }),
      budgets: [
        ...limit('tokens', used.tokens, budget.tokens),
        ...limit('usd', used.costUsd, budget.usd),
        ...limit('turns', used.turns, budget.turns),
      ],
      gatesFailing:
        state.checks.some((check) => check.purpose === 'gate') && state.checks.at(-1)?.passed === false,
      attemptsWithoutImprovement: attempts.filter(({ progressAt }) => progressAt === null).length - 1,
    };
  }

  /** The second probe: still silent a moment later, or the suspicion is dropped. */
  async #recheck(at: number): Promise<void> {
    const suspect = this.#suspect;
    if (suspect === null || at - suspect.at < RECHECK_MS) return;
    this.#suspect = null;
    if (this.#lastOutputAt > suspect.outputAt) return;
    const { changed } = await this.#options.lookAtTree(true);
    if (changed !== null) return this.#progress(changed, at);
    await this.#report(suspect.signal);
  }

  async #lookFrozen(seen: Observation, at: number): Promise<void> {
    if (!seen.frozen) {
      this.#frozenSince = null;
      return;
    }
    this.#frozenSince ??= at;
    if (at - this.#frozenSince < this.#options.state().policy.frozen_ms) return;
    await this.#report({
      type: 'frozen',
      severity: 'critical',
      reason: 'the agent process is stopped and cannot run',
      sinceAt: this.#frozenSince,
      at,
      evidence: ['process state: stopped'],
      confidence: 0.99,
      suggestedAction: 'end it and resume the session',
      disproof: 'the process runs again',
    });
  }

  async #lookAtNotes(at: number): Promise<void> {
    const files = agentFiles(this.#options.handle.attemptDir);
    const raisedAt = noteTime(files.blocker);
    if (raisedAt !== null && at - raisedAt > BLOCKER_GRACE_MS) {
      await this.#report({
        type: 'blocker_raised',
        severity: 'critical',
        reason: 'the agent raised the blocker flag',
        sinceAt: raisedAt,
        at,
        evidence: [],
        confidence: 1,
        suggestedAction: 'answer its question',
      });
    }
    const notedAt = noteTime(files.checkpoint);
    if (notedAt !== null && notedAt !== this.#noteAt) {
      this.#noteAt = notedAt;
      this.#treeAt = 0;
    }
  }

  async #lookAtTree(at: number): Promise<void> {
    if (at - this.#treeAt < this.#options.state().policy.snapshot_every_ms) return;
    const begun = performance.now();
    const { changed } = await this.#options.lookAtTree(false);
    // A costly look is taken rarely: at most a twentieth of the time goes into looking.
    this.#treeAt = at + Math.round(20 * (performance.now() - begun));
    if (changed !== null) await this.#progress(changed, at);
  }

  async #progress(detail: string, at: number): Promise<void> {
    const { submit, attempt } = this.#options;
    await submit({ type: 'progress_observed', at, attempt, kind: 'tree', detail });
    await this.#feed({ type: 'progress', at, kind: 'tree', detail });
  }

  async #reportUsage(final: boolean): Promise<void> {
    const at = this.#options.now();
    if (this.#usage === null || (!final && at - this.#usageAt < USAGE_EVERY_MS)) return;
    const usage = this.#usage;
    this.#usage = null;
    this.#usageAt = at;
    await this.#options.submit({ type: 'usage_reported', at, attempt: this.#options.attempt, usage });
  }

  /** It said its last word but does not end: after the grace its tree goes, and the word counts as a claim. */
  async #lookFinished(at: number): Promise<void> {
    if (this.#resultAt === null || at - this.#resultAt < this.#options.state().policy.final_grace_ms) return;
    if (this.#lastOutputAt > this.#resultAt + this.#options.state().policy.final_grace_ms) return;
    this.#resultAt = null;
    await this.#report({
      type: 'stalled',
      severity: 'critical',
      reason: 'the agent gave its final result but did not end',
      sinceAt: at,
      at,
      evidence: [],
      confidence: 0.95,
      suggestedAction: 'end it; its result goes to the gate',
    });
  }
}

function gap(bytes: number, at: number): TranscriptEntry {
  return {
    type: 'unknown',
    at,
    raw: `[${bytes} bytes of output skipped: written faster than they could be read]`,
  };
}
