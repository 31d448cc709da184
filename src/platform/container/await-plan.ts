/** `awaitPlan`: the path of the plan that the starter of an attendant writes to its stdin. */
import { readSync } from 'node:fs';

/** More than the longest path that the kernel takes. */
const MAX_PATH_BYTES = 8_192;
const NEWLINE = 10;

/** Blocks: until there is a plan there is nothing else to do. Null: the starter let this attendant go, or ended. */
export function awaitPlan(): string | null {
  const bytes = Buffer.alloc(MAX_PATH_BYTES);
  for (let length = 0; ; ) {
    const read = readSync(0, bytes, length, bytes.length - length, null);
    length += read;
    if (bytes[length - 1] === NEWLINE) return bytes.toString('utf8', 0, length - 1);
    if (read === 0) return null;
  }
}
