/** Another process may hold the record for a moment while it is opened: the last one that closes it, or the first one that makes it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate, schemaState } from '../../../src/record/sqlite/schema.ts';
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

it.each([1, 2, 3])(
  'a record that another process makes after look %d is not taken for a foreign database',
  (after) => {
    const path = join(temporaryDirectory(), 'record.db');
    const [own, other] = [new DatabaseSync(path), new DatabaseSync(path)];
    let looks = 0;
    const prepare = (sql: string) => {
      const statement = own.prepare(sql);
      return {
        get: () => {
          const row = statement.get();
          looks += 1;
          if (looks === after) {
            other.exec('BEGIN IMMEDIATE');
            migrate(other);
            other.exec('COMMIT');
          }
          return row;
        },
      };
    };
    expect(['behind', 'current']).toContain(schemaState({ prepare, location: () => path } as never));
    own.close();
    other.close();
  },
);
