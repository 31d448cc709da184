/** `firstLine`, `firstSentence`, `lastSentence`: parts of a text that may be as long as a person or a program made it. */
import { readableQuotes } from './quote-fenced.ts';

export function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').trimEnd();
}

export function firstSentence(text: string): string {
  // Marks become quotation marks before anything is cut: a mark without its end is not known as one.
  const [line = ''] = readableQuotes(text).trim().split('\n');
  // A sentence inside a quotation does not end the one that quotes it.
  return /^(?:“[^”]*”|[^“]){12,}?(?<=[.?!]”?)(?=\s|$)/.exec(line)?.[0] ?? line;
}

export function lastSentence(text: string): string {
  let rest = readableQuotes(text).trim().replaceAll(/\s+/g, ' ');
  for (;;) {
    const next = rest.slice(firstSentence(rest).length).trim();
    if (next === '') return rest;
    rest = next;
  }
}
