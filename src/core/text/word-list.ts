/** `wordList`: the words of a text: a long list of names stands in short lines. `wordSet`: its different words, to compare texts. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}
