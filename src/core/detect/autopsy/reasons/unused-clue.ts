/**
 * `unusedClue`: of all lines that the record showed, the one that has most to do with a failure that repeats and that nothing followed up:
 * it shares rare words with the failure or with what was tried, and no later call came back to it. It suggests a cause, and proves none.
 */
import { complains } from '../../../text/complains.ts';
import { commandOf } from '../../call-kind.ts';
import { isBanner } from '../../error-line.ts';
import { editOf } from '../../edit-target.ts';
import { changes } from '../../staleness.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { isSamePath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';
import { fileShown, type ShownLine, shownLine } from './record-facts.ts';
import { explainingKinds } from './told-by-tool.ts';

export interface Clue extends ShownLine {
  /** It stands in the failing outputs themselves. */
  readonly isOwn: boolean;
  readonly weight: number;
}

/** A longer line is data, a shorter one says nothing. */
const LONGEST = 240;
const SHORTEST = 8;
/** Of one output: a flood is not read to its end. */
const SCANNED_CHARS = 20_000;
/** What was shown before them is another part of a long record. */
const LATEST = 400;
/** A line that shares one word by chance weighs less. */
const LEAST_WEIGHT = 6;
const LEAST_SHARED = 2;

export function unusedClue(record: FailureRecord): Clue | null {
  return unusedClues(record)[0] ?? null;
}

export function unusedClues(record: FailureRecord): readonly Clue[] {
  const { failure } = record;
  const turns = record.turns.slice(-LATEST);
  const members = new Set(failure.turns);
  const before = turns.filter(({ step }) => step <= failure.last.step);
  const asked = askedWords(record, turns);
  const often = countWords(before.filter((turn) => !members.has(turn)));
  const rare = (word: string) => Math.log((1 + before.length) / (0.5 + (often.get(word) ?? 0)));
  const told = new Set(failure.turns.map(({ errorLine }) => bare(errorLine)));
  const written = writtenLines(turns);
  const seen = new Map<string, Clue>();
  for (const turn of before) {
    if (turn.kind === 'edit' && !turn.failed) continue;
    const isOwn = members.has(turn);
    if (isOwn && turn !== failure.turn) continue;
    for (const [at, shown] of turn.output.slice(0, SCANNED_CHARS).split('\n').entries()) {
      const line = shownLine(shown);
      if (line.length < SHORTEST || line.length > LONGEST || isBanner(line) || NO_CLUE.test(line)) continue;
      if (
        written.has(line) ||
        [...told].some((each) => each.includes(bare(line)) || bare(line).includes(each))
      )
        continue;
      const words = wordsIn(line);
      const shared = [...words].filter((word) => asked.has(word));
      const kinds = explainingKinds(line);
      if (isOwn && kinds === 0 && !complains(line)) continue;
      if (shared.length < LEAST_SHARED && kinds === 0) continue;
      const sum = shared.reduce((all, word) => all + rare(word) * (asked.get(word) ?? 0), 0);
      const weight =
        (sum / (1 + Math.log(1 + words.size / 8))) *
        (1 + 0.5 * kinds + (SETS.test(line) ? 0.4 : 0)) *
        (isFollowed(turns, turn, line, words, asked) ? 0.3 : 1);
      const known = seen.get(bare(line));
      if (known === undefined || known.weight < weight)
        seen.set(bare(line), { turn, shown, line, at, isOwn, weight });
    }
  }
  return [...seen.values()]
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight);
}

const NO_CLUE = /^(?:at |File "|\d+ (?:passed|failed)|[=\-_*~.]{4,}|(?:import|from|#include|use|require)\b)/;
const SETS = /^(?:- |export )?["']?[\w.-]{2,60}["']?\s*[:=]\s*\S/;

/** How much a word has to do with the failure: it stands in the error, beside it in all failing outputs, or in what was tried. */
function askedWords({ failure }: FailureRecord, turns: readonly RecordedTurn[]): ReadonlyMap<string, number> {
  const asked = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsIn(text)) asked.set(word, Math.max(asked.get(word) ?? 0, weight));
  };
  for (const turn of turns)
    if (changes(turn) && turn.step > failure.first.step) {
      const { path = '', from, to } = editOf(turn.given) ?? {};
      add(path, 0.3);
      add(`${from ?? ''} ${to ?? ''}`.slice(0, 2_000).replaceAll('\\n', ' '), 0.4);
    }
  add(commandOf(failure.turn.input), 0.3);
  for (const { errorLine } of failure.turns) add(errorLine, 1);
  return asked;
}

function countWords(turns: readonly RecordedTurn[]): ReadonlyMap<string, number> {
  const often = new Map<string, number>();
  for (const { output, given } of turns)
    for (const word of wordsIn(`${output.slice(0, SCANNED_CHARS)}\n${given.slice(0, 2_000)}`))
      often.set(word, (often.get(word) ?? 0) + 1);
  return often;
}

const WORD = /[A-Za-z_][\w-]*|\d{2,}(?:\.\d+)*/g;
const PART = /[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d{2,}/g;
const ANY = new Set(
  [
    'the and for not with was from this that error errors failed fail failure cannot could test tests true false null none undefined',
    'line file are has have expected received got actual return const let var def self import class function public string int',
  ].flatMap((words) => words.split(' ')),
);

/** Names as a whole and by their parts. */
function wordsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const word of text.match(WORD) ?? []) {
    const whole = word.toLowerCase();
    if (whole.length > 2 && !ANY.has(whole)) found.add(whole);
    const parts = word.match(PART) ?? [];
    if (parts.length > 1)
      for (const part of parts)
        if (part.length > 2 && !ANY.has(part.toLowerCase())) found.add(part.toLowerCase());
  }
  return found;
}

/** The lines that the agent wrote itself. */
function writtenLines(turns: readonly RecordedTurn[]): ReadonlySet<string> {
  const edits = turns.filter(changes).flatMap(({ given }) => {
    const { to } = editOf(given) ?? {};
    return (to ?? given).replaceAll('\\n', '\n').replaceAll('\\"', '"').split('\n');
  });
  return new Set(edits.map((line) => line.trim()));
}

/** A later call edits the file of the line, or asks for a word of it that the failure has not. */
function isFollowed(
  turns: readonly RecordedTurn[],
  shown: RecordedTurn,
  line: string,
  words: ReadonlySet<string>,
  asked: ReadonlyMap<string, number>,
): boolean {
  const file = fileShown(shown);
  const own = [...words].filter((word) => !asked.has(word) && word.length > 4);
  return turns.some((turn) => {
    if (turn.step <= shown.step) return false;
    if (turn.edit !== null && file !== null && isSamePath(turn.edit.path, file)) return true;
    const given = turn.given.toLowerCase();
    return own.some((word) => given.includes(word));
  });
}

function bare(text: string): string {
  return text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
}
