/** `guessedNames`: names that are not there are tried one after the other: an attribute, an argument, an option, a symbol. */
import { oneOf } from '../../../text/one-of.ts';
import { askedProgram } from '../../check-mark.ts';
import { quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { mostFrequent } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';
import { namesOfThings } from './record-facts.ts';
import { notesIn, TELLING } from './told-by-tool.ts';

/** So many different names are guesses. */
const GUESSES = 3;
const SHOWN = 5;
const SCANNED_CHARS = 4_000;
const NOT_THERE = oneOf(
  /\b(?:unknown|undefined|unexpected|unrecognized|invalid|unsupported|no such|has no|no (?:method|function|member|field|variant))\b/i,
  /\b(?:not (?:found|defined|recognized|supported|a \w+)|does not (?:exist|have|contain)|(?:could not|cannot) find)\b/i,
);

interface Guess {
  readonly turn: RecordedTurn;
  readonly name: string;
  /** The complaint without the name. */
  readonly says: string;
}

/** Each of the names was written by the agent right before, and each is refused in the same words. */
export const guessedNames: FindReason = ({ turns, failure }) => {
  const failing = turns.filter(({ failed }) => failed);
  const guesses: Guess[] = [];
  let written: string[] = [];
  for (const turn of turns) {
    if (turn.edit !== null || turn.failed) written.push(turn.given);
    if (!turn.failed) continue;
    // The line of the failure leaves out what the call itself says.
    const line =
      turn.output
        .slice(0, SCANNED_CHARS)
        .split('\n')
        .find((each) => NOT_THERE.test(each)) ?? '';
    const own = namesOfThings(line).filter((each) => written.some((text) => text.includes(each)));
    const name = own.find((each) => each.startsWith('-')) ?? own.at(-1);
    if (name !== undefined)
      guesses.push({ turn, name, says: line.replaceAll(name, '…').replace(/\d+/g, '0').trim() });
    written = [];
  }
  const [says, often] = mostFrequent(guesses.map((guess) => guess.says));
  const alike = guesses.filter((guess) => guess.says === says);
  const names = [...new Set(alike.map(({ name }) => name))];
  const [first, last] = [alike[0]?.turn, alike.at(-1)?.turn];
  const since = failing.filter(({ step }) => step >= (first?.step ?? Infinity));
  const isIt = alike.some(({ turn }) => failure.turns.includes(turn));
  if (last === undefined || names.length < GUESSES || !isIt || often * 2 < since.length) return null;
  const [told] = since
    .flatMap(({ output }) => notesIn(output))
    .filter(({ text, weight }) => weight >= TELLING && names.some((name) => text.includes(name)))
    .toSorted((a, b) => b.weight - a.weight);
  const shown = names.slice(0, SHOWN).map((name) => `\`${name}\``);
  const program = askedProgram(last.input).split(/\s+/)[0] ?? '';
  const isOption = names.filter((name) => name.startsWith('-')).length * 2 > names.length;
  return [
    `it guesses names that are not there: ${shown.join(', ')}${names.length > SHOWN ? ' and others' : ''} (${names.length} names, each ` +
      `refused: ${quote(says ?? '')})${told === undefined ? '' : `; one output tells more: ${quote(told.text)}`}`,
    isOption
      ? `Do not try another name: look at \`${program} --help\`, and write one call with a name that stands there.`
      : 'Do not try another name, nor one from memory or a page of another version. Look at what is installed: its version ' +
        '(in the lock file), and the names that this version has (its documentation, its types, its source); then write one call.',
  ];
};
