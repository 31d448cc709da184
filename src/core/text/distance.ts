/** `distance`: how far two words differ. `nearestNames`: the names that a mistyped one may mean. */

export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries())
      next.push(
        Math.min((row[j] ?? 0) + Number(letter !== other), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Two letters may be wrong, never all of a short word. */
const MAX_TYPOS = 2;

/** More names than these help nobody to choose. */
const MAX_NAMES = 3;

export function nearestNames(typed: string, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => Math.abs(name.length - typed.length) <= MAX_TYPOS)
    .map((name) => ({ name, typos: distance(typed, name) }))
    .filter(({ typos }) => typos <= Math.min(MAX_TYPOS, typed.length - 1))
    .toSorted((a, b) => a.typos - b.typos)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}
