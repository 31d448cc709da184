/**
 * `factsShown`: the lines of earlier outputs that a sentence about a failure is about: by the names in it, otherwise by the rare words that
 * they share. `lineAt`: a line of a file as the record last showed it.
 */
import { editOf } from '../../edit-target.ts';
import { listedIn } from '../page-shown.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { isSamePath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';
import {
  factsAbout,
  mostTelling,
  namesOfThings,
  outsideEdits,
  type RecordFact,
  shownLines,
} from './record-facts.ts';

export function factsShown(record: FailureRecord, sentence: string): readonly RecordFact[] {
  const named = factsAbout(record, namesOfThings(sentence));
  return named.length > 0 ? named : factsByWords(record, sentence);
}

const WORD = /[A-Z]?[a-z]{3,}|[A-Z]{3,}/g;
/** Words are told apart by their beginning: `allowed` and `allow` are one. */
const STEM_CHARS = 5;
const ANY_FAILURE = new Set(
  'error errors faile failu canno could would shoul expec recei value types modul found not with from that this name calls exit code'
    .concat(
      ' missi objec funct impor retur class const strin null undef true false publi requi must when have been there line file test',
    )
    .split(' ')
    .map((word) => word.slice(0, STEM_CHARS)),
);
/** One word may be anywhere by chance. */
const SHARED_WORDS = 2;
/** What a line shares by words that stand everywhere tells nothing. */
const RARE_SHARE = 0.2;
const SHOWN = 2;

function factsByWords(record: FailureRecord, sentence: string): readonly RecordFact[] {
  const asked = wordsIn(sentence);
  const lines = (asked.size < SHARED_WORDS ? [] : shownLines(record)).map((shown) => ({
    shown,
    words: [...wordsIn(shown.line)].filter((word) => asked.has(word)),
  }));
  const often = new Map(
    [
      ...Map.groupBy(
        lines.flatMap(({ words }) => words),
        (word) => word,
      ),
    ].map(([word, all]) => [word, all.length]),
  );
  const isRare = (word: string) => (often.get(word) ?? 0) <= SHOWN + lines.length * RARE_SHARE;
  const weigh = (word: string) => Math.log((1 + lines.length) / (1 + (often.get(word) ?? 0)));
  const rated = lines
    .filter(({ words }) => words.length >= SHARED_WORDS && words.some(isRare))
    .map(({ shown, words }) => ({ shown, weight: words.reduce((sum, word) => sum + weigh(word), 0) }));
  return mostTelling(outsideEdits(record, rated), SHOWN);
}

function wordsIn(text: string): ReadonlySet<string> {
  const words = text.match(WORD) ?? [];
  return new Set(
    words.map((word) => word.toLowerCase().slice(0, STEM_CHARS)).filter((word) => !ANY_FAILURE.has(word)),
  );
}

export function lineAt(turns: readonly RecordedTurn[], file: string, row: number): string {
  const read = turns.filter(
    (turn) => turn.kind === 'read' && isSamePath(editOf(turn.given)?.path ?? '', file),
  );
  const found = read.flatMap(({ output }) => listedIn(output)).findLast(([at]) => at === row);
  return found?.[1].trim() ?? '';
}
