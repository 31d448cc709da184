import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { GENESIS_HASH } from '../../../src/record/ledger-chain.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { commandSum } from '../../../src/record/sqlite/parts/outbox.ts';
import { rowSum } from '../../../src/record/sqlite/parts/rows.ts';
import { rowOf } from '../../../src/record/stored-rows.ts';
import { headOf, headSum } from '../../../src/record/sqlite/run-head.ts';
import { migrate } from '../../../src/record/sqlite/schema.ts';
import { newFolder } from './places.ts';

/** The last version without a stored order of commands and without change numbers. */
const OLD_VERSION = 4;

it('an older record gets its commands in the order they were asked, and its runs as changes', async () => {
  const path = join(await newFolder(), 'record.db');
  const old = new DatabaseSync(path);
  migrate(old, OLD_VERSION);
  for (const [index, runId] of ['a', 'b'].entries()) {
    const run = index + 1;
    old
      .prepare(`INSERT INTO runs VALUES (?, ?, ?, 0, 0, ?, 1, 0, '', 0, 0)`)
      .run(run, runId, runId, GENESIS_HASH);
    const head = old.prepare('SELECT * FROM runs WHERE run = ?').get(run) ?? {};
    old.prepare('UPDATE runs SET sum = ? WHERE run = ?').run(headSum(headOf(head)), run);
    old
      .prepare(`INSERT INTO run_rows VALUES (?, ?, '', 'working', '', '', '', 1, 1, 1, 0, 0, 0, 0, '{}')`)
      .run(run, runId);
    const row = old.prepare('SELECT * FROM run_rows WHERE run = ?').get(run) ?? {};
    old.prepare('UPDATE run_rows SET sum = ? WHERE run = ?').run(rowSum(rowOf(row)), run);
    for (const [key, seq] of [
      ['z', 1],
      ['y', 1],
      ['x', 2],
    ] as const)
      old
        .prepare(
          `INSERT INTO commands (run, key, seq, type, created_at, sum, body) VALUES (?, ?, ?, 'do', 1, ?, '')`,
        )
        .run(run, key, seq, commandSum(run, { key, type: 'do', body: '' }));
  }
  old.close();

  const record = await openSqliteRecord({ path });
  expect((await record.pendingCommands('b')).map(({ key, seq, index }) => [key, seq, index])).toEqual([
    ['z', 1, 0],
    ['y', 1, 1],
    ['x', 2, 0],
  ]);
  expect((await record.changes(0, 10)).map(({ runId }) => runId)).toEqual(['a', 'b']);
  // Nothing was anchored by hand.
  expect((await record.verify()).filter(({ problem }) => !problem.includes('anchor'))).toEqual([]);
  await record.close();
});
