/**
 * `Notifier`: tells receivers outside of Mayday what happens in any run, each once. It reads the changes of the record from a cursor that
 * outlives every process, and never makes a run wait or fail.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type RunNotice, noticesOf } from '../../core/view/notices.ts';
import { readView } from '../../core/view/read-view.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { configOrNothing } from '../request/config.ts';
import type { Config } from '../request/read-config.ts';
import { GIVE_UP_MS, NoticeOutbox, type Undelivered } from './notice-outbox.ts';
import { FIGURES_EVERY_MS, type NotifyTarget, targetName, targetsOf, targetWords } from './notify-config.ts';
import { sendNotice } from './send-notice.ts';

/** A person feels a second; one look costs one indexed read. */
const LOOK_EVERY_MS = 1_000;
const PAGE = 200;
/** The port of `mayday serve`. */
const DESK_URL = 'http://127.0.0.1:4747/';
/** How long the last process of a run stays to deliver what it has to tell; then any later process of this home does. */
const FINISH_MS = 10 * 60_000;

export interface NotifierOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => number;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #targets: ReadonlyMap<string, NotifyTarget>;
  readonly #deskUrl: string;
  readonly #outbox: NoticeOutbox;
  readonly #now: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #sending: Promise<void> | null = null;

  /** Null: no receiver is configured. */
  static open(options: NotifierOptions, { notify, desk_url }: Config): Notifier | null {
    const targets = targetsOf(notify, options.env);
    return targets.length === 0 ? null : new Notifier(options, targets, desk_url);
  }

  private constructor(options: NotifierOptions, targets: readonly NotifyTarget[], deskUrl = DESK_URL) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#targets = new Map(targets.map((target) => [targetName(target), target]));
    this.#deskUrl = deskUrl.replace(/\/?$/, '/');
    this.#outbox = new NoticeOutbox(options.home);
  }

  /** For loops: looks at most once a second, and sends in the background. What goes wrong is tried again at the next look. */
  async tend(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = performance.now();
    await this.collect().catch(onlyOfTheMachine);
    this.#renewFigures(FIGURES_EVERY_MS);
    this.#sending ??= this.deliver()
      .catch(onlyOfTheMachine)
      .finally(() => (this.#sending = null));
  }

  /** Reads what changed since the last look of any process. */
  async collect(): Promise<void> {
    const { record } = this.#options;
    let after = this.#outbox.cursor();
    // The first look tells nothing of the past but what still waits for a person.
    if (after === null) {
      const waiting = await record.rows({ needsPerson: true });
      after = await record.lastChange();
      this.#outbox.add(this.#messages(waiting.map(({ view }) => view)), after, this.#now());
    }
    for (;;) {
      const changes = await record.changes(after, PAGE);
      if (changes.length === 0) return;
      const rows = await Promise.all(changes.map(({ runId }) => record.row(runId)));
      after = changes.at(-1)?.change ?? after;
      this.#outbox.add(this.#messages(rows.flatMap((row) => row?.view ?? [])), after, this.#now());
    }
  }

  #messages(views: readonly string[]) {
    const recent = ({ at }: RunNotice) => Date.parse(at) > this.#now() - GIVE_UP_MS;
    const notices = views.flatMap((view) => noticesOf(readView({ view }))).filter(recent);
    return [...this.#targets].flatMap(([target, { events }]) =>
      notices
        .filter(({ type }) => events.includes(type))
        .map((notice) => ({ target, id: notice.id, body: JSON.stringify(notice) })),
    );
  }

  /** Figures are told again and again, by one process of this home at a time, and at the end of a run. */
  #renewFigures(everyMs: number): void {
    for (const [name, target] of this.#targets)
      if ('figures' in target) this.#outbox.renew({ target: name, id: 'figures' }, this.#now(), everyMs);
  }

  /** Sends what is due, one after the other. */
  async deliver(): Promise<void> {
    const { home, record, env } = this.#options;
    for (;;) {
      const message = this.#outbox.claim(this.#now());
      if (message === null) return;
      const target = this.#targets.get(message.target);
      const notice = JSON.parse(message.body) as RunNotice;
      const problem =
        target === undefined
          ? 'it is not in the configuration any more'
          : await sendNotice({ target, notice, deskUrl: this.#deskUrl, home, record, env, now: this.#now() });
      if (problem === null) this.#outbox.delivered(message, this.#now());
      else this.#outbox.failed(message, problem, this.#now());
    }
  }

  /** Before the process ends: stays while something is not delivered yet. */
  async finish(signal: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(FINISH_MS)]);
    await this.collect().catch(onlyOfTheMachine);
    this.#renewFigures(LOOK_EVERY_MS);
    for (;;) {
      await this.#sending;
      await this.deliver().catch(onlyOfTheMachine);
      if (ends.aborted || this.#outbox.waiting(this.#now()) === 0) break;
      await pause(LOOK_EVERY_MS, undefined, { signal: ends }).catch(() => undefined);
    }
    this.#outbox.close();
  }
}

/** What was not delivered, for `mayday doctor`, where there is an outbox. */
export async function notifyProblems(home: string, env: NodeJS.ProcessEnv): Promise<readonly Undelivered[]> {
  const targets = targetsOf((await configOrNothing(home)).notify, env);
  const names = new Map(targets.map((one) => [targetName(one), targetWords(one)]));
  const outbox = new NoticeOutbox(home);
  try {
    return outbox
      .undelivered(Date.now())
      .map(({ target, ...rest }) => ({ ...rest, target: names.get(target) ?? 'a receiver of before' }));
  } finally {
    outbox.close();
  }
}

/** A full disk, a locked file, a record that does not answer: no reason to harm a run. */
export function onlyOfTheMachine(error: unknown): void {
  if (!(error instanceof MaydayError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
}
