/**
 * `factsAbout`: the lines of earlier outputs that set or show what a failure names, the most telling first, each with the place where it
 * stands. `namesOfThings`: the names of a sentence. `tellFacts`: facts in words; `longerName`: a name in them that is another one.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FailureRecord } from './find-reason.ts';

/** A name that stands for one thing: in quotes, a version, with a mark or a capital inside. */
const NAME = oneOf(
  /(?<=[`'"‘])[\w@/.:#~-]{3,80}(?=[`'"’(])|\b\d+\.\d+(?:\.\d+)*\b|\b[A-Za-z_]\w*(?:[./:-]+\w+)+\b/g,
  /\b\w*[a-z\d]_?[A-Z]\w+\b|\b\w+_\w+\b/,
);
const LEAST = 3;
/** A part of a dotted name that is long enough to be looked for. */
const PART_CHARS = 5;

/** The place before a message is told by itself. */
const PLACE = /^\S+?(?::(?:\d+|\()\S*|\(\d+,\d+\):)\s/;

export function namesOfThings(text: string): readonly string[] {
  const whole = (text.replace(PLACE, '').match(NAME) ?? []).filter((name) => name.length >= LEAST);
  const parts = whole.filter((name) => !/\d/.test(name)).flatMap((name) => name.split(/[./:-]+/));
  return [...new Set([...whole, ...parts.filter((part) => part.length >= PART_CHARS)])];
}

interface RecordFact {
  /** The file and the line, or the call that showed it. */
  readonly where: string;
  readonly line: string;
  readonly turn: RecordedTurn;
}

const LISTED = /^\s{0,8}(\d{1,6})(?:: |\t|\||→)\s?/;
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):\s*/;
const LONGEST = 200;
const SHOWN = 3;
const SCANNED_CHARS = 20_000;
/** A name that stands everywhere tells nothing. */
const EVERYWHERE = 12;

/** `names`: looked for as whole words; those of the failing command itself and of its errors are known. */
export function factsAbout(
  { turns, failure }: FailureRecord,
  names: readonly string[],
): readonly RecordFact[] {
  const last = failure.turns.at(-1) as RecordedTurn;
  const command = commandOf(failure.turn.input);
  const asked = names.filter((name) => !command.includes(name));
  const known = new Set(failure.turns.flatMap(({ output }) => output.split('\n').map((line) => line.trim())));
  const found: { readonly fact: RecordFact; readonly weight: number }[] = [];
  for (const turn of asked.length === 0 ? [] : turns) {
    if (turn.failed || turn.kind === 'edit' || turn.step >= last.step) continue;
    for (const shown of turn.output.slice(0, SCANNED_CHARS).split('\n')) {
      const line = shown.replace(LISTED, '').replace(HIT, '').trim();
      const named = asked.filter((name) => hasName(line, name));
      if (named.length === 0 || line.length > LONGEST || known.has(shown.trim())) continue;
      const isSet = named.some((name) => setsName(line, name));
      found.push({
        fact: { where: placeOf(turn, shown), line, turn },
        weight: named.length + (isSet ? 3 : 0),
      });
    }
  }
  if (found.length > EVERYWHERE && !found.some(({ weight }) => weight > 2)) return [];
  const best = Math.max(0, ...found.map(({ weight }) => weight));
  const telling = found.filter(({ weight }) => weight === best).map(({ fact }) => fact);
  return [...new Map(telling.map((fact) => [fact.line, fact])).values()].slice(0, SHOWN);
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
    /^["'`\])]{0,2}\s*(?::(?!:)|=(?!=))/.test(line.slice(at + name.length)) &&
    !/[\w.]$/.test(line.slice(0, at))
  );
}

function placeOf(turn: RecordedTurn, shown: string): string {
  const [, path, row] = HIT.exec(shown.trim()) ?? [];
  if (path !== undefined) return `${path}, line ${row}`;
  const file = turn.kind === 'read' ? editOf(turn.given)?.path : undefined;
  const number = LISTED.exec(shown)?.[1];
  if (file === undefined) return `\`${callText(turn)}\``;
  return number === undefined ? file : `${file}, line ${number}`;
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
