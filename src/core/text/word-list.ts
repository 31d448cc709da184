/** `wordList`: the words of a text, so that a long list of names stands in short lines. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
