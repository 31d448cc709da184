/** `noteHeads`: writes the heads that a commit moved into the anchors. */
import type { Anchor, AnchoredHead } from '../anchor.ts';
import type { NewEvent } from '../contract/journal.ts';
import type { RunHead } from './run-head.ts';

/** Opened with the first head that is noted. */
export type Anchors = () => readonly Anchor[];

export function noteHeads(
  anchors: Anchors,
  before: RunHead,
  after: RunHead,
  events: readonly NewEvent[] = [],
): void {
  const heads: AnchoredHead[] = [];
  const { runId } = after;
  if (after.headSeq > before.headSeq) {
    const [from, seq] = [before.headSeq + 1, after.headSeq];
    heads.push({ chain: 'journal', runId, from, seq, hash: eventsHash(runId, from, events) });
  }
  if (after.ledgerSeq > before.ledgerSeq)
    heads.push({ chain: 'ledger', runId, seq: after.ledgerSeq, hash: after.ledgerHash });
  if (heads.length > 0) for (const anchor of anchors()) anchor.note(heads);
}

/** Of neighbouring events as they were written, the first with the number `from`. */
export function eventsHash(runId: string, from: number, events: readonly NewEvent[]): string {
  const lines = events.map(({ at, version, type, body }, index) =>
    JSON.stringify([runId, from + index, at, version, type, body]),
  );
  return process.getBuiltinModule('node:crypto').hash('sha256', lines.join('\n'));
}
