/**
 * The keeper of one run: the loop of the ring. It owns the run by a lease, performs the core's commands, watches the live
 * attempt, and turns time and other people's words into facts.
 *
 *   while owned: renew lease · mailbox · due timers · one command at a time · watch the attempt
 *   ends when the run has ended, or waits for a person or in the queue (nothing runs, nothing burns), or the lease is lost
 */
import type { ActContext } from '../act/act.ts';
import { perform } from '../act/perform.ts';
import type { Command } from '../core/command.ts';
import type { Fact } from '../core/event.ts';
import type { ClockReading } from '../platform/host.ts';
import { type RunRecord, StaleWriter, type StoredCommand } from '../record/contract.ts';
import type { Redactor } from '../record/redact.ts';
import { FleetBoard } from './fleet-board.ts';
import { HostGate } from './host-gate.ts';
import { lessonsBefore } from './lessons/lessons-before.ts';
import { proposeLessons } from './lessons/propose-lessons.ts';
import { Alarm } from './alarm.ts';
import { failedCommand } from './failed-command.ts';
import { LeaseKeeping } from './lease-keeping.ts';
import { liveWatch } from './live-watch.ts';
import { readMail } from './mail.ts';
import { otherRuns } from './other-runs.ts';
import { isLive, type RunJournal } from './run-journal.ts';

/** How soon a person's word or a due timer is seen. What happens in this process wakes the loop at once. */
const LOOP_MS = 100;

export interface KeeperOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly journal: RunJournal;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Tests put the machine to sleep here. */
  readonly clocks?: () => ClockReading;
  /** Called after every turn, for the live view. */
  readonly onTurn?: () => void;
  /** What the process looks after besides the run; called with every look, must not fail. */
  readonly tend?: () => Promise<void>;
}

export type KeeperEnd = 'ended' | 'waits_for_person' | 'queued' | 'lease_lost';

export async function keep(options: KeeperOptions): Promise<KeeperEnd> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  try {
    return await new Keeper({ ...options, signal }).run();
  } catch (error) {
    if (error instanceof StaleWriter) return 'lease_lost';
    throw error;
  } finally {
    stop.abort();
  }
}

class Keeper {
  readonly #options: KeeperOptions;
  #acting: Promise<void> | null = null;
  #watching: Promise<void> | null = null;
  #watchedAttempt = 0;
  #failure: unknown = null;
  readonly #alarm = new Alarm();

  readonly #board: FleetBoard;
  readonly #host: HostGate;
  readonly #lease: LeaseKeeping;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#board = new FleetBoard(options.record, options.env);
    this.#host = new HostGate(options);
    const { journal, record } = options;
    const { policy, runId } = journal.state;
    this.#lease = new LeaseKeeping(policy, () =>
      record.renewLease({ runId, fence: journal.fence, now: Date.now(), ttlMs: policy.lease_ms }),
    );
  }

  async run(): Promise<KeeperEnd> {
    try {
      return await this.#loop();
    } finally {
      this.#lease.end();
    }
  }

  async #loop(): Promise<KeeperEnd> {
    const { journal, record, signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if (this.#failure !== null) throw this.#failure;
      if (!(await this.#lease.keep())) return 'lease_lost';
      await this.#options.tend?.();
      await this.#readMail();
      await this.#host.look((fact) => this.#submit(fact));
      await this.#fireTimers();
      await this.#lookAtFleet('sometimes');
      this.#watchAttempt();
      await this.#act();
      const end = await this.#end();
      if (end !== null) {
        await record.releaseLease(journal.state.runId, journal.fence);
        return end;
      }
      await this.#alarm.wait(LOOP_MS, signal);
    }
  }

  async #readMail(): Promise<void> {
    const { journal, record } = this.#options;
    for (const item of await record.mailbox(journal.state.runId)) {
      await this.#submit(readMail(item, Date.now()), { acknowledged: [item.id] });
    }
  }

  async #fireTimers(): Promise<void> {
    const { journal, record } = this.#options;
    const now = Date.now();
    for (const timer of await record.timers(journal.state.runId)) {
      if (timer.dueAt <= now)
        await this.#submit({ type: 'timer_fired', at: now, name: timer.name }, { fired: timer.name });
    }
  }

  #watchAttempt(): void {
    const { journal } = this.#options;
    const attempt = journal.state.attempts.length;
    if (this.#watching !== null || !isLive(journal.state) || this.#watchedAttempt === attempt) return;
    this.#watchedAttempt = attempt;
    this.#watching = liveWatch({ ...this.#options, submit: (fact) => this.#submit(fact) })
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#watching = null;
        this.#alarm.ring();
      });
  }

  /** One command at a time, oldest first; the loop goes on while it runs. */
  async #act(): Promise<void> {
    if (this.#acting !== null) return;
    const { journal, record } = this.#options;
    const [command] = await record.pendingCommands(journal.state.runId);
    if (command === undefined || !(await this.#mayStart(command))) return;
    const ours = await record.beginCommand({
      runId: journal.state.runId,
      key: command.key,
      fence: journal.fence,
      now: Date.now(),
    });
    if (!ours) throw new StaleWriter('the run was taken over');
    this.#acting = this.#perform(command)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#acting = null;
        this.#alarm.ring();
      });
  }

  async #lookAtFleet(when: 'sometimes' | 'now', starting: number | null = null): Promise<void> {
    const { journal } = this.#options;
    await this.#board.look(
      () => journal.state,
      (fact) => this.#submit(fact),
      when,
      starting,
    );
  }

  /** Before a process comes to be: is anything holding all of us? One that somebody began is looked at, never dropped. */
  async #mayStart(stored: StoredCommand): Promise<boolean> {
    const { journal } = this.#options;
    if (stored.type !== 'start_attempt' || stored.begunAt !== null) return true;
    const { attempt } = JSON.parse(stored.body) as Extract<Command, { type: 'start_attempt' }>;
    await this.#lookAtFleet('now', attempt);
    if (journal.state.life.type !== 'working' && journal.state.life.type !== 'stopping') {
      await journal.settle(stored.key);
      return false;
    }
    if (journal.state.attempts.at(-1)?.counted) await this.#board.restarts(journal.state.runId);
    return true;
  }

  async #perform(stored: StoredCommand): Promise<void> {
    const { home, env, journal, record } = this.#options;
    const lease = this.#lease.work;
    const signal = AbortSignal.any([this.#options.signal, lease]);
    const command = JSON.parse(stored.body) as Command;
    const { state } = journal;
    // Before the release settles: whoever takes over a run with nothing left to do would never learn from it.
    if (stored.type === 'release') for (const fact of await this.#proposals()) await journal.submit(fact);
    const others = () => otherRuns(record, state);
    const context: ActContext = { home, env, signal, state, others, now: () => Date.now() };
    const facts = await perform(context, command).catch((error: unknown) => {
      // The agent of a start that somebody began may live: who cannot see it must not call it failed.
      if (stored.type === 'start_attempt' && stored.begunAt !== null) throw error;
      return signal.aborted ? [] : [failedCommand(command, error)];
    });
    this.#options.signal.throwIfAborted();
    // Not ours for the moment: the command stays pending, and whoever holds the lease next does it again.
    if (lease.aborted) return;
    // Somebody else may have met the same a moment ago, and asks for all.
    if (stored.type === 'examine_attempt') await this.#lookAtFleet('now');
    for (const [index, fact] of facts.entries()) {
      await this.#submit(fact, index === facts.length - 1 ? { settled: [stored.key] } : {});
    }
    if (facts.length === 0) await journal.settle(stored.key);
  }

  async #end(): Promise<KeeperEnd | null> {
    const { journal, record } = this.#options;
    const { life } = journal.state;
    if (this.#acting !== null || this.#watching !== null) return null;
    const done = life.type === 'ended' || life.type === 'queued';
    if (!done && !(life.type === 'waiting' && life.for === 'person')) return null;
    if ((await record.pendingCommands(journal.state.runId)).length > 0) return null;
    // The last look places what this run asks for all, or takes back what somebody else asks already.
    await this.#lookAtFleet('now');
    if (journal.state.life !== life) return null;
    return done ? life.type : 'waits_for_person';
  }

  /** Enriching is the last step of a rescue: what was learned is on record before the run is released. */
  #proposals(): Promise<readonly Fact[]> {
    const { journal, record, redactor } = this.#options;
    return proposeLessons(record, journal.state, (text) => redactor.redact(text), Date.now());
  }

  async #submit(
    fact: Fact,
    settling: { settled?: string[]; acknowledged?: number[]; fired?: string } = {},
  ): Promise<void> {
    const { journal, record } = this.#options;
    const lessons = await lessonsBefore(record, journal.state, fact);
    if (lessons !== null) await journal.submit(lessons);
    await this.#board.claim(
      () => journal.state,
      fact,
      (news) => journal.submit(news),
    );
    const step = await journal.submit(fact, settling);
    if (step !== null) await this.#board.tell(step.state, step.decisions);
    this.#alarm.ring();
    this.#options.onTurn?.();
  }
}
