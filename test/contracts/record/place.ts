/** `RecordPlace`: where a contract test keeps its record; and the small runs that the tests are made of. */
import type { RunRecord } from '../../../src/record/contract.ts';
import type { NewEvent, RunRow, StoredTurn } from '../../../src/record/contract/journal.ts';

/** A place for one record; every `open` is another process's view of the same record. */
export interface RecordPlace {
  /** By which a child process finds the same record, see test/fixtures/record/open-record.ts. */
  readonly address: string;
  /** The time of the store; tests move it. */
  now: number;
  open(): Promise<RunRecord>;
  remove(): Promise<void>;
}

/** When the lease of a created run expires. */
export const LATER = 60_000;

export function event(type: string, body = '{}', at = 1): NewEvent {
  return { at, version: 1, type, body };
}

export function rowOf(runId: string, change: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    title: `task of ${runId}`,
    state: 'running',
    stage: 'build',
    agent: 'rehearsal',
    repository: '/repo',
    createdAt: 1,
    updatedAt: 1,
    progressAt: 1,
    costUsd: 0.25,
    needsPerson: false,
    ended: false,
    view: '{}',
    ...change,
  };
}

export async function created(
  record: RunRecord,
  runId: string,
  turn: Partial<Omit<StoredTurn, 'runId'>> = {},
): Promise<void> {
  await record.createRun(
    { runId, events: [event('run_created')], row: rowOf(runId), ...turn },
    { owner: 'first', ttlMs: LATER },
  );
}

export type OpenPlace = () => Promise<RecordPlace>;

/** Runs a test body with an empty record of its own. */
export function inPlace(
  openPlace: OpenPlace,
): (body: (place: RecordPlace, record: RunRecord) => Promise<void>) => () => Promise<void> {
  return (body) => async () => {
    const place = await openPlace();
    const record = await place.open();
    try {
      await body(place, record);
    } finally {
      await record.close();
      await place.remove();
    }
  };
}
