import { type AnchoredHead, anchorLine } from './anchor.ts';
import { readLines } from './read-lines.ts';

type AnchorLine = { readonly type: 'head'; readonly head: AnchoredHead } | { readonly type: 'foreign' };

const WHOLE_LINE = /^(journal|ledger) ([\w-]+) (?:(\d+)-)?(\d+) (-|[0-9a-f]{64}) [0-9a-f]{8}$/;

/** The lines within the first `bytes` of the file. Half-written lines (a full disk, power loss) are passed over; whole lines that do not check are `foreign`. */
export async function* readAnchor(path: string, storeId: string, bytes: number): AsyncGenerator<AnchorLine> {
  for await (const { text, end } of readLines(path)) {
    if (end > bytes) return;
    const [, chain, id, from, seq, hash] = WHOLE_LINE.exec(text) ?? [];
    if (id === undefined) continue;
    const head = {
      chain,
      runId: Buffer.from(id, 'base64url').toString(),
      seq: Number(seq),
      ...(from === undefined ? {} : { from: Number(from) }),
      hash,
    } as AnchoredHead;
    yield anchorLine(storeId, head) === `${text}\n` ? { type: 'head', head } : { type: 'foreign' };
  }
}
