/** A record that was cut, edited, set back or thrown away as a file. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecord } from '../../src/supervise/open-record.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

const WRITES = { attempts: [{ steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }] };

/** Two runs, and the record as it was between them; each test has a copy of its own. */
let world: RehearsalRepository;
beforeAll(async () => {
  world = await RehearsalRepository.make();
  await world.run(WRITES);
  change(world.home, 'PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(join(world.home, 'record.db'), join(world.folder, 'older.db'));
  await world.run(WRITES);
  change(world.home, 'PRAGMA wal_checkpoint(TRUNCATE)');
});
afterAll(() => world.remove());

function change(home: string, sql: string): void {
  const database = new DatabaseSync(join(home, 'record.db'), { timeout: 5000 });
  database.exec(sql);
  database.close();
}

function copied(): string {
  const home = mkdtempSync(join(world.folder, 'home-'));
  for (const name of ['record.db', 'ledger.anchor']) cpSync(join(world.home, name), join(home, name));
  return home;
}

async function problemsIn(home: string): Promise<number> {
  const record = await openRecord(home, {}, { evenIfLost: true });
  try {
    return (await record.verify()).length;
  } finally {
    await record.close();
  }
}

it('an untouched copy verifies', async () => {
  expect(await problemsIn(copied())).toBe(0);
});

it.each([
  ['cut off at its end', 'DELETE FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)'],
  [
    'with a failed check turned into a passed one',
    `UPDATE ledger SET payload = replace(payload, '"passed":false', '"passed":true')`,
  ],
])('a ledger %s does not verify', async (_, sql) => {
  const home = copied();
  change(home, sql);
  expect(await problemsIn(home)).toBeGreaterThan(0);
});

it('a record set back to an older copy does not verify, and begins nothing', async () => {
  const home = copied();
  copyFileSync(join(world.folder, 'older.db'), join(home, 'record.db'));
  expect(await problemsIn(home)).toBeGreaterThan(0);
  await expect(openRecord(home, {})).rejects.toMatchObject({ code: 'RECORD_LOST' });
});

it('a record thrown away is not begun anew', async () => {
  const home = copied();
  for (const end of ['', '-wal', '-shm']) rmSync(join(home, `record.db${end}`), { force: true });
  await expect(openRecord(home, {})).rejects.toMatchObject({ code: 'RECORD_LOST' });
});
