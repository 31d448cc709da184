/**
 * `CommandHands`: performs the core's commands: looks whether one may start, performs it, and submits its outcome as facts.
 * `failedCommand`: the fact of one that failed.
 */
import type { ActContext, OtherRun } from '../act/act.ts';
import { askInRun } from '../act/ask-in-run.ts';
import { perform } from '../act/perform.ts';
import { readView } from '../core/view/read-view.ts';
import type { Command } from '../core/vocabulary/events/command.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import type { RunRecord } from '../record/contract.ts';
import type { StoredCommand } from '../record/contract/outbox.ts';
import type { HostGate } from './host-gate.ts';
import type { LeaseKeeping } from './lease/lease-keeping.ts';
import { lessonsToSearch } from './lessons/lessons-before.ts';
import { type AskLesson, proposeLessons } from './lessons/propose-lessons.ts';
import type { RunIntake } from './run-intake.ts';
import type { KeptRun } from './run-journal.ts';
import { forgetRawOutput } from './watch/forget-raw-output.ts';
import { lastCheckpoint } from '../core/state/last-tree.ts';
import type { RunState } from '../core/state/run-state.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { exhausted, pathOf } from '../platform/storage-error.ts';

interface HandsOptions extends KeptRun {
  readonly leaseFile?: string | undefined;
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

  /** False: a hold keeps the attempt from starting. A start that an earlier keeper began is never dropped: its agent may live. */
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
    const others = () => otherRuns(record, state);
    const deliveries = () => deliveredCommits(record, state);
    const lessons = () => lessonsToSearch({ home, record }, state.repository, Date.now());
    const now = () => Date.now();
    const { leaseFile, redactor } = this.#options;
    const context: ActContext = {
      home,
      env,
      leaseFile,
      signal,
      state,
      others,
      deliveries,
      lessons,
      now,
      redact: (text) => redactor.redact(text),
      journal: { state: () => journal.state, submit: (fact) => this.#intake.submit(fact) },
    };
    // Lessons are proposed before the release settles: a keeper that takes over later has no command left and would propose none.
    if (stored.type === 'release')
      for (const fact of await this.#proposals(context)) await journal.submit(fact);
    const facts = await perform(context, command).catch(async (error: unknown) => {
      // An earlier keeper began this start, so its agent may live: a keeper that cannot see the agent must not call it failed.
      if (stored.type === 'start_attempt' && stored.begunAt !== null) throw error;
      if (signal.aborted) return [];
      const last = await record.events(state.runId, Math.max(0, journal.state.seq - KEEPERS_LOST));
      return [
        failedCommand(
          command,
          error,
          last.map(({ type }) => type),
        ),
      ];
    });
    this.#options.signal.throwIfAborted();
    // The lease is not fresh: the command stays pending, and the keeper that holds the lease next performs it again.
    if (lease.aborted) return;
    // The agent may not be the cause: the disk may be full, or another run just met the same trouble and asks a person for all runs.
    if (stored.type === 'examine_attempt') {
      await this.#host.look((fact) => this.#intake.submit(fact), 'now');
      await this.#intake.lookAtFleet('now');
    }
    for (const [index, fact] of facts.entries()) {
      await this.#intake.submit(fact, index === facts.length - 1 ? { settled: [stored.key] } : {});
    }
    if (facts.length === 0) await journal.settle(stored.key);
    if (stored.type === 'examine_attempt' || stored.type === 'release')
      await forgetRawOutput(home, journal.state, this.#options.redactor);
  }

  /** Enriching is the last step of a rescue: its lessons are on record before the run is released. */
  #proposals(context: ActContext): Promise<readonly Fact[]> {
    const { journal, record, redactor } = this.#options;
    const ask: AskLesson = async (question) => {
      const { outcome } = await askInRun(context, question);
      return outcome?.type === 'answered' ? outcome.opinion : null;
    };
    return proposeLessons(record, journal.state, (text) => redactor.redact(text), ask, Date.now());
  }
}

/** More runs than work in one repository at once. */
const MAX_RUNS = 50;

/** Only the latest runs count: an older delivery is not new to a run that lives now. */
async function deliveredCommits(record: RunRecord, { repository }: RunState): Promise<readonly string[]> {
  const rows = await record.rows({ repository, limit: MAX_RUNS });
  return rows.flatMap((row) => readView(row).delivered?.commit ?? []);
}

/** What other runs of the repository have changed so far. */
async function otherRuns(record: RunRecord, { runId, repository }: RunState): Promise<readonly OtherRun[]> {
  const rows = await record.rows({ ended: false, repository, limit: MAX_RUNS });
  return rows
    .filter((row) => row.runId !== runId)
    .flatMap(({ runId: other, createdAt, view }) => {
      const { task, checkpoints, partial_work } = readView({ view });
      const tree = lastCheckpoint({ checkpoints })?.tree;
      if (tree === undefined) return [];
      const changed = [...partial_work.created, ...partial_work.changed, ...partial_work.deleted];
      return [{ runId: other, task, createdAt, changed, tree }];
    });
}

/** A defect that a second keeper survives was none of the command; three in a row die of the command. */
const KEEPERS_LOST = 3;

/**
 * Turns an error of the outside world into a fact. Any other error is a defect of Mayday and is thrown on, so that another keeper tries;
 * where several keepers died of it one after the other, it becomes a fact too, and a person is asked. `lastEvents`: the types of the last
 * events of the journal, newest last.
 */
export function failedCommand(command: Command, error: unknown, lastEvents: readonly string[]): Fact {
  const known = exhausted(error, pathOf(error));
  const lost = lastEvents.slice(-KEEPERS_LOST);
  const isLoop = lost.length === KEEPERS_LOST && lost.every((type) => type === 'taken_over');
  if (!(known instanceof MaydayError) && !isLoop) throw error;
  const { code, message, advice } = known instanceof MaydayError ? known : defect(error);
  return { type: 'command_failed', at: Date.now(), command: command.type, code, message, advice };
}

function defect(error: unknown): MaydayError {
  const message = error instanceof Error ? error.message : String(error);
  return new MaydayError('KEEPER_DEFECT', `${KEEPERS_LOST} keepers died of it: ${message}`, [
    ['did', 'kept the work and stopped trying'],
    ['do', 'mayday logs RUN --keeper; mend what it names, then answer retry'],
  ]);
}
