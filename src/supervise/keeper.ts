/**
 * `keep`: keeps one run in a loop. The keeper owns the run by a lease, performs the core's commands, watches the live attempt, and
 * turns due timers and the words of people into facts.
 *
 *   while owned: renew lease · mailbox · due timers · one command at a time · watch the attempt
 *   ends when the run has ended, or waits for a person or in the queue (then nothing runs), or the lease is lost
 */
import { writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ClockReading } from '../platform/host.ts';
import { StaleWriter } from '../record/contract/record-unavailable.ts';
import type { StoredCommand, Timer } from '../record/contract/outbox.ts';
import { HostGate } from './host-gate.ts';
import { CommandHands } from './command-hands.ts';
import { KeeperLog, waitingOf } from './keeper-log.ts';
import { LeaseKeeping } from './lease/lease-keeping.ts';
import { liveWatch } from './watch/live-watch.ts';
import { hearMail } from './mail/hear-mail.ts';
import { RunIntake } from './run-intake.ts';
import type { RunShipper } from './hosts/ship-run.ts';
import { RowGuard } from './mail/row-guard.ts';
import { type KeptRun, isLive } from './run-journal.ts';

/** How soon a person's word or a due timer is seen. What happens in this process wakes the loop at once. */
const LOOP_MS = 100;

export interface KeeperOptions extends KeptRun {
  /** Where another host may take the run: what it needs is put into the record, and agents end with the lease. */
  readonly moving?: { readonly shipper: RunShipper; readonly leaseFile: string } | undefined;
  /** Tests give clocks of a machine that sleeps. */
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
  /** The type of the command under way. */
  #command: string | null = null;
  #watching: Promise<void> | null = null;
  #watchedAttempt = 0;
  #failure: unknown = null;
  readonly #alarm = new WakeablePause();

  readonly #intake: RunIntake;
  readonly #host: HostGate;
  readonly #lease: LeaseKeeping;
  readonly #hands: CommandHands;
  readonly #guard: RowGuard;
  readonly #log: KeeperLog;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#intake = new RunIntake({ ...options, shipper: options.moving?.shipper }, () => {
      this.#alarm.ring();
      options.onTurn?.();
    });
    this.#host = new HostGate(options);
    const { journal, record } = options;
    const { policy, runId } = journal.state;
    this.#log = new KeeperLog({ ...options, runId });
    journal.onTurn = (fact, step) => this.#log.turn(fact.type, step);
    this.#lease = new LeaseKeeping(policy, () =>
      this.#renew({ runId, fence: journal.fence, ttlMs: policy.lease_ms }),
    );
    this.#guard = new RowGuard(record, journal, this.#intake);
    this.#hands = new CommandHands(
      { ...options, leaseFile: options.moving?.leaseFile },
      this.#intake,
      this.#lease,
      this.#host,
    );
  }

  async run(): Promise<KeeperEnd> {
    const { journal } = this.#options;
    try {
      const end = await this.#loop();
      this.#log.ended(end);
      return end;
    } catch (error) {
      this.#log.ended(error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      journal.onTurn = null;
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
      const seen = await record.look(journal.state.runId);
      await hearMail(this.#options, this.#intake, seen.mail);
      await this.#host.look((fact) => this.#intake.submit(fact));
      await this.#fireTimers(seen.timers);
      await this.#intake.lookAtFleet('sometimes');
      this.#watchAttempt();
      await this.#act(seen.command);
      const end = await this.#end();
      if (end !== null) {
        await record.releaseLease(journal.state.runId, journal.fence);
        return end;
      }
      this.#log.waits(waitingOf(journal.state, journal.timers, this.#command));
      await this.#alarm.wait(untilNextLook(), signal);
    }
  }

  async #renew(lease: { runId: string; fence: number; ttlMs: number }): Promise<boolean> {
    const asked = uptime();
    const isOurs = await this.#options.record.renewLease(lease);
    if (isOurs && this.#options.moving) writeFileSync(this.#options.moving.leaseFile, String(asked));
    return isOurs;
  }

  async #fireTimers(rows: readonly Timer[]): Promise<void> {
    const { journal } = this.#options;
    const now = Date.now();
    await this.#guard.timers(rows);
    const due = [...journal.timers].filter(([, dueAt]) => dueAt <= now);
    for (const [name] of due)
      await this.#intake.submit({ type: 'timer_fired', at: now, name }, { fired: name });
  }

  #watchAttempt(): void {
    const { journal } = this.#options;
    const attempt = journal.state.attempts.length;
    if (this.#watching !== null || !isLive(journal.state) || this.#watchedAttempt === attempt) return;
    this.#watchedAttempt = attempt;
    const watch = liveWatch({ ...this.#options, submit: (fact) => this.#intake.submit(fact) });
    this.#watching = this.#beside(watch, () => (this.#watching = null));
  }

  /** One command at a time, oldest first; the loop goes on while it runs. */
  async #act(row: StoredCommand | null): Promise<void> {
    if (this.#acting !== null) return;
    const { journal, record } = this.#options;
    const command = row === null ? null : await this.#guard.command(row);
    if (command === null || !(await this.#hands.mayStart(command))) return;
    const ours = await record.beginCommand({
      runId: journal.state.runId,
      key: command.key,
      fence: journal.fence,
    });
    if (!ours) throw new StaleWriter('the run was taken over');
    this.#command = command.type;
    this.#acting = this.#beside(this.#log.command(command, this.#hands.perform(command)), () => {
      this.#acting = null;
      this.#command = null;
    });
  }

  /** What the loop does not wait for: its end wakes the loop, its failure ends it. */
  async #beside(work: Promise<void>, end: () => void): Promise<void> {
    await work.catch((error: unknown) => {
      this.#failure = error;
    });
    end();
    this.#alarm.ring();
  }

  async #end(): Promise<KeeperEnd | null> {
    const { journal, record } = this.#options;
    const { life } = journal.state;
    if (this.#acting !== null || this.#watching !== null) return null;
    const done = life.type === 'ended' || life.type === 'queued';
    if (!done && !(life.type === 'waiting' && life.for === 'person')) return null;
    if ((await record.pendingCommands(journal.state.runId, 1)).length > 0) return null;
    // The last look places the hold for a question that this run asks for all runs, or takes it back if another run asks already.
    await this.#intake.lookAtFleet('now');
    if (journal.state.life !== life) return null;
    return done ? life.type : 'waits_for_person';
  }
}

/** All keepers of a process look at the same moments, so that the store can answer them together. */
function untilNextLook(): number {
  return LOOP_MS - (performance.now() % LOOP_MS);
}

/** A pause that ends early when `ring` is called. A ring while no caller waits ends the next wait at once. */
class WakeablePause {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((done) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          this.#wake = null;
          done();
        };
        const timer = setTimeout(end, limitMs);
        this.#wake = end;
        signal.addEventListener('abort', end, { once: true });
      });
    }
    this.#rung = false;
  }
}
