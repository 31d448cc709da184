import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { openRecord } from '../fixtures/record/open-record.ts';
import { describeRecord } from './record.ts';
import type { RecordPlace } from './record/place.ts';
import { describeRecordProcesses } from './record-processes.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

let places = 0;
async function openPlace(): Promise<RecordPlace> {
  places += 1;
  const address = `record_${places}@${server.address}`;
  const place: RecordPlace = {
    address,
    now: 0,
    open: () => openRecord(address, () => place.now),
    // The whole server goes when the tests are over.
    remove: async () => {},
  };
  return place;
}

describeRecord('PostgreSQL', openPlace);
describeRecordProcesses('PostgreSQL', openPlace);
