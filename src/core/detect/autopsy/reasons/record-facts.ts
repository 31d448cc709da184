/**
 * `factsAbout`: the lines of earlier outputs that set or show what a failure names, the most telling first, each with the place where it
 * stands. `outsideEdits`: those of files that were not edited. `shownLines`, `placeShown`, `fileShown`: all such lines, where they stand,
 * the file of a call. `namesOfThings`: the names of a sentence. `tellFacts`: facts in words; `longerName`: a name in them that is another.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { isSamePath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';

/** A name that stands for one thing: in quotes, a version, with a mark or a capital inside. */
const NAME = oneOf(
  /(?<=[`'"‘])[\w@/.:#~-]{3,80}(?=[`'"’(])|\b\d+\.\d+(?:\.\d+)*\b|\b[A-Za-z_]\w*(?:[./:-]+\w+)+\b/g,
  /\b\w*[a-z\d]_?[A-Z]\w+\b|\b\w+_\w+\b/g,
);
const LEAST = 3;
/** A part of a dotted name that is long enough to be looked for. */
const PART_CHARS = 5;

/** The place before a message is told by itself. */
const PLACE = /^\S+?(?::(?:\d+|\()\S*|\(\d+,\d+\):)\s/;

/** What an error of that kind is called, whatever it is about. */
const KIND = /^[\w.$]*(?:Error|Exception) ?: /;

export function namesOfThings(text: string): readonly string[] {
  const whole = (text.replace(PLACE, '').replace(KIND, '').match(NAME) ?? []).filter(
    (name) => name.length >= LEAST,
  );
  const parts = whole.filter((name) => !/\d/.test(name)).flatMap((name) => name.split(/[./:-]+/));
  return [...new Set([...whole, ...parts.filter((part) => part.length >= PART_CHARS)])];
}

export interface RecordFact {
  /** The file and the line, or the call that showed it. */
  readonly where: string;
  readonly line: string;
}

const LISTED = /^\s{0,8}(\d{1,6})(?:: |\t|\||→)\s?/;
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):\s*/;
const LONGEST = 200;
const SHOWN = 3;
const SCANNED_CHARS = 20_000;
/** A name that stands everywhere tells nothing. */
const EVERYWHERE = 12;

/** `names`: looked for as whole words; those of the failing command itself and of its errors are known. */
export function factsAbout(record: FailureRecord, names: readonly string[]): readonly RecordFact[] {
  const command = commandOf(record.failure.turn.input);
  const edited = record.turns.flatMap(({ edit }) => edit?.path ?? []);
  const isKnown = (name: string) => command.includes(name) || edited.some((path) => path.includes(name));
  const asked = names.filter((name) => !isKnown(name));
  // What a program puts in quotes is what it is about.
  const quoted = new Set(record.failure.turn.output.match(/(?<=[`'"‘])[\w@/.:#~-]{3,80}(?=[`'"’])/g));
  const found = (asked.length === 0 ? [] : shownLines(record)).flatMap((shown) => {
    const named = asked.filter((name) => hasName(shown.line, name));
    const isSet = named.some((name) => setsName(shown.line, name));
    const isQuoted = named.some((name) => quoted.has(name) && setsName(shown.line, name));
    // A plain word, the part of a longer name, stands in many a line of a program that is about something else.
    const isPart =
      named.length === 1 && !isSet && /^[a-z]+$/.test(named[0] ?? '') && fileShown(shown.turn) === null;
    return named.length === 0 || isPart
      ? []
      : [{ shown, weight: named.length + (isSet ? 3 : 0) + (isQuoted ? 1 : 0) }];
  });
  return found.length > EVERYWHERE && !found.some(({ weight }) => weight > 2)
    ? []
    : mostTelling(outsideEdits(record, found), SHOWN);
}

/** What stands in the edited files was looked at: the others first. */
export function outsideEdits<T extends { readonly shown: ShownLine }>(
  record: FailureRecord,
  found: readonly T[],
): readonly T[] {
  const edited = record.turns.flatMap(({ edit }) => edit?.path ?? []);
  const others = found.filter(({ shown }) => {
    const file = fileShown(shown.turn);
    return file !== null && !edited.some((path) => isSamePath(path, file));
  });
  return others.length > 0 ? others : found;
}

/** A line that a call showed which did not fail; `shown`: with its number or its file before it; `at`: which of the output it is. */
export interface ShownLine {
  readonly turn: RecordedTurn;
  readonly shown: string;
  readonly line: string;
  readonly at: number;
}

/** A line without the number or the place that a tool put before it. */
export function shownLine(shown: string): string {
  return shown.replace(LISTED, '').replace(HIT, '').trim();
}

/** The lines that were shown before the last failure and are not in the failing outputs. */
export function shownLines({ turns, failure }: FailureRecord): readonly ShownLine[] {
  const known = new Set(failure.turns.flatMap(({ output }) => output.split('\n').map((line) => line.trim())));
  const looks = turns.filter(
    ({ failed, kind, step }) => !failed && kind !== 'edit' && step < failure.last.step,
  );
  return looks.flatMap((turn) =>
    turn.output
      .slice(0, SCANNED_CHARS)
      .split('\n')
      .map((shown, at) => ({ turn, shown, at, line: shownLine(shown) }))
      .filter(({ shown, line }) => line !== '' && line.length <= LONGEST && !known.has(shown.trim())),
  );
}

/** Names of files alone tell that they are there, and nothing of what is in them. */
const LISTS_FILES = /^[\w./@+-]+:$|^(?:[\w./@+-]+(?:\.\w{1,8}|\/)(?:\s+|$))+$/;

/** A name and its address, as in a list of remotes: it says nothing of either, and shares the address alone. */
const LISTS_ADDRESS = /^[A-Za-z][\w.-]*\s+(?:\/|[\w.-]+:|\S+@\S+:)\S*(?:\s+\(\w+\))?$/;

/** The lines of the greatest weight, each once. */
export function mostTelling(
  found: readonly { readonly shown: ShownLine; readonly weight: number }[],
  count: number,
): readonly RecordFact[] {
  const said = found.filter(
    ({ shown }) =>
      fileShown(shown.turn) !== null || !(LISTS_FILES.test(shown.line) || LISTS_ADDRESS.test(shown.line)),
  );
  const best = said.reduce((most, { weight }) => Math.max(most, weight), 0);
  const telling = said.filter(({ weight }) => weight === best).map(({ shown }) => shown);
  const once = [...new Map(telling.map((each) => [each.line, each])).values()].slice(0, count);
  return once.map((shown) => ({ where: placeShown(shown), line: shown.line }));
}

/** A plain word counts only as a whole: others may stand in a longer name. */
function hasName(line: string, name: string): boolean {
  const at = line.indexOf(name);
  if (at < 0 || !/^[a-z]+$/.test(name)) return at >= 0;
  return !/\w$/.test(line.slice(0, at)) && !/^\w/.test(line.slice(at + name.length));
}

/** `name = …`, `"name": …`, `name: …`: here it is given its value. */
function setsName(line: string, name: string): boolean {
  const at = line.indexOf(name);
  return (
    /^["'`\])]{0,2}\s*(?:\([^)]{0,20}\)\s*)?(?::(?!:)|=(?!=))/.test(line.slice(at + name.length)) &&
    !/[\w.]$/.test(line.slice(0, at))
  );
}

const SHOWS_ONE = /^\s*cat ([\w./@+~-]+)\s*$/;
/** Then the first line that is shown is not the first of the file. */
const SHOWS_PART = /"(?:offset|limit|view_range|start_line)"/;

/** The file that a call showed; null if it is none, or one of several. */
export function fileShown({ kind, given, input }: RecordedTurn): string | null {
  return kind === 'read' ? (editOf(given)?.path ?? SHOWS_ONE.exec(commandOf(input))?.[1] ?? null) : null;
}

export function placeShown({ turn, shown, at }: ShownLine): string {
  const [, path, hit] = HIT.exec(shown.trim()) ?? [];
  if (path !== undefined) return `${path}, line ${hit}`;
  const file = fileShown(turn);
  const number = LISTED.exec(shown)?.[1];
  if (file === null) return `\`${callText(turn)}\``;
  if (number === undefined && SHOWS_PART.test(turn.given)) return file;
  return `${file}, line ${Number(number ?? at + 1)}`;
}

export function tellFacts(facts: readonly RecordFact[]): string {
  return [...Map.groupBy(facts, ({ where }) => where)]
    .map(([where, same]) => `${where}: ${same.map(({ line }) => `\`${quote(line)}\``).join(' and ')}`)
    .join('; ');
}

/** A word of the facts that has one of the names in it and more: it looks like the same thing and is another. */
export function longerName(facts: readonly RecordFact[], names: readonly string[]): string {
  for (const { line } of facts)
    for (const word of line.match(/[\w$]+/g) ?? []) {
      const name = names.find((each) => each.length > PART_CHARS && word.includes(each) && word !== each);
      if (name !== undefined) return `; \`${word}\` is another name than \`${name}\``;
    }
  return '';
}
