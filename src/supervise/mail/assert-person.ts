/**
 * `assertPerson`: refuses, inside a supervised container, the words that only a person may say (answers, acceptances, approvals). An
 * agent that finds the command line and everything in its environment must not approve its own work.
 *
 * It looks at the marker in the environment of the caller and of every process above it, at the attendant above it, and at the
 * control group it lives in. Its limit: it does not see a process of the same user that left its container on the weakest level
 * (process group) with an empty environment, or that writes the database itself. `mayday doctor` names the level in force.
 */
import { basename, join, sep } from 'node:path';
import { callerSigns, type CallerSigns } from '../../platform/process/callers.ts';
import { realOrSame } from '../../platform/file/inside.ts';
import { cgroupPathFor } from '../../platform/container/cgroup.ts';
import type { RunRecord } from '../../record/contract.ts';
import { notAPerson, openRecord } from '../open-record.ts';
import { loadState } from '../load-state.ts';

interface Asking {
  readonly home: string;
  readonly record: RunRecord;
  /** The signs of the caller; left out: those of this process. */
  readonly signs?: CallerSigns;
}

export async function assertPerson({ home, record, signs }: Asking, what: string): Promise<void> {
  const run = await supervisedBy(home, record, signs);
  if (run !== null) throw notAPerson(what, run);
}

/** For commands that have no record open yet. */
export async function assertPersonHere(home: string, env: NodeJS.ProcessEnv, what: string): Promise<void> {
  const record = await openRecord(home, env);
  try {
    await assertPerson({ home, record }, what);
  } finally {
    await record.close();
  }
}

/** Returns the run of this record that the caller belongs to; null: the caller is a person. Runs of other records do not count. */
export async function supervisedBy(
  home: string,
  record: RunRecord,
  signs: CallerSigns = callerSigns(),
): Promise<string | null> {
  for (const marker of signs.markers) {
    const runId = marker.split('.')[0] ?? '';
    if (runId !== '' && (await record.row(runId)) !== null) return runId;
  }
  const runs = `${join(realOrSame(home), 'runs')}${sep}`;
  for (const directory of signs.attendants) {
    const path = realOrSame(directory);
    if (path.startsWith(runs)) return path.slice(runs.length).split(sep)[0] ?? '';
  }
  if (signs.groups.length === 0) return null;
  for (const { runId } of await record.rows({ ended: false, withoutView: true })) {
    const markers = (await loadState(record, runId)).attempts.flatMap(({ handle }) => {
      const marker = (handle as { marker?: unknown } | null)?.marker;
      return typeof marker === 'string' ? [marker] : [];
    });
    if (markers.some((marker) => signs.groups.includes(basename(cgroupPathFor(marker) ?? '')))) return runId;
  }
  return null;
}
