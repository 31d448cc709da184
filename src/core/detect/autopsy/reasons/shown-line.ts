/** `shownLine`, `fileShown`, `placeShown`: a line that a call showed, the file that it showed, and where in it the line stands. */
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import type { RecordedTurn } from '../recorded-turn.ts';

const LISTED = /^\s{0,8}(\d{1,6})(?:: |\t|\||→)\s?/;
const SHOWS_ONE = /^\s*cat ([\w./@+~-]+)\s*$/;
/** Then the first line that is shown is not the first of the file. */
const SHOWS_PART = /"(?:offset|limit|view_range|start_line)"/;

/** A line without the number that a tool put before it. */
export function shownLine(shown: string): string {
  return shown.replace(LISTED, '').trim();
}

/** The file that a call showed; null if it is none, or one of several. */
export function fileShown({ kind, given, input }: RecordedTurn): string | null {
  return kind === 'read' ? (editOf(given)?.path ?? SHOWS_ONE.exec(commandOf(input))?.[1] ?? null) : null;
}

/** `at`: which line of the output it is. */
export function placeShown(turn: RecordedTurn, shown: string, at: number): string {
  const file = fileShown(turn);
  const number = LISTED.exec(shown)?.[1];
  if (file === null) return `\`${callText(turn)}\``;
  if (number === undefined && SHOWS_PART.test(turn.given)) return file;
  return `${file}, line ${Number(number ?? at + 1)}`;
}
