/** `literalEnd`: the end of a sentence that is the output of a program word for word, after the words that tell what it means. */
import { oneLine } from './quote-fenced.ts';

/** Null: the sentence does not end with a whole line of the evidence. */
export function literalEnd(sentence: string, evidence: readonly { readonly text: string }[]): string | null {
  const ends = evidence
    .map(({ text }) => oneLine(text).replace(/[.\s]+$/, ''))
    .filter((text) => text !== '' && sentence.endsWith(`: ${text}`));
  return ends.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
