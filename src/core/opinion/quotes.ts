/**
 * `findQuote`: where a quotation of a model stands in the record. A quotation that does not stand there proves nothing. `quotableText`:
 * what may be quoted of a text. `quotesHeld`: the quotations of an answer that hold. `isCopied`: whether words that should be the model's
 * own stand in the record.
 */
import { oneLine } from '../text/quote-fenced.ts';
import { visibleText } from '../text/visible-text.ts';
import type { CheckedAnswer, OpinionQuote } from '../vocabulary/opinion.ts';
import { formed, manyOf, verbatim, wholeNumber } from './reply.ts';

export interface RecordEntry {
  readonly entry: number;
  readonly text: string;
}

/** Shorter quotations ("error") occur everywhere and prove nothing. */
const LEAST_CHARS = 8;
const MAX_QUOTES = 4;
const QUOTE_CHARS = 400;
/** A text that stands in the record as a whole sentence was taken over, not thought. */
const COPIED_CHARS = 24;

/**
 * Verbatim but for the spaces at its ends. `named` is the entry that the model names; null: any.
 */
export function findQuote(
  entries: Iterable<RecordEntry>,
  text: string,
  named: number | null = null,
): OpinionQuote | null {
  const wanted = text.trim();
  if (wanted.length < LEAST_CHARS) return null;
  for (const { entry, text: whole } of entries)
    if ((named === null || entry === named) && whole.includes(wanted)) return { entry, text: wanted };
  return null;
}

/** Also as one line, as prompts show it in their lists. */
export function quotableText(text: string): string {
  const shown = visibleText(text);
  return shown.includes('\n') ? `${shown}\n${oneLine(shown)}` : shown;
}

/** The quotations of an answer, as a field of its form. */
export const QUOTES = manyOf(
  formed<OpinionQuote>({ entry: wholeNumber, text: verbatim(QUOTE_CHARS) }),
  MAX_QUOTES,
  1,
);

export const QUOTES_FORM =
  `  "quotes": 1 to ${MAX_QUOTES} objects {"entry": n, "text": a part of one line of that entry, verbatim, ` +
  'at least 8 characters} that show it,';

/** Each must stand in the entry that it names; a text says that none does. */
export function quotesHeld(
  entries: readonly RecordEntry[],
  claimed: readonly OpinionQuote[],
): Pick<CheckedAnswer, 'quotes' | 'checked'> | string {
  const found = claimed.map(({ entry, text }) => findQuote(entries, text, entry));
  const quotes = found.filter((quote) => quote !== null);
  if (quotes.length === 0) return 'no quotation stands verbatim in the entry that it names';
  const claims = claimed.map(({ entry, text }) => `entry ${entry}: ${oneLine(text)}`);
  return { quotes, checked: claims.map((claim, at) => ({ claim, holds: found[at] !== null })) };
}

export function isCopied(text: string, entries: readonly RecordEntry[]): boolean {
  return text.length >= COPIED_CHARS && entries.some((entry) => entry.text.includes(text));
}
