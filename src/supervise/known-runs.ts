/** `allMetrics`, `allRows`: the numbers and the rows of all runs. Of a record that was read before, only what changed is read again. */
import { readAllMetrics, type ReadMetrics } from '../core/view/metrics-code.ts';
import type { RunMetrics } from '../core/view/run-metrics.ts';
import type { RunRecord } from '../record/contract.ts';
import type { RunRow } from '../record/contract/journal.ts';

/** An imported session is no change of a run: after this time everything is read again. */
const WHOLE_AFTER_MS = 60_000;
/** More changes than this are read with everything else. */
const MAX_CHANGED = 1_000;

interface Known<T> {
  readonly change: number;
  readonly readAt: number;
  readonly all: T;
}

interface Reading<T> {
  readonly whole: (record: RunRecord) => Promise<T>;
  readonly renewed: (record: RunRecord, all: T, runIds: readonly string[]) => Promise<T>;
}

/** One reader after the other: of fifty pages that ask at once, one reads. */
function knownBy<T>({ whole, renewed }: Reading<T>): (record: RunRecord) => Promise<T> {
  const known = new WeakMap<RunRecord, Promise<Known<T> | null>>();
  const next = async (record: RunRecord, before: Known<T> | null): Promise<Known<T>> => {
    const now = performance.now();
    // The cursor first: a run that changes during the reading is read once more, and none is missed.
    const change = await record.lastChange();
    if (before === null || now - before.readAt > WHOLE_AFTER_MS)
      return { change, readAt: now, all: await whole(record) };
    if (change === before.change) return before;
    const changes = await record.changes(before.change, MAX_CHANGED);
    if (changes.length === MAX_CHANGED) return { change, readAt: now, all: await whole(record) };
    const runIds = changes.map(({ runId }) => runId);
    return { ...before, change, all: await renewed(record, before.all, runIds) };
  };
  return async (record) => {
    const reading = (known.get(record) ?? Promise.resolve(null)).then((before) => next(record, before));
    // A record that does not answer now is read anew the next time.
    known.set(
      record,
      reading.catch(() => null),
    );
    return (await reading).all;
  };
}

/** Oldest first. */
export const allMetrics = knownBy<ReadMetrics>({
  whole: async (record) => readAllMetrics(await record.metrics()),
  renewed: async (record, { runs, unread }, ids) => {
    const read = readAllMetrics(await record.metrics({ ids }));
    const changed = new Map(read.runs.map((run) => [run.id, run]));
    const kept = runs.map((run) => take(changed, run.id) ?? run);
    return { runs: [...kept, ...changed.values()].toSorted((a, b) => a.created - b.created), unread };
  },
});

/** Without their documents. */
export const allRows = knownBy<ReadonlyMap<string, RunRow>>({
  whole: async (record) => byId(await record.rows({ withoutView: true })),
  renewed: async (record, rows, ids) => {
    const read = await Promise.all(ids.map((runId) => record.row(runId)));
    return new Map([...rows, ...byId(read.filter((row) => row !== null))]);
  },
});

function byId(rows: readonly RunRow[]): ReadonlyMap<string, RunRow> {
  return new Map(rows.map((row) => [row.runId, { ...row, view: '' }]));
}

function take(changed: Map<string, RunMetrics>, id: string): RunMetrics | undefined {
  const run = changed.get(id);
  changed.delete(id);
  return run;
}
