/** `fewNames`, `wholeWords`: names in a sentence (`a, b and c`, of many the first three), and a text that is cut between two words. */

/** A person reads three names; the rest is a number. */
const NAMES_TOLD = 3;

export function fewNames(names: readonly string[]): string {
  const more = names.length - NAMES_TOLD;
  if (more > 0) return `${names.slice(0, NAMES_TOLD).join(', ')} and ${more} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** At most `most` characters; a text that is cut ends with `…`. A word that is longer than half of them is cut. */
export function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  const blank = head.lastIndexOf(' ');
  return `${(blank > most / 2 ? head.slice(0, blank) : head).replace(/[\s,;:]+$/, '')}…`;
}
