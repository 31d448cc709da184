/** `RunIntake`: submits facts to a kept run. It first adds what the core must know to decide, and then tells other runs the result. */
import type { Fact } from '../core/vocabulary/events/event.ts';
import { FleetBoard } from './fleet-board.ts';
import type { LessonStore } from './lessons/lesson-index.ts';
import { lessonsBefore } from './lessons/lessons-before.ts';
import type { RunShipper } from './hosts/ship-run.ts';
import type { KeptRun, RunJournal, Settling } from './run-journal.ts';

interface IntakeOptions extends Omit<KeptRun, 'redactor' | 'signal'> {
  readonly shipper?: RunShipper | undefined;
}

export class RunIntake {
  readonly #place: LessonStore;
  readonly #journal: RunJournal;
  readonly #board: FleetBoard;
  readonly #shipper: RunShipper | undefined;
  readonly #onTurn: () => void;

  /** `onTurn`: called after every fact. */
  constructor({ home, record, journal, env, shipper }: IntakeOptions, onTurn: () => void) {
    this.#place = { home, record };
    this.#journal = journal;
    this.#board = new FleetBoard(home, record, env);
    this.#shipper = shipper;
    this.#onTurn = onTurn;
  }

  async submit(fact: Fact, settling: Settling = {}): Promise<void> {
    const journal = this.#journal;
    await this.#shipper?.before(fact, journal.state);
    const lessons = await lessonsBefore(this.#place, journal.state, fact);
    if (lessons !== null) await journal.submit(lessons);
    await this.#board.claim(
      () => journal.state,
      fact,
      (news) => journal.submit(news),
    );
    const step = await journal.submit(fact, settling);
    if (step !== null) await this.#board.tell(step.state, step.decisions);
    this.#onTurn();
  }

  /** Looks at the holds that concern all runs of an account, a host or the fleet. */
  async lookAtFleet(when: 'sometimes' | 'now', starting: number | null = null): Promise<void> {
    await this.#board.look(
      () => this.#journal.state,
      (fact) => this.submit(fact),
      when,
      starting,
    );
  }

  async countRestart(): Promise<void> {
    const { attempts, runId } = this.#journal.state;
    if (attempts.at(-1)?.counted) await this.#board.restarts(runId);
  }
}
