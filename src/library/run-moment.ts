/** `RunMoment`: something that happened to a run, for programs. `MomentQueue`: such moments as an async iterator. */
import { tell } from '../cli/render/story.ts';
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import type { RunState } from '../core/state/run-state.ts';
import { type StateWord, stateWord } from '../core/view/state-word.ts';

export interface RunMoment {
  readonly run_id: string;
  /** The name of the event in the journal. New ones come with new versions. */
  readonly type: string;
  readonly at: string;
  /** The run after it. */
  readonly state: StateWord;
  readonly stage: string;
  /** What a person is told about it; nothing about most events. */
  readonly lines: readonly string[];
}

export function momentOf(event: RunEvent, state: RunState): RunMoment {
  return {
    run_id: state.runId,
    type: event.type,
    at: new Date(event.at).toISOString(),
    state: stateWord(state),
    stage: state.stage,
    lines: tell(event, state),
  };
}

/** A program that never reads them must not fill its memory: of more the oldest go. */
const MAX_UNREAD = 10_000;

export class MomentQueue implements AsyncIterable<RunMoment> {
  #unread: RunMoment[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  push(moment: RunMoment): void {
    this.#unread.push(moment);
    if (this.#unread.length > MAX_UNREAD) this.#unread.shift();
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunMoment> {
    for (;;) {
      const next = this.#unread.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((settle) => (this.#wake = settle));
    }
  }
}
