/** `neverThere`: the failing call needs what an earlier call showed to be empty or absent, and nothing filled it since. */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FailureRecord, type FindReason, thenRun, errorSaid } from './find-reason.ts';
import { fileShown, shownLines } from './record-facts.ts';

const LISTS =
  /^\s*(?:ls|dir|find|tree|du)\s+(?:-\w+\s+)*["']?([\w@+~-]*(?:[./][\w@+-]+)*\/?)["']?(?=\s|$)(.*)$/g;
const SAID_EMPTY = /\b(?:directory|folder)\s+["'`]?([\w./@+~-]+?)["'`]?\s+is empty\b/i;
const SAID_ABSENT = /(?:cannot access|cat:|head:|stat:|find:)\s+["'‘`]?([\w./@+~-]+?)["'’`]?: no such file/i;

interface Absence {
  readonly path: string;
  readonly is: 'empty' | 'not there';
  readonly turn: RecordedTurn;
}

export const neverThere: FindReason = (record) => {
  const { turns, failure } = record;
  const { turn, last, count } = failure;
  if (editsFile(turn)) return null;
  const looks = turns.filter((each) => each.step < last.callStep && !failure.turns.includes(each));
  const needed = looks.flatMap(absences).find((each) => isOpen(record, each) && isNeeded(record, each));
  if (needed === undefined) return null;
  const { path, is, turn: look } = needed;
  const vain = editedInVain(record);
  return [
    `${path} is ${is} (\`${callText(look)}\`, call ${turns.indexOf(look) + 1}), and \`${callText(turn)}\` names it, in ${count} runs: ` +
      `${errorSaid(record)}${vain === '' ? '' : `; the edits of ${vain} did not fill it`}`,
    `${filledBy(record, path)}, and see that ${path} has what is needed; ${thenRun(record)}`,
  ];
};

const COUNTS = /\|\s*wc -l/;
const LONG = /^\s*ls -\w*l/;
/** Then nothing is left out of what is listed. */
const ALL = /^(?:\s+(?:-type f|2>\/dev\/null))*\s*$/;

/** What the parts of a command line showed to have nothing in it. */
function absences(turn: RecordedTurn): readonly Absence[] {
  const lines = turn.output.split('\n').map((line) => line.trim());
  const parts = commandOf(turn.input).split(/&&|\|\||[;\n]/);
  const lists = parts.flatMap((part) => [...part.matchAll(LISTS)]);
  const isOnly = (sign: RegExp) => lists.filter(([part]) => sign.test(part)).length === 1;
  const empty = lists.filter(
    ([part, , rest = '']) =>
      (parts.length === 1 && turn.output.trim() === '' && ALL.test(rest)) ||
      (COUNTS.test(rest) && isOnly(COUNTS) && lines.includes('0')) ||
      (LONG.test(part) && isOnly(LONG) && lines.includes('total 0')),
  );
  const said = lines.flatMap((line): readonly Absence[] => {
    const [gone, none] = [SAID_ABSENT.exec(line)?.[1], SAID_EMPTY.exec(line)?.[1]];
    if (gone !== undefined) return [{ path: gone, is: 'not there', turn }];
    return none === undefined ? [] : [{ path: none, is: 'empty', turn }];
  });
  return [...empty.map(([, path = '']): Absence => ({ path, is: 'empty', turn })), ...said]
    .map((each) => ({ ...each, path: each.path.replace(/^\.\/|\/$/g, '') }))
    .filter(({ path }) => path.length > 2);
}

/** No call since made it, or found something there. */
function isOpen(
  { turns, failure: { turns: members, last } }: FailureRecord,
  { path, turn }: Absence,
): boolean {
  const later = turns.filter(
    ({ step, failed, barren, kind }) =>
      step > turn.step && step < last.callStep && !failed && !(barren && kind !== 'edit'),
  );
  return !later.some(
    (each) =>
      !members.includes(each) &&
      (each.edit === null
        ? each.input.includes(path) && !absences(each).some((other) => other.path === path)
        : changes(each) && each.edit.path.includes(path)),
  );
}

/** The failure names it, or a file that the failure names does. */
function isNeeded({ turns, failure: { turn } }: FailureRecord, { path, is }: Absence): boolean {
  // What is not there under a short name may be there under a longer one.
  const before = is === 'empty' ? '[\\w-]' : '[\\w./-]';
  const whole = new RegExp(`(?<!${before})${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
  if (whole.test(turn.output) || whole.test(commandOf(turn.input))) return true;
  return turns.some((each) => {
    const name = (each.edit?.path ?? fileShown(each))?.replace(/^.*\//, '');
    return (
      name !== undefined &&
      turn.output.includes(name) &&
      whole.test(each.kind === 'read' ? each.output : each.given)
    );
  });
}

/** A sentence of the project that says how it comes there. */
const TELLS_HOW = oneOf(
  /\b(?:get|fetch|download|generate|create|pull|prepare|seed|fill|first|run)\b[^`]{0,80}`([\w./-]+(?: [^`]{1,80})?)`/i,
  /`([\w./-]+(?: [^`]{1,80})?)`[^`]{0,40}\b(?:fetch|download|generate|create|pull|prepare|seed|fill)s?\b/i,
);

function filledBy(record: FailureRecord, path: string): string {
  const lines = shownLines(record).map(({ line }) => line);
  if (lines.some((line) => line.replaceAll(' ', '') === `path=${path}`))
    return `It is a submodule: run \`git submodule update --init ${path}\``;
  const told = lines.map((line) => TELLS_HOW.exec(line)).find((found) => found !== null);
  const command = told?.[1] ?? told?.[2];
  return command === undefined
    ? `Fill ${path} first, from where it comes (a submodule, a download, a generator; if nothing says it, ask)`
    : `Fill it first: run \`${command}\` (${quote(told?.[0] ?? '')})`;
}
