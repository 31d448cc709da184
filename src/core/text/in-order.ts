/**
 * `inOrder`: one pattern of parts that follow each other, so that a long pattern stands in short lines. A list stands for any one of its
 * members, `{ name: part }` is a part whose match has that name, and `'?'` makes the list before it optional.
 */

type Unnamed = RegExp | readonly [RegExp, ...RegExp[]];
type Part = Unnamed | Readonly<Record<string, Unnamed>> | '?';

/** All have the flags of the first. Alternatives stand in a list: a part on its own must not have `|` outside of brackets. */
export function inOrder(first: Unnamed, ...others: readonly Part[]): RegExp {
  const { flags } = first instanceof RegExp ? first : first[0];
  return new RegExp([first, ...others].map(sourceOf).join(''), flags);
}

function sourceOf(part: Part): string {
  if (part === '?') return part;
  if (part instanceof RegExp) return part.source;
  if (isList(part)) return `(?:${alternatives(part)})`;
  return Object.entries(part)
    .map(([name, inner]) => `(?<${name}>${alternatives(inner instanceof RegExp ? [inner] : inner)})`)
    .join('');
}

function alternatives(list: readonly RegExp[]): string {
  return list.map(({ source }) => source).join('|');
}

function isList(part: Exclude<Part, RegExp | '?'>): part is readonly [RegExp, ...RegExp[]] {
  return Array.isArray(part);
}
