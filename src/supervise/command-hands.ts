/** Performing the core's commands: look before it is begun, do it, bring the outcome back as facts. */
import type { ActContext } from '../act/act.ts';
import { perform } from '../act/perform.ts';
import type { Command } from '../core/vocabulary/command.ts';
import type { Fact } from '../core/vocabulary/event.ts';
import type { RunRecord } from '../record/contract.ts';
import type { StoredCommand } from '../record/contract/outbox.ts';
import type { Redactor } from '../record/redaction/redact.ts';
import { failedCommand } from './failed-command.ts';
import type { HostGate } from './host-gate.ts';
import type { LeaseKeeping } from './lease/lease-keeping.ts';
import { proposeLessons } from './lessons/propose-lessons.ts';
import { deliveredCommits, otherRuns } from './other-runs.ts';
import type { RunIntake } from './run-intake.ts';
import type { RunJournal } from './run-journal.ts';

interface HandsOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly journal: RunJournal;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

export class CommandHands {
  readonly #options: HandsOptions;
  readonly #intake: RunIntake;
  readonly #lease: LeaseKeeping;
  readonly #host: HostGate;

  constructor(options: HandsOptions, intake: RunIntake, lease: LeaseKeeping, host: HostGate) {
    this.#options = options;
    this.#intake = intake;
    this.#lease = lease;
    this.#host = host;
  }

  /** Before a process comes to be: is anything holding all of us? One that somebody began is looked at, never dropped. */
  async mayStart(stored: StoredCommand): Promise<boolean> {
    const { journal } = this.#options;
    if (stored.type !== 'start_attempt' || stored.begunAt !== null) return true;
    const { attempt } = JSON.parse(stored.body) as Extract<Command, { type: 'start_attempt' }>;
    await this.#intake.lookAtFleet('now', attempt);
    if (journal.state.life.type !== 'working' && journal.state.life.type !== 'stopping') {
      await journal.settle(stored.key);
      return false;
    }
    await this.#intake.countRestart();
    return true;
  }

  async perform(stored: StoredCommand): Promise<void> {
    const { home, env, journal, record } = this.#options;
    const lease = this.#lease.work;
    const signal = AbortSignal.any([this.#options.signal, lease]);
    const command = JSON.parse(stored.body) as Command;
    const { state } = journal;
    // Before the release settles: whoever takes over a run with nothing left to do would never learn from it.
    if (stored.type === 'release') for (const fact of await this.#proposals()) await journal.submit(fact);
    const others = () => otherRuns(record, state);
    const deliveries = () => deliveredCommits(record, state);
    const context: ActContext = { home, env, signal, state, others, deliveries, now: () => Date.now() };
    const facts = await perform(context, command).catch((error: unknown) => {
      // The agent of a start that somebody began may live: who cannot see it must not call it failed.
      if (stored.type === 'start_attempt' && stored.begunAt !== null) throw error;
      return signal.aborted ? [] : [failedCommand(command, error)];
    });
    this.#options.signal.throwIfAborted();
    // Not ours for the moment: the command stays pending, and whoever holds the lease next does it again.
    if (lease.aborted) return;
    // It may not have been the agent: the disk may be full, or somebody else met the same a moment ago and asks for all.
    if (stored.type === 'examine_attempt') {
      await this.#host.look((fact) => this.#intake.submit(fact), 'now');
      await this.#intake.lookAtFleet('now');
    }
    for (const [index, fact] of facts.entries()) {
      await this.#intake.submit(fact, index === facts.length - 1 ? { settled: [stored.key] } : {});
    }
    if (facts.length === 0) await journal.settle(stored.key);
  }

  /** Enriching is the last step of a rescue: what was learned is on record before the run is released. */
  #proposals(): Promise<readonly Fact[]> {
    const { journal, record, redactor } = this.#options;
    return proposeLessons(record, journal.state, (text) => redactor.redact(text), Date.now());
  }
}
