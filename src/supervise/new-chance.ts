/** `newChance`: what a fact brings along for decisions by chance, and for names. */
import { randomBytes } from 'node:crypto';

/** Eight hexadecimal digits: too many to guess, and short enough to read. */
export function newChance(): string {
  return randomBytes(5).toString('hex').slice(0, 8);
}
