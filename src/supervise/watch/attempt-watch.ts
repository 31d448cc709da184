/**
 * `watchAttempt`: watches one live attempt, from its start or from its adoption, until none of its processes lives.
 *
 *   looking -> (exit note, or all processes gone) -> draining -> emptied -> ended
 *
 * It reads, measures and submits facts; it never decides. At each tick it looks at everything first, then it asks the detectors.
 */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { noteTime } from '../../act/attempt/agent-notes.ts';
import { agentFiles } from '../../act/run-files.ts';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { hasExitNote } from '../../platform/container/attempt-files.ts';
import { type Observation, observe } from '../../platform/container/observe.ts';
import { stopLadder } from '../../platform/container/stop.ts';
import { bootId } from '../../platform/process/process-identity.ts';
import { GrowingPause } from '../../platform/growing-pause.ts';
import { AttemptSignals } from './attempt-signals.ts';
import { toldFacts, ToldLines } from './told-facts.ts';
import type { TreeLook, WatchedAttempt } from './watched-attempt.ts';
import type { ExitFacts } from '../../core/vocabulary/events/event.ts';
import type { RunState } from '../../core/state/run-state.ts';

/** A death must be noticed within a second; looking costs a few milliseconds. */
const LOOK_MS = 200;
/** The exit note alone can be looked for all the time: one file name, no process table. */
const EXIT_LOOK_MS = 20;
/** Time-driven detectors need no finer clock. */
const TICK_MS = 1_000;
/** Totals are journaled at most this often; a budget that runs out in between is found with the next total. */
const USAGE_EVERY_MS = 2_000;
/** Processes that the leader left behind get at most this long to end after SIGTERM. */
const LEFT_BEHIND_TERM_MS = 2_000;
/** At most a twentieth of the time goes into looking at the tree. */
const TREE_LOOK_SHARE = 20;

export async function watchAttempt(watched: WatchedAttempt): Promise<void> {
  await new AttemptWatch(watched).run();
}

class AttemptWatch {
  readonly #watched: WatchedAttempt;
  readonly #signals: AttemptSignals;
  readonly #told: ToldLines;
  readonly #exitLook = new GrowingPause(EXIT_LOOK_MS);
  // Times of the monotonic clock: a wall clock that is set back an hour must not stop the watch for an hour.
  #tickedAt = Number.NEGATIVE_INFINITY;
  #treeAt = performance.now();
  /** When the tree was last looked at, by the clock of the files. */
  #treeSeenAt: number;
  #usageAt = Number.NEGATIVE_INFINITY;
  #usage: Usage | null = null;
  /** When the agent last wrote its wish for a checkpoint. */
  #noteAt: number | null = null;

  constructor(watched: WatchedAttempt) {
    this.#watched = watched;
    this.#signals = new AttemptSignals(watched, TICK_MS);
    this.#told = new ToldLines(watched);
    this.#treeSeenAt = watched.now();
  }

  async run(): Promise<void> {
    const { handle, output, signal, submit, attempt, now, state } = this.#watched;
    for (;;) {
      signal.throwIfAborted();
      const seen = await observe(handle);
      await this.#read(false);
      if (seen.exit !== null || seen.empty) break;
      if (seen.leader === 'gone' && seen.attendant === 'gone') break;
      await this.#look(seen);
      await this.#pause();
    }
    while (!(await this.#read(true)));
    await output.close();
    await this.#empty();
    await this.#reportUsage(true);
    await this.#hearTold();
    const last = await observe(handle);
    // The agent was gone before the first tick: detectors that count over attempts still get one.
    if (this.#tickedAt === Number.NEGATIVE_INFINITY)
      await this.#signals.look(now(), null, toldFacts(this.#watched, null, now()));
    const exit = exitFacts(state(), last.exit, handle.attendant.bootId !== bootId());
    await submit({ type: 'attempt_ended', at: now(), attempt, exit });
  }

  async #pause(): Promise<void> {
    const { handle, signal } = this.#watched;
    const until = performance.now() + LOOK_MS;
    while (performance.now() < until && !hasExitNote(handle.attemptDir)) await this.#exitLook.wait(signal);
  }

  /** Stops the processes that are left in the container after its leader has ended. */
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

  /** True once everything was read. */
  async #read(final: boolean): Promise<boolean> {
    const { output, keep } = this.#watched;
    return await output.read(final, async (entries) => {
      await keep(entries);
      for (const entry of entries) {
        if (entry.type === 'usage') this.#usage = entry.usage;
        if (entry.type === 'result' && entry.usage !== undefined) this.#usage = entry.usage;
        await this.#signals.hear(entry);
      }
    });
  }

  async #look({ members, cpuMs, leaderCpuMs, frozen }: Observation): Promise<void> {
    if (performance.now() - this.#tickedAt < TICK_MS) return;
    this.#tickedAt = performance.now();
    const at = this.#watched.now();
    const tree = await this.#lookAtTree(at);
    const facts = toldFacts(this.#watched, tree, at);
    await this.#signals.look(at, { members, cpuMs, leaderCpuMs, stopped: frozen }, facts);
    await this.#reportUsage(false);
    await this.#hearTold();
  }

  async #hearTold(): Promise<void> {
    for (const fact of this.#told.read()) await this.#watched.submit(fact);
    await this.#hearNudge();
  }

  /** The message is a word in a person's place: what the agent does from now on is counted anew. */
  async #hearNudge(): Promise<void> {
    const { attempt, handle, state, submit, keep, now } = this.#watched;
    const nudge = state().attempts.find(({ number }) => number === attempt)?.nudge;
    if (nudge?.heardAt !== null || !existsSync(agentFiles(handle.attemptDir).nudge.taken)) return;
    const at = now();
    await submit({ type: 'nudge_heard', at, attempt });
    const word: TranscriptEntry = { at, type: 'message', role: 'person', text: nudge.text };
    await keep([word]);
    await this.#signals.hear(word);
  }

  /** Looks when it is time, when the agent asks for a checkpoint, and before the agent is called silent. */
  async #lookAtTree(at: number): Promise<TreeLook | null> {
    const begun = performance.now();
    const isDue = begun - this.#treeAt >= this.#watched.state().policy.snapshot_every_ms;
    const isAskedFor = this.#asksForCheckpoint();
    if (!isDue && !isAskedFor && !this.#signals.suspectsStall) return null;
    const look = await this.#watched.lookAtTree();
    this.#treeAt = performance.now() + TREE_LOOK_SHARE * (performance.now() - begun);
    const seenBefore = this.#treeSeenAt;
    this.#treeSeenAt = at;
    if (look === null) return null;
    // The change came between two looks, whatever the clock of a file server says.
    const changedAt = Math.min(at, Math.max(seenBefore, look.changedAt ?? at));
    const { submit, attempt } = this.#watched;
    const progress = { at, kind: 'tree', detail: look.detail, changedAt } as const;
    await submit({ type: 'progress_observed', attempt, ...progress });
    await this.#signals.hear({ type: 'progress', ...progress });
    return look;
  }

  /** True once for every note. */
  #asksForCheckpoint(): boolean {
    const before = this.#noteAt;
    this.#noteAt = noteTime(agentFiles(this.#watched.handle.attemptDir).checkpoint);
    return this.#noteAt !== null && this.#noteAt !== before;
  }

  async #reportUsage(final: boolean): Promise<void> {
    const { now, submit, attempt } = this.#watched;
    const usage = this.#usage;
    if (usage === null || (!final && performance.now() - this.#usageAt < USAGE_EVERY_MS)) return;
    this.#usage = null;
    this.#usageAt = performance.now();
    await submit({ type: 'usage_reported', at: now(), attempt, usage });
  }
}

/** Returns how an attempt ended, for the journal: exit code, signal, and what ended it. */
function exitFacts({ life }: RunState, exit: Observation['exit'], isRebooted: boolean): ExitFacts {
  const stoppedBy = life.type === 'stopping' ? life.by : null;
  if (exit === null)
    return {
      exitCode: null,
      signal: null,
      outOfMemory: false,
      endedBy: stoppedBy ?? (isRebooted ? 'host' : 'unobserved'),
      exitedAt: null,
    };
  return {
    exitCode: exit.exitCode,
    signal: exit.signal,
    outOfMemory: exit.oomKilled === true && stoppedBy === null,
    endedBy: stoppedBy ?? (exit.leaseEnded === true ? 'host' : 'itself'),
    exitedAt: Date.parse(exit.at),
  };
}
