/**
 * `quoteFenced`: text of programs and agents as data, one line between marks. The mark is chosen by chance in the turn that quotes (the
 * `chance` of its fact), after the text was written, so no text can end its own quotation.
 */
import { fraction } from './fraction.ts';

/** A line says what it says in this much. */
const MAX_QUOTED_CHARS = 300;

export function quoteFenced(text: string, mark: string, maxChars: number = MAX_QUOTED_CHARS): string {
  let line = oneLine(text);
  // What is left after a mark was taken out must not be one again.
  while (line.includes(mark)) line = line.replaceAll(mark, '');
  return `<<${mark} ${line.length > maxChars ? `${line.slice(0, maxChars)}…` : line} ${mark}>>`;
}

/** No control, bidirectional or zero-width characters, no line ends: what a person reads is what the agent reads. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The mark of a turn whose fact came without chance, from a journal of an older Mayday: it can be told in advance by who knows the run. */
export function markWithoutChance(seed: string): string {
  return fraction(seed).toString(36).slice(2, 10).padEnd(8, '0');
}
