/** `emptyValue`: the failure shows `undefined` or the like where a value belongs: which value, and where it should come from. */
import { oneOf } from '../../../text/one-of.ts';
import { quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, errorSaid, type FindReason, thenRun } from './find-reason.ts';
import { placeShown, type ShownLine, shownLines } from './record-facts.ts';

/** It stands beside marks of an address or a path, and another part follows. */
const EMPTY = /(?<![\w.])(undefined|null|None|NaN|nil)([/:@?&][\w/.-]{2,40})/;
/** What is put into a text: `${name}`, `{name}`, `#{name}`. */
const PUTS = String.raw`[$#]?\{(\w+)[^}]{0,40}\}`;
const IS_SET = oneOf(
  /^(?:export )?(?:const |let |var |val )?["']?(\w+)["']?\s*(?::\s*\w+)?\s*=\s*(\S.*)$/,
  /^["']?(\w+)["']?:\s+(\S.*)$/,
);

export const emptyValue: FindReason = (record) => {
  const { turn, count } = record.failure;
  const [, empty, rest = ''] = (editsFile(turn) ? null : EMPTY.exec(turn.errorLine)) ?? [];
  if (empty === undefined) return null;
  const lines = shownLines(record);
  const puts = new RegExp(PUTS + rest.slice(0, 6).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const name = lines.map(({ line }) => puts.exec(line)?.[1]).find((each) => each !== undefined);
  const from = lines.find(({ line }) => name !== undefined && valueOf(line, name) !== null);
  if (name === undefined || from === undefined) return null;
  const source = /(\w+)\W*$/.exec(valueOf(from.line, name) ?? '')?.[1] ?? '';
  const set = lines.find((each) => each !== from && valueOf(each.line, source) !== null);
  const vain = editedInVain(record);
  return [
    `\`${name}\` is ${empty} when it runs, ${count} times: ${errorSaid(record)}. It comes from ${tell(from)}` +
      `${set === undefined ? '' : `; \`${source}\` is set in ${tell(set)}, and what runs may not get it from there`}` +
      `${vain === '' ? '' : `. The edits of ${vain} did not change that`}`,
    'Find out which names reach the program that runs: whether it reads that file at all, and whether it takes only names with a prefix ' +
      `or from a list; give \`${source || name}\` in that way (a print of it where it runs decides); ${thenRun(record)}`,
  ];
};

function valueOf(line: string, name: string): string | null {
  const [, one, value, other, second] = IS_SET.exec(line) ?? [];
  return (one ?? other) === name && name !== '' ? (value ?? second ?? '') : null;
}

function tell(shown: ShownLine): string {
  return `${placeShown(shown)}: \`${quote(shown.line)}\``;
}
