/** Another process may hold the record for a moment while it is opened: the last one that closes it, or the first one that makes it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

it('a record that is locked while it is opened is waited for', async () => {
  const path = join(temporaryDirectory(), 'record.db');
  const other = new DatabaseSync(path);
  other.exec('BEGIN EXCLUSIVE');
  const opening = openSqliteRecord({ path });
  setTimeout(() => other.exec('COMMIT'), 300);
  const record = await opening;
  expect(await record.rows({})).toEqual([]);
  await record.close();
  other.close();
});
