/** `oneOf`: one pattern that matches where any of the given ones does, so that a long alternation stands in short lines. */

/** All have the flags of the first. */
export function oneOf(first: RegExp, ...others: readonly RegExp[]): RegExp {
  return new RegExp([first, ...others].map(({ source }) => source).join('|'), first.flags);
}
