/** `loadState`: the state of a run for a reader that does not own it; loads nothing that decides. `readEvent`: an event of any version. */
import { fold } from '../core/state/fold.ts';
import { readVersion1 } from '../core/state/journal-v1/read-version-1.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import type { StoredEvent } from '../record/contract/journal.ts';

export async function loadState(record: RunRecord, runId: string): Promise<RunState> {
  const events = await record.events(runId);
  const state = fold(runId, events.map(readEvent));
  if (state === null && events.length > 0) throw damagedJournal(runId);
  if (state === null)
    throw usageError('UNKNOWN_RUN', `there is no run ${JSON.stringify(runId)}`, [['do', 'mayday ps']]);
  return state;
}

export function damagedJournal(runId: string): MaydayError {
  return new MaydayError('RECORD_DAMAGED', `the journal of run ${runId} does not begin as one`, [
    ['did', 'nothing was changed'],
    [
      'do',
      'mayday verify tells all that does not hold; put a backup of the home back, or start the task again',
    ],
  ]);
}

/** Events of a newer Mayday keep their place in the sequence and mean nothing to the fold. */
export function readEvent({ version, body }: StoredEvent): RunEvent {
  const event = JSON.parse(body) as RunEvent;
  return version === 1 ? readVersion1(event) : event;
}
