/** `queryWords`: the words of a search that tell something, each once, in lower case; they hold letters and digits only. */

/** More words do not make a query better. */
const MAX_QUERY_WORDS = 32;

export function queryWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // One letter or digit says nothing, unless it is all there is.
  const wanted = words.filter((word) => word.length > 1 && !FILLERS.has(word));
  return [...new Set(wanted.length > 0 ? wanted : words)].slice(0, MAX_QUERY_WORDS);
}

const FILLERS = new Set(
  `
  a an and are as at be by do does for from how i if in is it my of on or that the this to was what when where which why
  with you not no can`
    .trim()
    .split(/\s+/),
);
