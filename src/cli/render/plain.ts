/** `plain`, `plainLine`: text from outside, made safe to print: no control, bidirectional or zero-width characters reach the terminal. */

export function plain(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
}

export function plainLine(text: string, width: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
