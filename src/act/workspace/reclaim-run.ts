/**
 * `reclaimRun`: deletes the worktree, the check tree and the raw output of an ended run at once. Every checkpoint stays, so no work is
 * lost.
 */
import { stat } from 'node:fs/promises';
import { folderBytes } from '../../platform/file/folder-size.ts';
import { eraseRawOutput } from '../erase-raw-output.ts';
import { runDir } from '../run-files.ts';
import { readQuarantined, type Released, removeCheckTree, removeQuarantined } from './release-workspace.ts';
import { findWorkspace } from './workspace.ts';

export type Reclaimed =
  | { readonly type: 'reclaimed'; readonly bytes: number }
  /** The worktree is the delivery, and no person allowed its deletion. */
  | { readonly type: 'in_worktree'; readonly path: string }
  | Extract<Released, { type: 'kept' }>;

export async function reclaimRun(spec: {
  readonly home: string;
  readonly runId: string;
  readonly discardWorktree: boolean;
  readonly signal?: AbortSignal | undefined;
}): Promise<Reclaimed> {
  const { home, runId, signal } = spec;
  const workspace = await findWorkspace(spec);
  let bytes = 0;
  if (workspace?.kind === 'worktree') {
    const entry = readQuarantined(home, runId);
    const path = entry?.path ?? workspace.path;
    const isThere = (await stat(path).catch(() => null))?.isDirectory() === true;
    if (isThere && entry === null && !spec.discardWorktree) return { type: 'in_worktree', path };
    if (isThere) {
      bytes += await folderBytes(path);
      const removed = await removeQuarantined(home, entry ?? { runId, path, at: 0 }, signal);
      if (removed.type === 'kept') return removed;
    }
  }
  await removeCheckTree(home, runId, workspace);
  const before = await folderBytes(runDir(home, runId));
  await eraseRawOutput(home, runId);
  return { type: 'reclaimed', bytes: bytes + before - (await folderBytes(runDir(home, runId))) };
}
