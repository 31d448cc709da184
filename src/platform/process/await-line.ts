/** `awaitLine`: the next line that the starter of a helper program writes to its stdin: its place, its plan, or its run. */
import { readSync } from 'node:fs';

/** More than the longest path that the kernel takes. */
const MAX_LINE_BYTES = 8_192;
const NEWLINE = 10;

/** What was read behind the last line. */
let left = Buffer.alloc(0);

/** Blocks: until there is a line there is nothing else to do. Null: the starter let this process go, or ended. */
export function awaitLine(): string | null {
  const part = Buffer.alloc(MAX_LINE_BYTES);
  for (;;) {
    const end = left.indexOf(NEWLINE);
    if (end >= 0) {
      const line = left.toString('utf8', 0, end);
      left = left.subarray(end + 1);
      return line;
    }
    const read = readSync(0, part);
    if (read === 0) return null;
    left = Buffer.concat([left, part.subarray(0, read)]);
  }
}
