/** `generatedFile`: what is edited again and again is made by a program, and its own head says so. */
import { quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { isSamePath } from '../side-effects.ts';
import type { FindReason } from './find-reason.ts';
import { fileShown, shownLine } from './shown-line.ts';

const GENERATED =
  /\b(?:do not (?:edit|modify|change)\b|(?:auto-?)?generated (?:by|from|file|code)\b|this file (?:is|was) (?:auto-?)?generated)/i;
const MADE_FROM = /\bfrom ([\w./@-]+\.\w{1,8})/i;
/** The head of a file; further down such words may be about another one. */
const HEAD = 12;
const EDITS = 2;

export const generatedFile: FindReason = ({ turns, failure: { first } }) => {
  const edits = turns.filter(({ edit }) => edit !== null);
  const paths = [...Map.groupBy(edits, ({ edit }) => edit?.path ?? '')]
    .filter(
      ([path, all]) => path !== '' && all.length >= EDITS && all.some((turn) => turn.step >= first.step),
    )
    .map(([path]) => path);
  for (const path of paths) {
    const head = turns.flatMap((turn) => headSaid(turn, path)).at(0);
    if (head === undefined) continue;
    const source = MADE_FROM.exec(head.line)?.[1];
    const made = edits.filter((turn) => turn.edit?.path === path && changes(turn)).length;
    return {
      cause:
        `${path} is made by a program: its head says so in call ${turns.indexOf(head.turn) + 1} (${quote(head.line)}). What makes it ` +
        `writes it anew, so ${made === 1 ? 'an edit' : `${made} edits`} of it may not stay`,
      startHere:
        `Do not edit ${path}. Change ${source ?? 'what it is made from'}, let the program make it once, and look at ` +
        'the file then.',
    };
  }
  return null;
};

function headSaid(
  turn: RecordedTurn,
  path: string,
): readonly { readonly turn: RecordedTurn; readonly line: string }[] {
  const file = fileShown(turn);
  const isOfFile =
    file === null ? turn.kind === 'search' && turn.output.includes(path) : isSamePath(file, path);
  if (!isOfFile || turn.failed) return [];
  const lines = turn.output.split('\n').slice(0, HEAD);
  const line = lines.map(shownLine).find((each) => GENERATED.test(each));
  return line === undefined ? [] : [{ turn, line }];
}
