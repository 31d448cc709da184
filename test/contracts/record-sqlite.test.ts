import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecord } from '../fixtures/record/open-record.ts';
import { describeRecord } from './record.ts';
import type { RecordPlace } from './record/place.ts';
import { describeRecordProcesses } from './record-processes.ts';

async function openPlace(): Promise<RecordPlace> {
  const directory = await mkdtemp(join(tmpdir(), 'mayday-record-'));
  const address = `sqlite:${join(directory, 'record.db')}`;
  const place: RecordPlace = {
    address,
    now: 0,
    open: () => openRecord(address, () => place.now),
    remove: () => rm(directory, { recursive: true }),
  };
  return place;
}

describeRecord('SQLite', openPlace);
describeRecordProcesses('SQLite', openPlace);
