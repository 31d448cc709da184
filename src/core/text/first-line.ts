/** `firstLine`: the first line of a text that is not empty; the whole text may be as long as a person or a program made it. */
export function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').trimEnd();
}
