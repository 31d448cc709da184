import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { describeRecord } from './record.ts';

describeRecord('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mayday-record-'));
  return {
    open: () => openSqliteRecord({ path: join(directory, 'record.db') }),
    remove: () => rm(directory, { recursive: true }),
  };
});
