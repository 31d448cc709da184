/** `changesAfter`: the runs that changed after a change, in any process; waits until there is one, or until the signal ends the wait. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecord } from '../record/contract.ts';
import { type LineDocument, lineDocument } from './line-document.ts';

/** A person feels a quarter of a second; one look costs a tenth of a millisecond. */
const LOOK_MS = 100;
/** A page that slept reads what it missed in pieces of this size. */
const PAGE = 200;

export interface Change {
  readonly change: number;
  readonly runId: string;
  readonly line: LineDocument;
}

export async function changesAfter(
  record: RunRecord,
  after: number,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  for (;;) {
    const changes = await record.changes(after, PAGE);
    const read = changes.map(async ({ change, runId }) => {
      const row = await record.row(runId);
      return row === null ? [] : [{ change, runId, line: lineDocument(row.view) }];
    });
    const found = (await Promise.all(read)).flat();
    if (found.length > 0 || signal.aborted) return found;
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
