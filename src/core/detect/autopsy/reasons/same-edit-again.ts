/** `sameEditAgain`: an edit that is accepted each time and made again: it changes nothing, or adds the same once more. */
import type { RecordedTurn } from '../recorded-turn.ts';
import { callText, quote } from '../../detector.ts';
import type { Reason } from './find-reason.ts';
import { listedIn } from '../page-shown.ts';
import { editsFile, type Repeated } from '../repeated-turns.ts';
import { editedPath } from '../side-effects.ts';

/** The same edit was accepted again and again: it changes nothing, or adds the same once more. */
export function sameEditAgain({ turn, turns }: Repeated): Reason | null {
  if (!editsFile(turn)) return null;
  const same = turns.filter(({ call }) => call === turn.call);
  const answers = new Set(same.map((each) => each.output));
  const file = editedPath(turn) ?? 'the file';
  const made = `the same edit of ${file} was made ${same.length} times, and each was accepted: ${callText(turn)}`;
  const last = same.at(-1) as RecordedTurn;
  const wish = last.said === '' ? '' : `; the agent said last: ${quote(last.said.replace(HEADING, ''))}`;
  return answers.size === 1
    ? {
        cause: `${made}. Its answer was the same each time: it puts the same lines in place of themselves${wish}`,
        startHere: duplicateAt(last, file),
      }
    : {
        cause: `${made}. Its answer was another each time: each changed the file once more${wish}`,
        startHere:
          `Take the copies back (\`git checkout\`, or write ${file} anew), look at it, and make one edit over all ` +
          'lines that it replaces.',
      };
}

/** A word in capitals with which a harness has a message begin. */
const HEADING = /^[A-Z]{4,}\s+/;
const WANTS_LESS = /\b(?:remov|delet|duplicat|twice|redundant)/i;
const EDIT_RANGE = /^\s*edit (\d+):(\d+)\s*\n/;

/** Where the text stands once more that an edit puts in place of itself, if the agent wants to be rid of a copy. */
function duplicateAt({ given, output, said }: RecordedTurn, file: string): string {
  const [head, from = '', to = ''] = EDIT_RANGE.exec(given) ?? [];
  if (!WANTS_LESS.test(said) || head === undefined)
    return `What has to change is outside of the lines that it replaces. Look at ${file} as it is, and edit the lines around them.`;
  const wanted = given
    .slice(head.length)
    .replace(/\n?end_of_edit[\s\S]*$/, '')
    .split('\n')
    .map((line) => line.trim());
  const lines = listedIn(output);
  const isOutside = (row: number) => row < Number(from) || row > Number(to);
  const copy = lines.find(
    ([row], at) => isOutside(row) && wanted.every((line, n) => lines[at + n]?.[1] === line),
  );
  const copied =
    copy === undefined ? copiedRows(lines, wanted, isOutside) : [copy[0], copy[0] + wanted.length - 1];
  const [first, last] = copied;
  if (first !== undefined && last !== undefined)
    return `The same text stands in ${linesText(first, last)} of ${file}: delete those lines, and leave the rest.`;
  const own = linesText(Number(from), Number(to));
  return `The edit puts back what it should remove. Look at ${file} for the copy outside of ${own}, and delete that.`;
}

/** As many lines that stand elsewhere too are a copy; fewer may be alike by chance. */
const COPIED_LINES = 3;

/** The first and the last row of the longest part outside of the edit that stands in it as well. */
function copiedRows(
  lines: ReturnType<typeof listedIn>,
  wanted: readonly string[],
  isOutside: (row: number) => boolean,
): readonly number[] {
  let best: readonly number[] = [];
  let rows: readonly number[] = [];
  for (const [row, text] of lines) {
    rows = isOutside(row) && (text === '' || wanted.includes(text)) ? [...rows, row] : [];
    if (rows.length > best.length) best = rows;
  }
  return best.length < COPIED_LINES ? [] : [best[0] as number, best.at(-1) as number];
}

function linesText(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
}
