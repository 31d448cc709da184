/**
 * `patientRecord`: the record as a keeper uses it. It tries again while the store is unavailable (the agent goes on, its output
 * is on disk), and after a commit with an unknown outcome it reads back whether the turn is there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecord } from '../record/contract.ts';
import type { HostsRecord } from '../record/contract/hosts.ts';
import type { StoredTurn } from '../record/contract/journal.ts';
import { CommitUnknown, RecordUnavailable } from '../record/contract/record-unavailable.ts';

const FIRST_PAUSE_MS = 250;
/** A person who frees the record sees the run go on within this time. */
const MAX_PAUSE_MS = 5_000;

/** Calling these twice has the same effect as calling them once. */
// biome-ignore format: words stand together
const REPEATABLE: ReadonlySet<string> = new Set<keyof RunRecord | keyof HostsRecord>([
  'renewLease', 'releaseLease', 'beginCommand', 'changeHold', 'saveLessons', 'removeLessons', 'saveMetrics',
  'enrol', 'beat', 'handOver', 'keepHere', 'offer', 'setMode', 'saveParcel', 'markFetched',
  // A run that was claimed without an answer is free again when its lease has run out.
  'claim',
]);

export function patientRecord(
  record: RunRecord,
  signal: AbortSignal,
  say: (text: string) => void = console.error,
): RunRecord {
  const patiently = async <T>(name: string, ask: () => Promise<T>): Promise<T> => {
    for (let pauseMs = FIRST_PAUSE_MS, told = false; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        const answer = await ask();
        if (told) say('mayday: the record answers again');
        return answer;
      } catch (error) {
        const passes =
          error instanceof RecordUnavailable || (error instanceof CommitUnknown && REPEATABLE.has(name));
        if (!passes) throw error;
        if (!told) say(`mayday: ${error.message} Trying again until it answers; the agent goes on.`);
        told = true;
      }
      await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal });
    }
  };
  const patientPart = <T extends object>(part: T): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, ask]: [string, unknown]) => [
        name,
        typeof ask === 'function'
          ? (...values: unknown[]) =>
              patiently(name, () => (ask as (...all: unknown[]) => Promise<unknown>)(...values))
          : ask,
      ]),
    ) as T;
  const patient = { ...patientPart(record), hosts: record.hosts && patientPart(record.hosts) };
  const commit = async (turn: StoredTurn): Promise<void> => {
    for (let mayBeThere = false; ; ) {
      try {
        return await patient.commit(turn);
      } catch (error) {
        mayBeThere ||= error instanceof CommitUnknown;
        // The store may make an earlier try only after this keeper looked for it: then the next try comes too late.
        if (mayBeThere && (await isThere(patient, turn))) return;
        if (!(error instanceof CommitUnknown)) throw error;
      }
    }
  };
  return { ...patient, commit, redacted: (value) => record.redacted(value), close: () => record.close() };
}

/** Whether the turn was written. One keeper writes under a fence, turn by turn: what follows `expectedSeq` under it is this turn. */
async function isThere(record: RunRecord, turn: StoredTurn): Promise<boolean> {
  const { runId, expectedSeq, fence, events, acknowledged = [] } = turn;
  if (events.length > 0)
    return (await record.events(runId, expectedSeq, 1)).some((one) => one.fence === fence);
  // A turn without events can be repeated, unless it takes mail.
  const waiting = (await record.mailbox(runId)).map(({ id }) => id);
  return acknowledged.length > 0 && !acknowledged.some((id) => waiting.includes(id));
}
