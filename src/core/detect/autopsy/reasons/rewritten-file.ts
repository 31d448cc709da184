/** `rewritten`: an edit is gone after each run of the check, and the record says from what the file is made. */
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { changes } from '../../staleness.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

/**
 * A text of a file was replaced twice, with the failing check in between, the agent did not take the first edit back, and a line of the
 * record says from what the file is made.
 */
export const rewritten: FindReason = ({ turns, failure: { turn, turns: members } }) => {
  if (editsFile(turn)) return null;
  const edits = turns.filter(({ edit }) => edit !== null);
  const replacing = Map.groupBy(edits, ({ edit }) => `${edit?.from} ${edit?.path}`);
  const again = edits.find((each) => {
    const alike = replacing.get(`${each.edit?.from} ${each.edit?.path}`);
    const before = alike?.findLast((other) => other.step < each.step && isEditAgain(other, each));
    if (before === undefined) return false;
    const between = turns.slice(turns.indexOf(before) + 1, turns.indexOf(each));
    return (
      between.some((other) => members.includes(other)) && !between.some((other) => takesBack(other, each))
    );
  });
  const path = again?.edit?.path;
  if (path === undefined) return null;
  const made = madeFrom(turns, path);
  if (made === null) return null;
  return {
    cause: `the edit to ${path} is gone after each \`${callText(turn)}\`; it is made from ${made.source} (${quote(made.line)})`,
    startHere: `Do not edit ${path}. Change ${made.source}, from which it is made, then run \`${callText(turn)}\` once.`,
  };
};

/** The file from which a program makes another one, by a line of the record that names both: `in -o out`, `in → out`. */
function madeFrom(
  turns: readonly RecordedTurn[],
  path: string,
): { readonly source: string; readonly line: string } | null {
  const tail = path
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const makes = new RegExp(
    `([\\w./@-]+\\.\\w{1,8})["']?\\s*(?:→|->|=>|-o|--out[\\w-]*|>)[\\s=]+["']?[\\w./-]*${tail}\\b`,
  );
  for (const turn of turns)
    for (const line of turn.output.split('\n')) {
      const source = makes.exec(line)?.[1];
      if (source !== undefined && !path.endsWith(source)) return { source, line: line.trim() };
    }
  return null;
}

/** The second edit finds the text that the first one replaced. */
function isEditAgain(a: RecordedTurn, b: RecordedTurn): boolean {
  if (a.edit === null || b.edit === null || a.edit.from === 0 || !changes(a) || !changes(b)) return false;
  if (a.edit.path !== b.edit.path || a.edit.from !== b.edit.from) return false;
  const { from, to } = editOf(a.given) ?? {};
  return a.edit.to === b.edit.to || to?.includes(from ?? '') === false;
}

/** True: the turn restores the text that the edit replaced, or may do so. */
function takesBack(turn: RecordedTurn, { edit, given }: RecordedTurn): boolean {
  if (turn.edit === null || turn.mayChangeResults) return turn.mayChangeResults;
  if (!changes(turn) || turn.edit.path !== edit?.path) return false;
  const made = editOf(given)?.to ?? '';
  return turn.edit.to === edit.from || (turn.edit.from === 0 && !turn.given.includes(made));
}
