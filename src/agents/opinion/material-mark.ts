/**
 * `materialMark`: the mark around the material of a question. It comes from the hash of that material, which no text can hold of itself:
 * nobody can close the quotation from inside, and the same material makes the same prompt.
 */
import { createHash } from 'node:crypto';

const DIGITS = 16;

/** Letters only: digits in such a number would be taken for a secret and redacted. */
export function materialMark(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  const letters = hash
    .digest('hex')
    .slice(0, DIGITS)
    .replaceAll(/\d/g, (digit) => 'ghkmnprstz'.charAt(Number(digit)));
  return `MATERIAL-${letters}`;
}
