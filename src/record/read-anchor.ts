/** `readAnchor`, `readAnchorTail`: the heads that were noted in an anchor file. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type AnchoredHead, anchorLine } from './anchor.ts';
import { readFileLines } from './transcript/read-file-lines.ts';

type AnchorLine = { readonly type: 'head'; readonly head: AnchoredHead } | { readonly type: 'foreign' };

/** Some hundred commits. */
const TAIL_BYTES = 64 * 1024;
const WHOLE_LINE = /^(journal|ledger) ([\w-]+) (?:(\d+)-)?(\d+) (-|[0-9a-f]{64}) [0-9a-f]{8}$/;

/**
 * The lines within the first `bytes` of the file. Half-written lines (a full disk, power loss) are passed over; whole lines that do not
 * check are `foreign`.
 */
export async function* readAnchor(path: string, storeId: string, bytes: number): AsyncGenerator<AnchorLine> {
  for await (const { text, end } of readFileLines(path)) {
    if (end > bytes) return;
    const head = parseLine(text);
    if (head !== null) yield isOf(storeId, head, text) ? { type: 'head', head } : { type: 'foreign' };
  }
}

/** The latest lines, newest last; few are enough to see that the end of a record was lost. */
export function readAnchorTail(
  path: string,
): readonly { readonly text: string; readonly head: AnchoredHead }[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true) return [];
  const { size } = facts;
  const start = Math.max(0, size - TAIL_BYTES);
  const bytes = Buffer.alloc(size - start);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, bytes, 0, bytes.length, start);
    const lines = bytes.toString('latin1', 0, length).split('\n');
    // The first line of a part may be cut at its start.
    return lines.slice(start === 0 ? 0 : 1).flatMap((text) => {
      const head = parseLine(text);
      return head === null ? [] : [{ text, head }];
    });
  } finally {
    closeSync(file);
  }
}

/** The line was written for this store. */
export function isOf(storeId: string, head: AnchoredHead, text: string): boolean {
  return anchorLine(storeId, head) === `${text}\n`;
}

function parseLine(text: string): AnchoredHead | null {
  const [, chain, id, from, seq, hash] = WHOLE_LINE.exec(text) ?? [];
  if (id === undefined) return null;
  return {
    chain,
    runId: Buffer.from(id, 'base64url').toString(),
    seq: Number(seq),
    ...(from === undefined ? {} : { from: Number(from) }),
    hash,
  } as AnchoredHead;
}
