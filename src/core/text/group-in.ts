/** `groupIn`, `firstGroupIn`: what a pattern finds in a text, or in the first of several: its group that matched, else all of it. */
export function groupIn(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text);
  return found?.slice(1).find((each) => each !== undefined) ?? found?.[0];
}

export function firstGroupIn(pattern: RegExp, texts: readonly string[]): string | undefined {
  const text = texts.find((each) => pattern.test(each));
  return text === undefined ? undefined : groupIn(pattern, text);
}
