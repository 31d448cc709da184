/**
 * `Mark`, `STATES`: the shape and the word of each state of a run. Shape and word come first; colour never stands alone. `ArrowKey`: the
 * cap of an arrow key. Shapes are drawn, not written: many fonts have no letter for them.
 */
import type { JSX } from 'preact';
import { wordText } from '../src/core/view/state-word.ts';

export interface Shown {
  readonly word: string;
  readonly tone: string;
  readonly shape: JSX.Element;
}

const DIAMOND = <path d="M6 0.5 11.5 6 6 11.5 0.5 6z" />;
const BUOY = (
  <path
    d="M6 0a6 6 0 1 0 0 12A6 6 0 0 0 6 0zm0 3.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2z"
    fill-rule="evenodd"
  />
);
const BARS = <path d="M2 1h3v10H2zM7 1h3v10H7z" />;
const ARROW = <path d="M2 1l9 5-9 5z" />;
const TICK = <path d="M0.8 6.6 2.5 4.9 4.7 7.1 9.7 1.7 11.4 3.4 4.7 10.4z" />;
const OPEN_TICK = <path class="open" d="M1.5 6.8 4.7 10 10.7 2.6" />;
const CROSS = (
  <path d="M2.6 1.2 6 4.6 9.4 1.2 10.8 2.6 7.4 6 10.8 9.4 9.4 10.8 6 7.4 2.6 10.8 1.2 9.4 4.6 6 1.2 2.6z" />
);
const SQUARE = <path d="M2 2h8v8H2z" />;
/** What is not begun yet. */
const DOTS = <path d="M0 4.5h3v3H0zM4.5 4.5h3v3h-3zM9 4.5h3v3H9z" />;
const RING = (
  <path d="M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1zm0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6z" fill-rule="evenodd" />
);

export const STATES: Readonly<Record<string, Shown>> = {
  needs_you: { word: 'needs you', tone: 'needs', shape: DIAMOND },
  answered: { word: 'answered', tone: 'quiet', shape: TICK },
  rescuing: { word: 'rescuing', tone: 'trouble', shape: BUOY },
  waiting: { word: 'waiting', tone: 'waiting', shape: BARS },
  stopped: { word: 'stopped', tone: 'quiet', shape: SQUARE },
  stopping: { word: 'stopping', tone: 'quiet', shape: SQUARE },
  working: { word: 'working', tone: 'working', shape: ARROW },
  preparing: { word: 'preparing', tone: 'quiet', shape: DOTS },
  queued: { word: 'queued', tone: 'quiet', shape: RING },
  delivered: { word: 'delivered', tone: 'proven', shape: TICK },
  not_proven: { word: wordText('not_proven'), tone: 'trouble', shape: OPEN_TICK },
  failed: { word: 'failed', tone: 'trouble', shape: CROSS },
  abandoned: { word: 'abandoned', tone: 'quiet', shape: CROSS },
};

export function shownAs(word: string): Shown {
  return STATES[word] ?? { word, tone: 'quiet', shape: RING };
}

export function Mark({ word }: { readonly word: string }) {
  const { tone, shape } = shownAs(word);
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {shape}
    </svg>
  );
}

const TURNS: Readonly<Record<string, number>> = { ArrowLeft: 180, ArrowRight: 0 };

export function ArrowKey({ name }: { readonly name: string }) {
  return (
    <svg class="arrow" viewBox="0 0 12 12" width="10" height="10" role="img" aria-label={name}>
      <path d="M1 5.2h6V2l4.5 4L7 10V6.8H1z" transform={`rotate(${TURNS[name]} 6 6)`} />
    </svg>
  );
}

/** What was chosen or done. */
export function Tick() {
  return (
    <svg class="arrow" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {TICK}
    </svg>
  );
}

export function StateWord({ word }: { readonly word: string }) {
  const shown = shownAs(word);
  return (
    <span class={`state ${shown.tone}`}>
      <Mark word={word} />
      {shown.word}
    </span>
  );
}
