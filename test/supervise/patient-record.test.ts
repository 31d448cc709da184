import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/contract.ts';
import type { StoredTurn } from '../../src/record/contract/journal.ts';
import { CommitUnknown, RecordUnavailable } from '../../src/record/contract/record-unavailable.ts';
import { StaleWriter } from '../../src/record/contract/record-unavailable.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { patientRecord } from '../../src/supervise/patient-record.ts';
import { created, event, rowOf } from '../contracts/record/place.ts';

const NEVER = new AbortController().signal;
const TURN: StoredTurn = { runId: 'a', fence: 1, expectedSeq: 1, events: [event('x')], row: rowOf('a') };

let folder = '';
let record: RunRecord;
let said: string[] = [];
const patient = (of: RunRecord, signal = NEVER) => patientRecord(of, signal, (text) => said.push(text));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayday-patient-'));
  record = await openSqliteRecord({ path: join(folder, 'record.db'), lockDeadlineMs: 50 });
  said = [];
  await created(record, 'a');
});
afterEach(async () => {
  await record.close();
  await rm(folder, { recursive: true });
});

/** The record with a commit whose first try fails with an unknown outcome, before or after it was written. */
function failing(when: 'before' | 'after'): RunRecord {
  let failed = false;
  const commit = async (turn: StoredTurn) => {
    const fails = !failed;
    failed = true;
    if (!fails || when === 'after') await record.commit(turn);
    if (fails) throw new CommitUnknown('RECORD_OUTCOME_UNKNOWN', 'the disk failed');
  };
  return { ...record, commit };
}

test('a keeper whose record is locked waits, says so once, and goes on when it is free', async () => {
  const holder = new DatabaseSync(join(folder, 'record.db'));
  holder.exec('BEGIN IMMEDIATE');
  await expect(record.commit(TURN)).rejects.toBeInstanceOf(RecordUnavailable);
  const committed = patient(record).commit(TURN);
  while (said.length === 0) await new Promise((done) => setTimeout(done, 5));
  holder.exec('COMMIT');
  holder.close();
  await committed;
  expect(await record.events('a')).toHaveLength(2);
  expect(said).toEqual([expect.stringContaining('Trying again'), 'mayday: the record answers again']);
});

test('a keeper that is told to stop does not wait for the record', async () => {
  const stop = new AbortController();
  const away: RunRecord = {
    ...record,
    timers: () => Promise.reject(new RecordUnavailable('RECORD_LOCKED', 'away')),
  };
  const asked = patient(away, stop.signal).timers('a');
  stop.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

test.each(['before', 'after'] as const)(
  'a commit that failed %s it was written is there once, and its writer is not called stale',
  async (when) => {
    await patient(failing(when)).commit(TURN);
    expect((await record.events('a')).map(({ seq }) => seq)).toEqual([1, 2]);
  },
);

test('a commit that the store makes only after its writer had looked for it is there once, and its writer is not called stale', async () => {
  let writing: Promise<void> | null = null;
  const slow: RunRecord = {
    ...record,
    commit: async (turn) => {
      if (writing !== null) {
        await writing;
        return await record.commit(turn);
      }
      // The connection is gone, and the server is still at it.
      writing = new Promise<void>((done) => setImmediate(done)).then(() => record.commit(turn));
      throw new CommitUnknown('RECORD_OUTCOME_UNKNOWN', 'the connection was lost');
    },
    events: async (...asked) => (writing === null ? [] : await record.events(...asked)),
  };
  await patient(slow).commit(TURN);
  expect((await record.events('a')).map(({ seq }) => seq)).toEqual([1, 2]);
});

test.each(['before', 'after'] as const)(
  'mail that a turn without events took is taken once, also when its commit failed %s it was written',
  async (when) => {
    await record.post('a', '1');
    const acknowledged = (await record.mailbox('a')).map(({ id }) => id);
    await patient(failing(when)).commit({ ...TURN, events: [], acknowledged });
    expect(await record.mailbox('a')).toEqual([]);
  },
);

test('a writer that was overtaken is told at once', async () => {
  await record.acquireLease({ runId: 'a', owner: 'second', ttlMs: 1, observedDeadFence: 1 });
  await record.commit({ ...TURN, fence: 2 });
  await expect(patient(failing('before')).commit(TURN)).rejects.toBeInstanceOf(StaleWriter);
  expect(said).toEqual([]);
});
