/** `awaitLine`: the line that the starter of a helper program writes to its stdin: its plan, or its run. */
import { readSync } from 'node:fs';

/** More than the longest path that the kernel takes. */
const MAX_LINE_BYTES = 8_192;
const NEWLINE = 10;

/** Blocks: until there is a line there is nothing else to do. Null: the starter let this process go, or ended. */
export function awaitLine(): string | null {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  for (let length = 0; ; ) {
    const read = readSync(0, bytes, length, bytes.length - length, null);
    length += read;
    if (bytes[length - 1] === NEWLINE) return bytes.toString('utf8', 0, length - 1);
    if (read === 0) return null;
  }
}
