/** `newRunId`, `assertRunName`: draw the name of a run, or check the one that a person gave. */
import { randomInt } from 'node:crypto';
import { usageError } from '../../platform/mayday-error.ts';

/** No vowels and no letters that look alike: a name can be said over the phone, and it spells no word. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789';
const NAME_LENGTH = 4;

export function newRunId(): string {
  return Array.from(
    { length: NAME_LENGTH },
    (_, index) => LETTERS[randomInt(index === 0 ? 19 : LETTERS.length)],
  ).join('');
}

/** A name that a person gave: part of a branch, of folders and of a shell line. `NAME-wip` is the branch of an abandoned run. */
export function assertRunName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,39}$/.test(name) && !/(?:-|-wip)$/.test(name)) return;
  throw usageError('BAD_RUN_NAME', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a run`, [
    [
      'do',
      'take a letter, then letters, digits and single dashes, 40 at most; no capitals, no -wip at the end',
    ],
  ]);
}
