/** `findQuote`: where a quotation of a model stands in the record. A quotation that does not stand there proves nothing. */
import type { OpinionQuote } from '../vocabulary/opinion.ts';

export interface RecordEntry {
  readonly entry: number;
  readonly text: string;
}

/** Shorter quotations ("error") occur everywhere and prove nothing. */
const LEAST_CHARS = 8;

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
