/** `cleanText`, `cleanOneLine`, `quoted`: text from outside, made safe for a lesson: it holds no characters that a reviewer cannot see. */

/** No control, bidirectional or zero-width characters, no invisible tags; lines and tabs stay. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
}

export function cleanOneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ');
}

/** A piece of program output quoted inside a sentence: one line, capped, unable to end its own quotes. */
export function quoted(text: string, maxChars: number): string {
  const line = cleanOneLine(text).replaceAll('`', "'");
  return `\`${line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line}\``;
}
