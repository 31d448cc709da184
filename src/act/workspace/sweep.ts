/** `sweep`: deletes what ended runs left on disk. Folders of no known run are reported, never deleted. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../core/vocabulary/policy.ts';
import { folderBytes } from '../../platform/file/folder-size.ts';
import { eraseRawOutput } from '../erase-raw-output.ts';
import { quarantinePath } from './home-layout.ts';
import {
  type Quarantined,
  readQuarantined,
  releaseWorkspace,
  removeCheckTree,
  removeQuarantined,
  settleQuarantined,
} from './release-workspace.ts';
import { findWorkspace } from './workspace.ts';

export interface KnownRun {
  readonly ended: boolean;
  /** True: the sink is `none`, so the worktree is the delivery. */
  readonly keep: boolean;
  /** The time of the last event of the run. */
  readonly changedAt: number;
}

export interface SweepSpec {
  readonly home: string;
  readonly runs: ReadonlyMap<string, KnownRun>;
  readonly now: number;
  readonly policy: Pick<Policy, 'quarantine_ms' | 'raw_output_ms'>;
  /** True: measure sizes, for a person. The daily sweep does not need them. */
  readonly measure?: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Noted {
  readonly path: string;
  readonly why: string;
}

interface Removed {
  readonly path: string;
  /** Zero where sizes were not measured. */
  readonly bytes: number;
}

interface Later extends Removed {
  readonly runId: string;
  /** Milliseconds since the epoch; null: the run has not ended yet. */
  readonly removableAt: number | null;
}

export interface SweepReport {
  readonly quarantined: readonly string[];
  readonly removed: readonly Removed[];
  /** Folders that a later sweep deletes, and when. */
  readonly later: readonly Later[];
  /** Runs whose raw output was deleted; their redacted transcripts stay. */
  readonly erased: readonly string[];
  /** Folders of ended runs that are not safe to delete. */
  readonly kept: readonly Noted[];
  /** Folders of no known run. */
  readonly orphans: readonly Noted[];
}

export async function sweep(spec: SweepSpec): Promise<SweepReport> {
  const report = {
    quarantined: [] as string[],
    removed: [] as Removed[],
    later: [] as Later[],
    erased: [] as string[],
    kept: [] as Noted[],
    orphans: [] as Noted[],
  };
  for (const runId of await foldersIn(join(spec.home, 'work'))) {
    const run = spec.runs.get(runId);
    const path = join(spec.home, 'work', runId);
    if (run === undefined) report.orphans.push({ path, why: 'no run of this name is on record' });
    else if (run.ended) {
      const released = await releaseWorkspace({ ...spec, runId, keep: run.keep });
      if (released.type === 'quarantined') report.quarantined.push(released.path);
      else if (released.type === 'kept') report.kept.push(released);
    } else report.later.push({ runId, path, bytes: await sizeOf(spec, path), removableAt: null });
  }
  for (const runId of await foldersIn(join(spec.home, 'check'))) {
    const path = join(spec.home, 'check', runId);
    const run = spec.runs.get(runId);
    if (run === undefined) report.orphans.push({ path, why: 'no run of this name is on record' });
    else if (run.ended) {
      const bytes = await sizeOf(spec, path);
      await removeCheckTree(spec.home, runId, await findWorkspace({ home: spec.home, runId }));
      report.removed.push({ path, bytes });
    }
  }
  await sweepQuarantine(spec, report);
  const { home, runs, now, policy } = spec;
  for (const [runId, { ended, changedAt }] of runs)
    if (ended && changedAt <= now - policy.raw_output_ms && (await eraseRawOutput(home, runId)) > 0)
      report.erased.push(runId);
  return report;
}

async function sweepQuarantine(
  spec: SweepSpec,
  report: { removed: Removed[]; later: Later[]; kept: Noted[]; orphans: Noted[] },
): Promise<void> {
  for (const runId of await foldersIn(quarantinePath(spec.home))) {
    const path = join(quarantinePath(spec.home), runId);
    const entry = readQuarantined(spec.home, runId);
    if (entry === null || !spec.runs.has(runId))
      report.orphans.push({ path, why: 'nothing on record says how it came here' });
    else await sweepEntry(spec, { ...entry, path }, report);
  }
}

async function sweepEntry(
  spec: SweepSpec,
  entry: Quarantined,
  report: { removed: Removed[]; later: Later[]; kept: Noted[] },
): Promise<void> {
  const { runId, path } = entry;
  const removableAt = entry.at + spec.policy.quarantine_ms;
  if (removableAt > spec.now) {
    const workspace = await findWorkspace({ home: spec.home, runId });
    if (workspace !== null) await settleQuarantined(workspace, path, spec.signal);
    report.later.push({ runId, path, bytes: await sizeOf(spec, path), removableAt });
    return;
  }
  const bytes = await sizeOf(spec, path);
  const removed = await removeQuarantined(spec.home, entry, spec.signal);
  if (removed.type === 'kept') report.kept.push(removed);
  else report.removed.push({ path, bytes });
}

async function sizeOf({ measure }: SweepSpec, path: string): Promise<number> {
  return measure === true ? await folderBytes(path) : 0;
}

/** Lists the folders whose names could be run ids. Mayday did not make the other ones. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}
