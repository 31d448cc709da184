/** `comments`, `commentsOn`: what a person wrote into the diff of a run; it goes with the next answer, and so into the next brief. */
import { signal } from '@preact/signals';

const KEPT = 'mayday-comments';

type Comments = Readonly<Record<string, readonly string[]>>;

/** By run, kept in this browser until they are sent. */
export const comments = signal<Comments>(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Comments);

export function commentsOn(runId: string): readonly string[] {
  return comments.value[runId] ?? [];
}

export function setComments(runId: string, all: readonly string[]): void {
  comments.value = { ...comments.value, [runId]: all };
  localStorage.setItem(KEPT, JSON.stringify(comments.value));
}
