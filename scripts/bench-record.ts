/** Journal appends through the record against bare `node:sqlite`, in rounds that alternate so that both meet the same machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteRecord } from '../src/record/sqlite/open.ts';
import { rowOf } from '../test/contracts/record/place.ts';

const ROUNDS = 5;
const APPENDS_PER_ROUND = 2000;
/** About the size of an event that carries a diagnosis. */
const BODY = JSON.stringify({ type: 'bench', text: 'x'.repeat(400) });
const ROW = rowOf('bench', { view: JSON.stringify({ run_id: 'bench', text: 'y'.repeat(2000) }) });

export interface RecordBench {
  readonly bareAppendsPerSecond: number;
  readonly recordAppendsPerSecond: number;
  readonly ratio: number;
  readonly openMs: number;
}

export async function benchRecord(): Promise<RecordBench> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-record-'));
  const bare = bareStore(join(folder, 'bare.db'));
  const path = join(folder, 'home', 'record.db');
  const record = await openSqliteRecord({ path });
  await record.createRun({ runId: 'bench', events: [], row: ROW }, { owner: 'bench', ttlMs: 1 });
  let seq = 0;
  const append = (): Promise<void> => {
    const events = [{ at: seq, version: 1, type: 'bench', body: BODY }];
    return record.commit({ runId: 'bench', fence: 1, expectedSeq: seq++, events, row: ROW });
  };
  let bareMs = 0;
  let recordMs = 0;
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    let begun = performance.now();
    for (let n = 0; n < APPENDS_PER_ROUND; n++) bare.append();
    if (round > 0) bareMs += performance.now() - begun;
    begun = performance.now();
    for (let n = 0; n < APPENDS_PER_ROUND; n++) await append();
    if (round > 0) recordMs += performance.now() - begun;
  }
  bare.close();
  await record.close();
  const begun = performance.now();
  const again = await openSqliteRecord({ path });
  const openMs = performance.now() - begun;
  await again.close();
  rmSync(folder, { recursive: true });
  const perSecond = (ms: number): number => (ROUNDS * APPENDS_PER_ROUND * 1000) / ms;
  return {
    bareAppendsPerSecond: perSecond(bareMs),
    recordAppendsPerSecond: perSecond(recordMs),
    ratio: bareMs / recordMs,
    openMs,
  };
}

/** The least that could be called a journal: one table, one prepared insert, one transaction per append. */
function bareStore(path: string): { append: () => void; close: () => void } {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE events (run TEXT, seq INTEGER, at INTEGER, type TEXT, body TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID`);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  let seq = 0;
  return {
    append: () => {
      database.exec('BEGIN IMMEDIATE');
      insert.run('bench', ++seq, seq, 'bench', BODY);
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}

export function describeRecordBench({
  bareAppendsPerSecond,
  recordAppendsPerSecond,
  ratio,
  openMs,
}: RecordBench): string {
  return `record: ${recordAppendsPerSecond.toFixed(0)} turns/s against ${bareAppendsPerSecond.toFixed(0)} bare appends/s, ratio ${ratio.toFixed(2)}; opens in ${openMs.toFixed(1)} ms`;
}

if (import.meta.main) console.log(describeRecordBench(await benchRecord()));
