/**
 * `NeedleScan`: finds which of many words occur in a text. It decides which patterns run: a line without any of a pattern's words cannot
 * match it. A word has two characters or more.
 */
type Needle = readonly [word: string, owner: number];

export class NeedleScan {
  readonly #byStart: ReadonlyMap<number, readonly Needle[]>;

  constructor(words: readonly Needle[]) {
    this.#byStart = Map.groupBy(words, ([word]) => startAt(word, 0));
  }

  owners(text: string): ReadonlySet<number> {
    const said = text.toLowerCase();
    const found = new Set<number>();
    for (let at = 0; at < said.length - 1; at += 1) {
      const needles = this.#byStart.get(startAt(said, at));
      if (needles !== undefined)
        for (const [word, owner] of needles) if (said.startsWith(word, at)) found.add(owner);
    }
    return found;
  }
}

function startAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_00_00 + text.charCodeAt(at + 1);
}
