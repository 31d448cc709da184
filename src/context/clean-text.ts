/** `cleanText`, `cleanOneLine`, `quoted`, `quotedWords`: text from outside for a lesson, without characters that a reviewer cannot see. */
import { visibleText } from '../core/text/visible-text.ts';

export function cleanText(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n')).trim();
}

export function cleanOneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ');
}

/** A piece of program output quoted inside a sentence: one line, capped, unable to end its own quotes. */
export function quoted(text: string, maxChars: number): string {
  return `\`${capped(text.replaceAll('`', "'"), maxChars)}\``;
}

/** The same for a sentence that somebody said. */
export function quotedWords(text: string, maxChars: number): string {
  return `“${capped(text.replaceAll(/[“”]/g, '"').replaceAll('`', "'"), maxChars)}”`;
}

function capped(text: string, maxChars: number): string {
  const line = cleanOneLine(text);
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
