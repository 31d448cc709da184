/**
 * `partialWork`, `readCheckpointNotes`: say what a run has done so far: facts from the trees, and beside them what the agent says about
 * subtasks.
 */
import type { RunKey } from './take-base.ts';
import type { PartialWork } from '../../core/vocabulary/work.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { CheckpointNotes } from './checkpoint.ts';
import { treeChanges } from './tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';

export interface PartialWorkSpec extends RunKey {
  readonly tree: string;
  readonly notes: CheckpointNotes | null;
  readonly deliveredTree: string | null;
}

export async function partialWork(spec: PartialWorkSpec): Promise<PartialWork> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const changes = await treeChanges(shadow, baseTree, spec.tree, spec.signal);
  const named = (type: string) =>
    changes.filter((change) => change.type === type).map((change) => rawToText(change.rawPath));
  const made = new Set([...named('created'), ...named('changed')]);
  const claimed = (spec.notes?.created_files ?? []).map((path) => path.replace(/^\.\//, ''));
  const absent = claimed.filter((path) => !made.has(path) && !path.startsWith('/'));
  return {
    created: named('created'),
    changed: named('changed'),
    deleted: named('deleted'),
    completed: spec.notes?.completed ?? [],
    missing: [...new Set([...(spec.notes?.next_actions ?? []), ...absent])],
    delivered: spec.deliveredTree !== null && spec.deliveredTree === spec.tree,
  };
}

/** Notes are some lines. The agent writes the file, so its size needs a limit. */
const MAX_NOTES_BYTES = 256 * 1024;

/** Reads the MAYDAY_CHECKPOINT file of the agent; null: there is none, or its content is wrong. */
export function readCheckpointNotes(file: string): CheckpointNotes | null {
  return readState(CheckpointNotes, file, MAX_NOTES_BYTES);
}
