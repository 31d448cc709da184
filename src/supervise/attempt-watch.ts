/**
 * Watching one live attempt, from its start or from its adoption, until nobody of it lives any more.
 *
 *   looking -> (exit note, or everybody gone) -> draining -> emptied -> ended
 *
 * It reads, measures and reports facts; it never decides. Signals that would stop an agent are looked at twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { TranscriptEntry, Usage } from '../core/vocabulary/transcript.ts';
import { hasExitNote } from '../platform/attempt-files.ts';
import { type Observation, observe } from '../platform/observe.ts';
import { stopLadder } from '../platform/stop.ts';
import { AttemptLooks } from './attempt-looks.ts';
import { AttemptReading } from './attempt-reading.ts';
import { LifeLooks } from './life-looks.ts';
import { AttemptSignals } from './attempt-signals.ts';
import { exitFacts } from './exit-facts.ts';
import { tickOf } from './tick-of.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

/** A death must be noticed within a second; looking costs a few milliseconds. */
const LOOK_MS = 200;
/** The exit note alone can be looked for all the time: one file name, no process table. */
const EXIT_LOOK_MS = 20;
/** Time-driven detectors need no finer clock. */
const TICK_MS = 1_000;
/** Longer between two ticks: the machine slept, stood still, or its clock was moved. Below, it is only busy. */
const UNWATCHED_MS = 5_000;
/** Totals are journaled at most that often; a budget that runs out in between is still caught at the next. */
const USAGE_EVERY_MS = 2_000;
/** What its leader left behind gets no longer than this to end politely. */
const LEFT_BEHIND_TERM_MS = 2_000;
/** At most a twentieth of the time goes into looking at the tree. */
const TREE_LOOK_SHARE = 20;

export async function watchAttempt(watched: WatchedAttempt): Promise<void> {
  await new AttemptWatch(watched).run();
}

class AttemptWatch {
  readonly #watched: WatchedAttempt;
  readonly #reading: AttemptReading;
  readonly #signals: AttemptSignals;
  readonly #looks: AttemptLooks;
  readonly #life = new LifeLooks();
  #tickedAt = Number.NEGATIVE_INFINITY;
  #lookedAt: number;
  #awakeSince: number;
  #treeAt: number;
  #usage: Usage | null = null;
  #usageAt = 0;

  constructor(watched: WatchedAttempt) {
    this.#watched = watched;
    this.#reading = new AttemptReading(watched, (entry) => this.#notice(entry));
    this.#signals = new AttemptSignals(watched, () =>
      Math.max(this.#reading.lastOutputAt, this.#life.socketsAt),
    );
    this.#looks = new AttemptLooks(watched);
    this.#treeAt = watched.now();
    this.#lookedAt = this.#treeAt;
    this.#awakeSince = this.#treeAt;
  }

  async run(): Promise<void> {
    const { handle, output, signal, submit, attempt, now, state } = this.#watched;
    for (;;) {
      signal.throwIfAborted();
      const seen = await observe(handle);
      await this.#reading.read(false);
      if (seen.exit !== null || seen.empty) break;
      if (seen.leader === 'gone' && seen.attendant === 'gone') break;
      await this.#look(seen);
      await this.#pause();
    }
    while (!(await this.#reading.read(true)));
    await output.close();
    await this.#empty();
    await this.#reportUsage(true);
    const last = await observe(handle);
    // Gone before the first tick: what is counted over attempts is counted all the same.
    if (this.#tickedAt === Number.NEGATIVE_INFINITY)
      await this.#signals.feed(
        tickOf(this.#watched, this.#reading, last, {}, { at: now(), awakeSince: this.#awakeSince }),
      );
    const exit = exitFacts(state(), last.exit);
    await submit({ type: 'attempt_ended', at: now(), attempt, exit });
  }

  async #pause(): Promise<void> {
    const { handle, signal } = this.#watched;
    const until = performance.now() + LOOK_MS;
    while (performance.now() < until && !hasExitNote(handle.attemptDir))
      await pause(EXIT_LOOK_MS, undefined, { signal });
  }

  /** What is left of the container after its leader's end has no claim to live. */
  async #empty(): Promise<void> {
    const { handle, signal, attempt, submit, now } = this.#watched;
    const { policy } = this.#watched.state();
    const outcome = await stopLadder(handle, {
      softSignal: null,
      softMs: 0,
      termMs: Math.min(policy.stop_term_ms, LEFT_BEHIND_TERM_MS),
      killEveryMs: policy.stop_kill_every_ms,
      giveUpMs: policy.stop_give_up_ms,
      signal,
    });
    if (outcome !== 'unkillable') return;
    const left = (await observe(handle)).members.map(({ pid, command }) => `${pid} ${command}`);
    await submit({
      type: 'attempt_unkillable',
      at: now(),
      attempt,
      evidence: [`processes left: ${left.join(', ')}`],
    });
    while (!(await observe(handle)).empty) await pause(TICK_MS, undefined, { signal });
  }

  async #notice(entry: TranscriptEntry): Promise<void> {
    if (entry.type === 'usage') this.#usage = entry.usage;
    if (entry.type === 'result') {
      this.#looks.finished(entry.at);
      if (entry.usage !== undefined) this.#usage = entry.usage;
    }
    await this.#signals.feed(entry);
  }

  async #look(seen: Observation): Promise<void> {
    // Paced by the clock that nobody can set: a wall clock an hour back must not blind the watch for an hour.
    if (performance.now() - this.#tickedAt < TICK_MS) return;
    this.#tickedAt = performance.now();
    const at = this.#watched.now();
    this.#noticeGap(at);
    const awakeSince = this.#awakeSince;
    const life = await this.#life.look(seen, at, {
      quietMs: at - this.#reading.lastOutputAt,
      silenceMs: this.#signals.silenceMs,
    });
    await this.#signals.feed(tickOf(this.#watched, this.#reading, seen, life, { at, awakeSince }));
    const moved = await this.#signals.recheck(at, awakeSince);
    if (moved !== null) await this.#progress(moved, at);
    for (const signal of [this.#looks.frozen(seen, at), this.#looks.blocker(at)])
      if (signal !== null) await this.#signals.report(signal);
    if (this.#looks.asksForCheckpoint()) this.#treeAt = 0;
    await this.#lookAtTree(at);
    await this.#reportUsage(false);
    const lingers = this.#looks.lingers(this.#reading.lastOutputAt, at);
    if (lingers !== null) await this.#signals.report(lingers);
  }

  /** Nobody saw what the agent did meanwhile, and where the machine slept it could do nothing. */
  #noticeGap(at: number): void {
    const passed = at - this.#lookedAt;
    this.#lookedAt = at;
    if (passed < UNWATCHED_MS && passed > -TICK_MS) return;
    this.#awakeSince = at;
    this.#treeAt = Math.min(this.#treeAt, at);
    this.#usageAt = Math.min(this.#usageAt, at);
  }

  async #lookAtTree(at: number): Promise<void> {
    if (at - this.#treeAt < this.#watched.state().policy.snapshot_every_ms) return;
    const begun = performance.now();
    const { changed } = await this.#watched.lookAtTree(false);
    this.#treeAt = at + Math.round(TREE_LOOK_SHARE * (performance.now() - begun));
    if (changed !== null) await this.#progress(changed, at);
  }

  async #progress(detail: string, at: number): Promise<void> {
    const { submit, attempt } = this.#watched;
    await submit({ type: 'progress_observed', at, attempt, kind: 'tree', detail });
    await this.#signals.feed({ type: 'progress', at, kind: 'tree', detail });
  }

  async #reportUsage(final: boolean): Promise<void> {
    const { now, submit, attempt } = this.#watched;
    const at = now();
    if (this.#usage === null || (!final && at - this.#usageAt < USAGE_EVERY_MS)) return;
    const usage = this.#usage;
    this.#usage = null;
    this.#usageAt = at;
    await submit({ type: 'usage_reported', at, attempt, usage });
  }
}
