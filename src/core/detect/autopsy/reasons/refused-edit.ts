/**
 * `reasonOfRefusedEdit`, `NOT_THERE`: why an edit is refused again and again: the editor has another file open than the agent means, or
 * the text to replace differs from the file as it was shown. `filesSaid`: the files of which the agent speaks before a call.
 */
import { firstGroupIn } from '../../../text/group-in.ts';
import { counted } from '../../../text/counted.ts';
import { quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editOf, linesOf } from '../../edit-target.ts';
import { LISTED_LINE } from '../../error-line.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { type FindReason, firstReason } from './find-reason.ts';
import { editsFile, mostFrequent } from '../repeated-turns.ts';
import { OPEN_FILE } from '../side-effects.ts';

export const reasonOfRefusedEdit: FindReason = (record) =>
  editsFile(record.failure.turn)
    ? firstReason(record, [otherOpenFile, otherLanguage, removesWhatItCalls, unmatchedEdit])
    : null;

const FILE_NAME =
  /\b[\w-]{2,60}\.(?:[cm]?[jt]sx?|java|kt|py|rb|go|rs|cs?|cpp|h|php|swift|scala|json|ya?ml|toml|xml|md|sh)\b/g;

/** An editor that edits the open file has another one open than the one that the agent speaks of. */
const otherOpenFile: FindReason = ({ turns, failure: { turn, turns: members, first, count } }) => {
  const shown = openFile(turns, first);
  if (turn.edit !== null || shown === null) return null;
  const said = members.flatMap(filesSaid);
  const [meant, times] = mostFrequent(said);
  if (meant === null || shown.endsWith(meant) || times * 2 < members.length) return null;
  return {
    cause: `the ${count} refused edits go to ${shown}, which is the open file, but the agent means ${meant}: ${quote(turn.errorLine)}`,
    startHere: `Open ${meant} first (\`open ${meant}\`), see its name above the lines, then make the edit there.`,
  };
};

/** The names of files in what the agent said right before a call. */
export function filesSaid({ said }: RecordedTurn): readonly string[] {
  return said.match(FILE_NAME) ?? [];
}

/** The file that an editor has open before a call. */
function openFile(turns: readonly RecordedTurn[], before: RecordedTurn): string | null {
  const shown = turns
    .filter(({ step }) => step < before.callStep)
    .map((each) => OPEN_FILE.exec(each.output)?.[1] ?? (changes(each) ? each.edit?.path : undefined));
  return shown.findLast((path) => path !== undefined) ?? null;
}

/** What only stands in texts of one language, and the endings of its files. */
const LANGUAGES: readonly (readonly [name: string, ending: RegExp, marks: RegExp])[] = [
  [
    'Java',
    /\.(?:java|kt|scala|cs|groovy)$/,
    /^\s*(?:import [\w.]+(?:\.\*)?;|public (?:static |final )*(?:class|void|interface) |System\.out\.)/m,
  ],
  ['Python', /\.pyi?$/, /^\s*(?:def \w+\(.*\).*:|from [\w.]+ import |elif .*:|if __name__ ==)/m],
  ['Go', /\.go$/, /^\s*(?:package \w+$|func (?:\(\w+ \*?\w+\) )?\w+\(.*\{$|import \()/m],
  [
    'JavaScript',
    /\.[cm]?[jt]sx?$/,
    /^\s*(?:import .* from ['"]|export (?:const|function|default) |const \w+ = require\()/m,
  ],
];

/** The refused text is of another language than the file. */
const otherLanguage: FindReason = ({ turns, failure: { turn, turns: members, first, count } }) => {
  const path = turn.edit?.path ?? openFile(turns, first);
  const own = LANGUAGES.find(([, ending]) => path !== null && ending.test(path));
  if (path === null || own === undefined) return null;
  const texts = members.map((member) => textOf(member)).filter((text) => !own[2].test(text));
  const [other] = LANGUAGES.filter(
    (each) => each !== own && texts.filter((text) => each[2].test(text)).length * 2 > members.length,
  );
  if (other === undefined) return null;
  return {
    cause:
      `${other[0]} is written into ${path}, which is a ${own[0]} file, so its checker refuses it ${count} times: ` +
      `${quote(turn.errorLine)}`,
    startHere: `Write that text into a ${other[0]} file (create one, see its name above the lines, then edit), or write ${own[0]} here.`,
  };
};

const RANGE = /^\s*edit (\d+):(\d+)/;
const UNDEFINED = /(?:undefined name|is not defined|cannot find (?:name|symbol)|undeclared)\W{0,4}(\w+)/g;

/** An edit of a range removes the lines that define what its text uses. */
const removesWhatItCalls: FindReason = ({ failure: { turn, turns: members, count } }) => {
  const last = members.findLast((member) => RANGE.test(member.input)) ?? turn;
  const [, from, to] = RANGE.exec(last.input) ?? [];
  const names = [...new Set([...last.output.matchAll(UNDEFINED)].map(([, name = '']) => name))];
  const lines = textOf(last).split('\n').length - 2;
  const removed = Number(to) - Number(from) + 1;
  if (names.length === 0 || !(removed >= 2 * Math.max(1, lines))) return null;
  return {
    cause:
      `edit ${from}:${to} puts ${counted(lines, 'line')} in place of ${removed}, and so removes what they use ` +
      `(${names.slice(0, 4).join(', ')}); it was refused ${count} times: ${quote(last.errorLine)}`,
    startHere: `Edit only the lines that change: to add at the end, edit ${to}:${to} and repeat that line before the new ones.`,
  };
};

function textOf(turn: RecordedTurn): string {
  return turn.given.replaceAll('\\n', '\n');
}

export const NOT_THERE =
  /not found|no match|did(?: not|n't) match|failed to find|does not (?:exist|apply|match)|no replacement/i;
const CARRIAGE_RETURN = /\^M\$|\bCRLF\b|\r\n/;

/** An edit is refused because its text is not in the file: which line of it is not, by what was shown of the file. */
const unmatchedEdit: FindReason = ({ turns, failure: { turn, first, last, count } }) => {
  const path = last.edit?.path;
  if (path === undefined || !NOT_THERE.test(turn.errorLine)) return null;
  const wanted = replacedLines(last);
  const shown = linesShown(turns, last, path);
  if (wanted.length === 0 || shown.length === 0) return null;
  const refused = `${counted(count, 'edit')} of ${path} ${count === 1 ? 'was' : 'were'} refused`;
  const missing = wanted.find((line) => !shown.includes(line));
  const about = turns.filter((each) => each.step <= last.step).map((each) => each.output);
  if (missing === undefined || about.some((output) => CARRIAGE_RETURN.test(output))) {
    const ends = firstGroupIn(CARRIAGE_RETURN, about);
    const seen = ends === undefined ? '' : ` (the record shows ${JSON.stringify(ends)})`;
    return {
      cause:
        `${refused} although ${missing === undefined ? 'each line' : 'the text'} of them is in the file: its lines end ` +
        `otherwise${seen}`,
      startHere:
        `Edit ${path} with \`sed -i\` line by line, or take the line ends off (\`sed -i 's/\\r$//' ${path}\`), edit ` +
        'it, and put them back.',
    };
  }
  const near = shown.find((line) => line.replace(/\s+/g, '') === missing.replace(/\s+/g, ''));
  if (near !== undefined)
    return {
      cause: `${refused}: the white space differs. The edit has ${JSON.stringify(missing)}, the file has ${JSON.stringify(near)}`,
      startHere: `Copy the line from ${path} as it is (\`cat -A\` shows tabs as ^I), and make the edit with that.`,
    };
  const isReread = turns.some(({ kind, input, step, callStep }) => {
    const isLater = callStep > first.step && step < last.callStep;
    return isLater && kind === 'read' && input.includes(fileName(path));
  });
  return {
    cause: `${refused}: the line ${quote(missing)} is not in the file as it was last shown`,
    startHere: isReread
      ? `Reading it again did not help. Replace by the number of the line (\`sed -i\`), or take a shorter part of one line as it is shown.`
      : `Read ${path} again and take the text to replace from what it shows; the line above was changed or never there.`,
  };
};

/** The lines that an edit wants to replace, as they must stand in the file. */
function replacedLines(turn: RecordedTurn): readonly string[] {
  const input = turn.given;
  const from = editOf(input)?.from;
  const lines =
    from === null || from === undefined
      ? [...input.matchAll(/^[ -](?!--)(.*)$/gm)].map(([, line = '']) => line)
      : linesOf(from);
  return lines.filter((line) => line.trim() !== '');
}

function linesShown(turns: readonly RecordedTurn[], before: RecordedTurn, path: string): readonly string[] {
  const read = turns.findLast(
    ({ kind, input, failed, step }) =>
      kind === 'read' && !failed && step < before.callStep && input.includes(fileName(path)),
  );
  if (read === undefined) return [];
  return read.output.split('\n').map((line) => line.replace(LISTED_LINE, '').replace(/\r$/, ''));
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
