/**
 * `saveWork`, `saveIfChanged`: take a checkpoint of a live or just ended attempt. The number follows the last checkpoint on disk.
 * `changeTime`: when some paths last changed.
 */
import { readdirSync } from 'node:fs';
import { agentFiles, attemptDir } from './run-files.ts';
import type { RunState } from '../core/state/run-state.ts';
import { lookOrNull } from '../platform/file/vanished.ts';
import { attemptSessionFiles } from './attempt/session-files.ts';
import { type Checkpoint, type CheckpointNotes, checkpointNumbers } from './checkpoint/checkpoint.ts';
import { readCheckpointNotes } from './checkpoint/partial-work.ts';
import { snapshotWorkspace, takeCheckpoint } from './checkpoint/take-checkpoint.ts';
import { openWorkspace } from './workspace/workspace.ts';
import { dirname } from 'node:path/posix';
import { stampFiles } from './checkpoint/stamp-files.ts';

interface SaveSpec {
  readonly home: string;
  readonly state: RunState;
  readonly reason: string;
  readonly signal: AbortSignal;
}

export interface SavedWork {
  readonly checkpoint: Checkpoint;
  readonly notes: CheckpointNotes | null;
}

export interface ChangedWork extends SavedWork {
  /** When the workspace last changed; null: it is not known. */
  readonly changedAt: number | null;
}

export async function saveWork({ home, state, reason, signal }: SaveSpec): Promise<SavedWork> {
  const { runId } = state;
  const attempt = state.attempts.at(-1)?.number ?? 0;
  const directory = attemptDir(home, runId, attempt);
  const notes = readCheckpointNotes(agentFiles(directory).checkpoint);
  const { shadow } = await openWorkspace({ home, runId });
  const number = (checkpointNumbers(shadow, runId).at(-1) ?? 0) + 1;
  const checkpoint = await takeCheckpoint({
    runId,
    home,
    number,
    reason,
    notes,
    ignoredToInclude: state.options.ignoredToCopy,
    sessionFiles: await attemptSessionFiles(home, runId, attempt),
    signal,
  });
  return { checkpoint, notes };
}

/** Null: the workspace still equals `tree`. A look is cheaper than a checkpoint, and an unchanged tree needs no second one. */
export async function saveIfChanged(spec: SaveSpec, tree: string): Promise<ChangedWork | null> {
  const { runId } = spec.state;
  const workspace = await openWorkspace({ home: spec.home, runId });
  // An agent that deletes its workspace empties it first: an empty folder is no work to save.
  if ((lookOrNull(() => readdirSync(workspace.path)) ?? []).length === 0) return null;
  const seen = await snapshotWorkspace(workspace, { runId, signal: spec.signal });
  if (seen.type === 'failed' || seen.tree === tree) return null;
  const changedAt = await changeTime(workspace.path, seen.changed, spec.signal);
  return { ...(await saveWork(spec)), changedAt };
}

/**
 * The kernel's own time of change: no program sets it, so a file that was unpacked with an old date counts as written now. A deleted file
 * has no time, and files of a folder that was moved keep theirs; the folders above tell it. Null: none of the paths can be seen.
 */
export async function changeTime(
  root: string,
  rawPaths: readonly string[],
  signal?: AbortSignal,
): Promise<number | null> {
  const all = new Set(rawPaths);
  for (const path of rawPaths)
    for (let folder = dirname(path); !all.has(folder); folder = dirname(folder)) all.add(folder);
  const stamps = rawPaths.length === 0 ? [] : await stampFiles(root, [...all], signal);
  const latest = stamps.reduce((time, { changedAt }) => Math.max(time, changedAt), Number.NEGATIVE_INFINITY);
  return latest === Number.NEGATIVE_INFINITY ? null : latest;
}
