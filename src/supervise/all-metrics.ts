/** `allMetrics`: the numbers of all runs, oldest first. Of a record that was read before, only what changed is read again. */
import { readAllMetrics, type ReadMetrics } from '../core/view/metrics-code.ts';
import type { RunRecord } from '../record/contract.ts';

/** An imported session is no change of a run: after this time everything is read again. */
const WHOLE_AFTER_MS = 60_000;
/** More changes than this are read with everything else. */
const MAX_CHANGED = 1_000;

interface Known extends ReadMetrics {
  readonly change: number;
  readonly readAt: number;
}

const known = new WeakMap<RunRecord, Promise<Known | null>>();

/** One reader after the other: of fifty pages that ask at once, one reads. */
export async function allMetrics(record: RunRecord): Promise<ReadMetrics> {
  const reading = (known.get(record) ?? Promise.resolve(null)).then((before) => next(record, before));
  // A record that does not answer now is read anew the next time.
  known.set(
    record,
    reading.catch(() => null),
  );
  return await reading;
}

async function next(record: RunRecord, before: Known | null): Promise<Known> {
  const readAt = performance.now();
  // The cursor first: a run that changes during the reading is read once more, and none is missed.
  const change = await record.lastChange();
  if (change === before?.change && readAt - before.readAt <= WHOLE_AFTER_MS) return before;
  const isOld = before === null || readAt - before.readAt > WHOLE_AFTER_MS;
  const changes = isOld ? [] : await record.changes(before.change, MAX_CHANGED);
  if (isOld || changes.length === MAX_CHANGED)
    return { change, readAt, ...readAllMetrics(await record.metrics()) };
  const read = readAllMetrics(await record.metrics({ ids: changes.map(({ runId }) => runId) }));
  const runs = new Map([...before.runs, ...read.runs].map((run) => [run.id, run]));
  return { ...before, change, runs: [...runs.values()].toSorted((a, b) => a.created - b.created) };
}
