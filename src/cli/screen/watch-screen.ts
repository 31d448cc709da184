/** `watchScreen`: the full-screen list of living runs; a person looks, opens a run and answers its question. Leaving it changes nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { inListOrder, isOverWord } from '../../core/view/list-order.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { changesAfter } from '../../http/changes-after.ts';
import { type LineDocument, lineDocument } from '../../http/line-document.ts';
import { patientRecord } from '../../supervise/patient-record.ts';
import { type AnswerInput, answerQuestion } from '../../use-cases/steer/answer-question.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import type { Invocation } from '../command.ts';
import { answeredWords } from '../decide/answer.ts';
import { usesColour } from '../render/colour.ts';
import { adoptUnowned } from '../with-record.ts';
import { drawWatch, reachOf } from './draw-watch.ts';
import { FullScreen } from './full-screen.ts';
import { OpenedRun } from './opened-run.ts';
import {
  chosenLine,
  FIRST_VIEW,
  type Key,
  pageOf,
  pressed,
  type WatchData,
  type WatchView,
} from './watch-view.ts';

/** Times of day and durations move by the second. */
const TICK_MS = 1_000;
/** A run that ended longer ago is not in the list. */
const NEWS_MS = 24 * 60 * 60 * 1_000;
/** A run without a keeper goes on within this time. */
const ADOPT_MS = 10_000;

export async function watchScreen({ stdout, env }: Invocation, caller: Caller): Promise<number> {
  const ends = new AbortController();
  const record = patientRecord(caller.record, ends.signal);
  const watch = new Watch({ ...caller, record });
  const colour = usesColour(stdout, env);
  await watch.begin();
  const screen = new FullScreen(stdout.stream, process.stdin, {
    onKey: (key) => watch.wake(key),
    onResize: () => watch.wake(),
    onEnd: () => ends.abort(),
  });
  const draw = () => screen.draw(drawWatch(watch.data, watch.view, screen.size, colour));
  const failed = (error: unknown) => {
    if (!ends.signal.aborted) watch.fail(error);
  };
  const background = [
    watch.follow(ends.signal).catch(failed),
    every(TICK_MS, ends.signal, async () => watch.wake()).catch(failed),
    every(ADOPT_MS, ends.signal, () => adoptUnowned(caller.home, record, env)).catch(failed),
  ];
  try {
    draw();
    while (await watch.next(ends.signal)) {
      for (let key = watch.nextKey(); key !== undefined; key = watch.nextKey()) {
        const { view, does } = pressed(
          watch.view,
          key,
          watch.data,
          reachOf(watch.data, watch.view, screen.size),
        );
        watch.view = view;
        if (key.ctrl && key.name === 'l') screen.clear();
        if (does?.type === 'quit') return 0;
        if (does?.type === 'answer') {
          watch.view = { ...view, note: 'your answer is on its way' };
          draw();
          await watch.answer(does.input);
        }
        await watch.look();
      }
      await watch.look();
      draw();
    }
    return 0;
  } finally {
    ends.abort();
    screen.close();
    await Promise.all(background);
  }
}

class Watch {
  view: WatchView = FIRST_VIEW;
  data: WatchData = { lines: [], opened: null, now: Date.now() };
  readonly #caller: Caller;
  readonly #keys: Key[] = [];
  readonly #lines = new Map<string, LineDocument>();
  #opened: OpenedRun | null = null;
  #change = 0;
  #error: { readonly thrown: unknown } | null = null;
  #wake: (() => void) | null = null;
  #isAwake = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async begin(): Promise<void> {
    const { record } = this.#caller;
    this.#change = await record.lastChange();
    // What ended since yesterday is still news.
    const rows = [
      ...(await record.rows({ listed: true, sinceAt: Date.now() - NEWS_MS })),
      ...(await record.rows({ ended: false })),
    ];
    for (const { runId, view } of rows) this.#lines.set(runId, lineDocument(view));
    await this.look();
  }

  /** Reads what changes, from the cursor of the record. A run that ends while the screen is open stays in sight. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const { change, runId, line } of await changesAfter(this.#caller.record, this.#change, signal)) {
        this.#change = change;
        this.#opened?.expire(runId);
        if (this.#lines.has(runId) || !isOverWord(line.word)) this.#lines.set(runId, line);
      }
      this.wake();
    }
  }

  wake(key?: Key): void {
    if (key !== undefined) this.#keys.push(key);
    this.#isAwake = true;
    this.#wake?.();
  }

  /** The error ends the view: it is printed when the terminal is as before. */
  fail(thrown: unknown): void {
    this.#error = { thrown };
    this.wake();
  }

  async next(signal: AbortSignal): Promise<boolean> {
    const stop = () => this.wake();
    signal.addEventListener('abort', stop, { once: true });
    if (!this.#isAwake) await new Promise<void>((settle) => (this.#wake = settle));
    signal.removeEventListener('abort', stop);
    this.#isAwake = false;
    if (this.#error !== null) throw this.#error.thrown;
    return !signal.aborted;
  }

  nextKey(): Key | undefined {
    return this.#keys.shift();
  }

  async look(): Promise<void> {
    const base: WatchData = { lines: inListOrder(this.#lines.values()), opened: null, now: Date.now() };
    const page = pageOf(this.view);
    const runId = chosenLine(this.view, base)?.run_id;
    if (page === 'list' || page === 'keys' || runId === undefined) {
      this.#opened = null;
      this.data = base;
      return;
    }
    if (this.#opened?.isOf(runId, page) !== true) this.#opened = new OpenedRun(this.#caller, runId, page);
    this.data = { ...base, opened: await this.#opened.read(base.now) };
  }

  async answer(input: AnswerInput): Promise<void> {
    const note = await answerQuestion(this.#caller, input).then(
      (result) => (result.type === 'refused' ? adviceOf(refusalError(result)) : answeredWords(result)),
      (error: unknown) => {
        if (error instanceof MaydayError) return adviceOf(error);
        throw error;
      },
    );
    this.view = { ...this.view, note };
  }
}

function adviceOf({ message, advice }: MaydayError): string {
  const todo = advice.findLast(([label]) => label === 'do')?.[1];
  return todo === undefined ? message : `${message}; ${todo}`;
}

async function every(ms: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  for (;;) {
    await pause(ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await act();
  }
}
