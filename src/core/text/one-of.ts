/** `oneOf`: one pattern that matches where any of the given ones does, so that a long alternation stands in short lines. */
export function oneOf(first: RegExp, ...others: readonly RegExp[]): RegExp {
  const other = others.find(({ flags }) => flags !== first.flags);
  if (other !== undefined) throw new Error(`one pattern has one set of flags: ${first.flags}, not ${other}`);
  return new RegExp([first, ...others].map(({ source }) => source).join('|'), first.flags);
}
