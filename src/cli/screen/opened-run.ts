/** `OpenedRun`: what a page of the full screen shows of one run: its facts, story and question, its transcript, or its work. */
import { diffWork } from '../../act/diff-work.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { RunTeller } from '../../supervise/run-teller.ts';
import { asTyped } from '../as-typed.ts';
import { lastLines, runFacts } from '../look/status.ts';
import { renderForAll } from '../render/question.ts';
import { ending, tell } from '../render/story.ts';
import type { Opened } from '../with-record.ts';
import type { WatchPage, WatchData } from './watch-view.ts';

/** How a question is answered on this screen. */
const HERE = 'a: answer it here';
/** More is in `mayday show`, `mayday logs` and `mayday diff`. */
const MAX_STORY_LINES = 400;
const MAX_LOG_ENTRIES = 200;
const MAX_ENTRY_CHARS = 2_000;
const MAX_DIFF_LINES = 4_000;

export class OpenedRun {
  readonly #opened: Opened;
  readonly #runId: string;
  readonly #page: WatchPage;
  readonly #teller: RunTeller;
  #story: string[] = [];
  #diff: readonly string[] | null = null;

  constructor(opened: Opened, runId: string, page: WatchPage) {
    this.#opened = opened;
    this.#runId = runId;
    this.#page = page;
    this.#teller = new RunTeller(opened.record, runId, (event, state) => {
      this.#story = [...this.#story, ...tell(event, state)].slice(-MAX_STORY_LINES);
    });
  }

  isOf(runId: string, page: WatchPage): boolean {
    return this.#runId === runId && this.#page === page;
  }

  /** The diff is made again if this run changed. */
  expire(runId: string): void {
    if (runId === this.#runId) this.#diff = null;
  }

  async read(now: number): Promise<WatchData['opened']> {
    await this.#teller.tell();
    const { state } = this.#teller;
    if (state === null) return null;
    return { body: await this.#body(state, now), question: openQuestion(state)?.question ?? null };
  }

  async #body(state: RunState, now: number): Promise<readonly string[]> {
    const { home } = this.#opened;
    if (this.#page === 'logs') {
      const lines = await lastLines(home, state, MAX_LOG_ENTRIES);
      return lines.length === 0
        ? ['the agent has said nothing yet']
        : lines.map((line) => line.slice(0, MAX_ENTRY_CHARS));
    }
    if (this.#page === 'diff') return (this.#diff ??= await workOf(home, state));
    const question = openQuestion(state)?.question;
    return [
      ...runFacts(state, now).slice(1),
      '',
      ...this.#story,
      ...ending(state),
      ...(question === undefined
        ? []
        : ['', ...(await renderForAll(this.#opened.record, state, question, HERE)).split('\n').slice(0, -1)]),
    ];
  }
}

async function workOf(home: string, state: RunState): Promise<readonly string[]> {
  if (state.workspace === null) return [`run ${state.runId} has no workspace yet`];
  try {
    const lines = (await diffWork(home, state, false)).split('\n');
    if (lines.join('').trim() === '') return ['nothing has changed yet'];
    if (lines.length <= MAX_DIFF_LINES) return lines;
    return [...lines.slice(0, MAX_DIFF_LINES), asTyped(`… the rest: mayday diff ${state.runId}`)];
  } catch (error) {
    if (error instanceof MaydayError) return [error.message];
    throw error;
  }
}
