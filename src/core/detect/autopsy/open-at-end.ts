/**
 * `openAtEnd`: what is still to do when a run ends that got over its trouble: a check that is red, a program that is absent, work that
 * stands only in files of its own. `misplacedEdit`: an accepted edit of another file than the one that the agent spoke of.
 */
import type { RecordedTurn } from './recorded-turn.ts';
import { commandOf } from '../call-kind.ts';
import { callText, quote } from '../detector.ts';
import { changes } from '../staleness.ts';
import { absentProgram } from './reasons/absent-program.ts';
import { filesSaid } from './reasons/refused-edit.ts';
import { editsFile } from './repeated-turns.ts';
import { editedPath, isSamePath } from './side-effects.ts';
import type { TranscriptReading } from './transcript-reading.ts';

export function openAtEnd(record: TranscriptReading): string {
  const { turns, isRed, lastCheck, endedBy } = record;
  const own = onlyOwnFiles(turns);
  const missing = absentProgram(turns);
  const open = [
    ...(isRed && lastCheck !== null
      ? [
          `\`${callText(lastCheck)}\` is still red (${quote(lastCheck.errorLine)}): read that failure and mend it.`,
        ]
      : []),
    ...(own.length === 0
      ? []
      : [
          `The record shows no change of a file of the project: all that was edited are ${own.join(', ')}, which the run made itself.`,
          'Make the change in the source that the task is about.',
        ]),
    ...(missing === null
      ? []
      : [
          `${missing.name} was not found, so say that nothing was run with it, or ask a person to install it.`,
        ]),
  ];
  if (open.length > 0) return open.join(' ');
  const last = turns.findLast(changes);
  const from = last === undefined ? 'where it was' : (editedPath(last) ?? callText(last));
  return endedBy === 'limit' || endedBy === 'cut off'
    ? `Go on from there: the last change is ${from}. Run the check of the project on it first.`
    : `Look at what was handed in (${from}), and run the check of the project on it: no check is red in the record.`;
}

const MADE = /\bcreated\b|\bnew file\b|\(1 lines? total\)/i;
const SHOWN_FILES = 3;

/** The edited files, if the run made all of them itself; empty if it changed one of the project, or none. */
function onlyOwnFiles(turns: readonly RecordedTurn[]): readonly string[] {
  const edits = turns.filter(changes);
  const made = ownFiles(turns);
  const paths = edits.map((turn) => editedPath(turn));
  const isOwn = paths.every((path) => path !== null && made.some((each) => isSamePath(each, path)));
  if (!isOwn || made.length === 0) return [];
  const different = made.filter((path, at) => made.findIndex((each) => isSamePath(each, path)) === at);
  return different.slice(0, SHOWN_FILES);
}

/** The files that the run made: by the verb of the editor, or because its answer says so. */
function ownFiles(turns: readonly RecordedTurn[]): readonly string[] {
  return turns.flatMap((turn) => {
    const path = changes(turn) ? editedPath(turn) : null;
    const isMade = /^(?:create|touch)\b/.test(commandOf(turn.input)) || MADE.test(turn.output.slice(0, 300));
    return path !== null && isMade ? [path] : [];
  });
}

export interface MisplacedEdit {
  readonly path: string;
  readonly meant: string;
  readonly turn: RecordedTurn;
}

/** The last one that is not taken back; null if there is none. A file that the run made itself loses nothing. */
export function misplacedEdit(turns: readonly RecordedTurn[]): MisplacedEdit | null {
  const own = ownFiles(turns);
  for (const turn of turns.toReversed()) {
    const path = changes(turn) && editsFile(turn) && turn.edit === null ? editedPath(turn) : null;
    if (path === null || own.some((each) => isSamePath(each, path))) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const meant = filesSaid(turn).at(-1);
    if (meant === undefined || turn.said.includes(name.replace(/\.\w+$/, ''))) continue;
    const isBack = turns.some(
      ({ step, input }) => step > turn.step && RESTORES.test(input) && input.includes(name),
    );
    if (!isBack) return { path, meant, turn };
  }
  return null;
}

const RESTORES = /\bgit (?:checkout|restore|stash|reset)\b|\bundo/;
