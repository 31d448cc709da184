/**
 * `checkDiagnoseAnswer`: takes a model's answer about a failed output, with what the record says to it. A quotation that does not stand in
 * the output is refused. Whether the quoted line states a failure, and whether a sign besides the model's word speaks for the class, is
 * written beside the answer: `isBorneOut` says whether it may decide anything.
 */
import {
  FAILURE_CLASS_NAMES,
  FAILURE_CLASSES,
  type FailureClass,
} from '../vocabulary/classes/failure-class.ts';
import type { CheckedAnswer } from '../vocabulary/opinion.ts';
import { classSigns, NEEDS_PERSON } from './class-signs.ts';
import { findQuote, type RecordEntry } from './quotes.ts';
import { choice, readForm, sentence, share, truth } from './reply.ts';
import { type ReadFailure, isFailureLine, isNearFailureLine } from './read-failure.ts';

export interface DiagnoseAnswer {
  readonly class: FailureClass | 'success';
  readonly cause: string;
  readonly quote: string;
  readonly recoverable: boolean;
  readonly next_step: string;
}

const CLASSES = [
  'success',
  ...FAILURE_CLASS_NAMES.filter((name) => FAILURE_CLASSES[name].definition !== undefined),
] as const;
const SENTENCE_CHARS = 400;
const QUOTE_CHARS = 600;
/** It never makes a failure automatic; about the class it says nothing. */
const NO_PERSON = 'no person is needed';
/** A claim that does not hold makes the rest of the answer doubtful. */
const DOUBT = 0.5;

export function checkDiagnoseAnswer(
  reply: unknown,
  read: ReadFailure,
): CheckedAnswer<DiagnoseAnswer> | string {
  const form = readForm<DiagnoseAnswer & { readonly confidence: number }>(reply, {
    class: choice(CLASSES),
    cause: sentence(SENTENCE_CHARS),
    quote: (value) => (typeof value === 'string' && value.length <= QUOTE_CHARS ? value : undefined),
    recoverable: truth,
    next_step: sentence(SENTENCE_CHARS),
    confidence: share,
  });
  if (typeof form === 'string') return form;
  const { confidence, ...answer } = form;
  if (answer.cause === '') return 'the answer names no cause';
  const needsQuote = answer.class !== 'success' && answer.class !== 'unknown';
  const found = quotedLine(read, answer.quote);
  if (found === null) {
    if (needsQuote || answer.quote.trim() !== '')
      return 'the quote is not 8 or more characters of one line of the output, verbatim';
    return { answer, quotes: [], checked: signClaims(answer.class, null, read), confidence };
  }
  const { at, text } = found;
  const checked = [
    ...(needsQuote
      ? [{ claim: 'the quoted line states a failure or a result', holds: isNearFailureLine(read, at) }]
      : []),
    ...signClaims(answer.class, at, read),
    ...(answer.recoverable && NEEDS_PERSON(answer.class) ? [{ claim: NO_PERSON, holds: false }] : []),
  ];
  return {
    answer,
    quotes: [{ entry: read.lines[at]?.number ?? 0, text }],
    checked,
    confidence: isBorneOut({ checked }) ? confidence : confidence * DOUBT,
  };
}

/** Only then may it raise, lower or replace what the rules say. */
export function isBorneOut({ checked }: Pick<CheckedAnswer, 'checked'>): boolean {
  return checked.every(({ claim, holds }) => holds || claim === NO_PERSON);
}

function signClaims(type: DiagnoseAnswer['class'], at: number | null, read: ReadFailure) {
  if (type === 'unknown') return [];
  const signs = classSigns(type, at, read);
  return [
    { claim: `${type}: ${signs[0] ?? 'a sign besides the words of the model'}`, holds: signs.length > 0 },
  ];
}

interface Quoted {
  readonly at: number;
  readonly rank: number;
  readonly text: string;
}

/** A line that states a failure first, then one of the judged step: the same words may be echoed elsewhere. */
function quotedLine(read: ReadFailure, quote: string): Quoted | null {
  let best: Quoted | null = null;
  for (const [at, { number, raw, shown, text }] of read.lines.entries()) {
    const texts: RecordEntry[] = [raw, shown, text].map((each) => ({ entry: number, text: each }));
    // A prompt shows tabs and runs of spaces as a terminal does.
    const held = findQuote(texts, quote) ?? findQuote(texts.slice(2), quote.replaceAll(/\s+/g, ' '));
    if (held === null) continue;
    const rank = (isFailureLine(read, at) ? 2 : 0) + (read.inStep[at] === true ? 1 : 0);
    if (best === null || rank > best.rank) best = { at, rank, text: held.text };
  }
  return best;
}
