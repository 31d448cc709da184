/** `visibleText`: text from outside without the characters that a person cannot see: what a person reads is what is there. */

/** Control, bidirectional, zero-width, private, unassigned and half characters, line and paragraph separators. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Most texts are of these alone, and need no look at each character. */
const PLAIN = /^[\x20-\x7E\n\t]*$/;

/** `\n` and tabs stay. `instead` takes the place of each character. */
export function visibleText(text: string, instead = ''): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNSEEN, instead);
}
