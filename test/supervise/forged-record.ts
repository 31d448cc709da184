/** A whole record made anew from an altered journal: every checksum, chain, row and anchor fits. The best that a forger can do. */
import { join } from 'node:path';
import { createState } from '../../src/core/state/create-state.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import { ledgerEntries } from '../../src/core/state/ledger-entries.ts';
import { runRow } from '../../src/core/view/run-row.ts';
import { EVENT_VERSION, type RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { canonicalJson } from '../../src/record/canonical-json.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { readEvent } from '../../src/supervise/load-state.ts';

export async function forgedRecord(
  { folder, record }: { readonly folder: string; readonly record: RunRecord },
  runId: string,
  alter: (events: readonly RunEvent[]) => readonly RunEvent[],
): Promise<RunRecord> {
  const events = alter((await record.events(runId)).map(readEvent));
  const [first, ...rest] = events;
  if (first?.type !== 'run_created') throw new Error('no journal');
  let state = createState(runId, first);
  const ledger = [...ledgerEntries(state, first)];
  for (const event of rest) {
    state = evolve(state, event);
    ledger.push(...ledgerEntries(state, event));
  }
  const forged = await openSqliteRecord({ path: join(folder, 'record.db') });
  const turn = {
    runId,
    events: events.map((event) => ({
      at: event.at,
      version: EVENT_VERSION,
      type: event.type,
      body: JSON.stringify(event),
    })),
    ledger: ledger.map(({ id, kind, payload }) => ({
      id,
      kind,
      at: first.at,
      payload: canonicalJson(payload),
    })),
    row: runRow(state),
  };
  await forged.createRun(turn, { owner: 'forger', ttlMs: 1 });
  return forged;
}
