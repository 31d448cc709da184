/** `inListOrder`, `isOverWord`: the order of every list: what needs a person first, then what moves, then what is over. */
import type { LineWord } from './state-word.ts';

interface Listed {
  readonly word: LineWord;
  /** ISO times; null in rows of an older Mayday. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

const OVER = 8;
const RANKS: Readonly<Record<LineWord, number>> = {
  needs_you: 0,
  rescuing: 1,
  stopping: 2,
  waiting: 3,
  stopped: 4,
  working: 5,
  preparing: 6,
  queued: 7,
  delivered: OVER,
  not_proven: OVER,
  unverified: OVER,
  abandoned: OVER,
};

export function inListOrder<T extends Listed>(lines: Iterable<T>): readonly T[] {
  return [...lines].toSorted(
    (a, b) =>
      RANKS[a.word] - RANKS[b.word] ||
      (RANKS[a.word] === OVER
        ? newestFirst(a.updated_at, b.updated_at)
        : -newestFirst(a.created_at, b.created_at)),
  );
}

export function isOverWord(word: LineWord): boolean {
  return RANKS[word] === OVER;
}

function newestFirst(a: string | null, b: string | null): number {
  return (b ?? '').localeCompare(a ?? '');
}
