/** `anchoredJournal`: how far the anchor beside the record vouches for the journal of one run. */
import { statSync } from 'node:fs';
import type { AnchoredJournal } from '../contract/journal.ts';
import { readAnchor } from '../read-anchor.ts';
import type { Connection } from './connection.ts';
import { eventsBetween } from './parts/journal.ts';
import { eventsHash } from './note-heads.ts';

export async function anchoredJournal(
  connection: Connection,
  { anchorPath, storeId, runId }: { anchorPath: string; storeId: string; runId: string },
): Promise<AnchoredJournal | null> {
  const bytes = statSync(anchorPath, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return null;
  let upTo = 0;
  const changed: number[] = [];
  for await (const line of readAnchor(anchorPath, storeId, bytes)) {
    if (line.type !== 'head' || line.head.chain !== 'journal' || line.head.runId !== runId) continue;
    const { from, seq, hash } = line.head;
    upTo = Math.max(upTo, seq);
    // Older anchors tell no hash of the events (`-`).
    if (from === undefined) continue;
    const events = await connection.read(() => eventsBetween(connection, runId, from, seq));
    if (eventsHash(runId, from, events) !== hash) changed.push(from);
  }
  return { upTo, changed };
}
