/** `nearName`: what is not found under one name was shown under a name that is nearly the same. */
import { distance } from '../../../text/distance.ts';
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, errorSaid, type FailureRecord, type FindReason, thenRun } from './find-reason.ts';
import { placeShown, shownLines } from './record-facts.ts';

const QUOTED = String.raw`["'\x60‘“]?([\w$][\w.$:-]{2,80}?)["'\x60’”]?`;
const NOT_THERE =
  "(?:does not exist|doesn't exist|(?:was |is |could )?not (?:be )?(?:found|defined|declared)|is (?:undefined|unknown))";
const THINGS = [
  'column|relation|table|view|field|database|role|schema|function|method|property|attribute|variable|key|symbol|topic|queue|bucket|index',
  'namespace|network|volume|service|label|secret|template|route|option|argument|type|class|fixture|profile|member|export',
].join('|');
/** A name that a program looked for in vain. */
const MISSED = oneOf(
  new RegExp(String.raw`\b(?:${THINGS}) ${QUOTED} ${NOT_THERE}`, 'i'),
  new RegExp(String.raw`\bhas no (?:\w+ )?(?:${THINGS})(?:s?|ed)(?: named)? ${QUOTED}(?:$|[\s.,;)])`, 'i'),
  new RegExp(
    String.raw`\b(?:unknown|undefined|unrecognized|undeclared|no such) (?:${THINGS}):? ${QUOTED}(?:$|[\s.,;)])`,
    'i',
  ),
  new RegExp(String.raw`(?<=["'\x60‘])([\w$][\w.$:-]{2,80})(?=["'\x60’] ${NOT_THERE})`, 'i'),
);
const WORD = /[A-Za-z_$][\w$-]{2,60}/g;
const LEAST = 4;

export const nearName: FindReason = (record) => {
  const { turn, count } = record.failure;
  const missed = groupIn(MISSED, turn.errorLine)?.split(/[.:]/).at(-1) ?? otherSpelling(record) ?? '';
  if (editsFile(turn) || missed.length < LEAST) return null;
  const said: readonly string[] = turn.errorLine.match(WORD) ?? [];
  const found = shownLines(record).flatMap((shown) => {
    const near = (shown.line.match(WORD) ?? []).find((word) => isNear(word, missed) && !said.includes(word));
    return near === undefined ? [] : [{ shown, near }];
  });
  const [first] = found;
  if (first === undefined || new Set(found.map(({ near }) => near)).size > 1) return null;
  const vain = editedInVain(record);
  const place = `${placeShown(first.shown)}: \`${quote(first.shown.line)}\``;
  const [use, make] = [
    `use \`${first.near}\` where \`${missed}\` stands`,
    `make \`${missed}\` first, if it should be there`,
  ];
  // A longer name is made on purpose: for a test, for a copy.
  const ways = isLess(partsOf(first.near), partsOf(missed)) ? [make, use] : [use, make];
  return [
    `${errorSaid(record)}, ${count} times. What the record shows is \`${first.near}\` (${place}): probably that is meant, or ` +
      `\`${missed}\` was never made${vain === '' ? '' : `; the edits of ${vain} keep the name`}`,
    `Decide which of the two is right: ${ways.join(', or ')}; ${thenRun(record)}`,
  ];
};

const SAYS_MISSING = /not ?found|no value|missing|unknown|undefined|unrecogni[sz]ed|no such|required/i;

/** A name in quotes of a failure that something is missing, where the record has it in another spelling: `a_b` for `aB`. */
function otherSpelling(record: FailureRecord): string | null {
  const { errorLine } = record.failure.turn;
  const names = SAYS_MISSING.test(errorLine) ? (errorLine.match(/(?<=["'`‘])\w{4,60}(?=["'`’])/g) ?? []) : [];
  const words = names.length === 0 ? [] : shownLines(record).flatMap(({ line }) => line.match(WORD) ?? []);
  const isOther = (name: string) => (word: string) =>
    word !== name && partsOf(word).join() === partsOf(name).join();
  return names.find((name) => partsOf(name).length > 1 && words.some(isOther(name))) ?? null;
}

/** The same parts, each whole or shortened; or a letter or two apart, not in a number. */
function isNear(a: string, b: string): boolean {
  const [parts, others] = [partsOf(a), partsOf(b)];
  if (parts.join() === others.join()) return a !== b;
  const isShort =
    parts.length === others.length && parts.every((part, at) => isPrefix(part, others[at] ?? ''));
  const isTypo =
    Math.min(a.length, b.length) > LEAST + 1 &&
    a.replace(/\d/g, '') !== b.replace(/\d/g, '') &&
    distance(a, b) <= (a.length > 7 ? 2 : 1);
  return isShort || isLess(parts, others) || isTypo;
}

function isLess(parts: readonly string[], others: readonly string[]): boolean {
  const [less, more] = [parts.join(), others.join()];
  return parts.length === others.length - 1 && less.length >= LEAST && more.startsWith(`${less},`);
}

function partsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((part) => part.toLowerCase());
}

function isPrefix(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short === long || (short.length >= 2 && long.startsWith(short));
}
