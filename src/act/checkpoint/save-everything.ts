/**
 * `saveEverything`: takes the last checkpoint before a workspace is removed: the tree, and the ignored files that no tool can make
 * again. The workspace may be removed only if this checkpoint is complete and verified.
 */
import { basename } from 'node:path/posix';
import { rawToText } from '../../platform/git/raw-path.ts';
import { type Checkpoint, checkpointNumbers } from './checkpoint.ts';
import { ignoredEntries } from '../workspace/ignored-entries.ts';
import { filesUnder } from './list-under.ts';
import { isRegenerable } from '../project/regenerable.ts';
import { stampFiles } from './stamp-files.ts';
import { takeCheckpointIn } from './take-checkpoint.ts';
import { verifyCheckpointIn } from './verify-checkpoint.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type Saved =
  | {
      readonly type: 'saved';
      readonly checkpoint: Checkpoint;
      readonly hasWork: boolean;
      /** Raw paths of what is ignored, also of what any tool can make again. */
      readonly ignored: readonly string[];
    }
  | { readonly type: 'not_saved'; readonly why: string };

/** Local databases and notes are smaller. More is a cache with an unknown name, about which a person decides. */
const MAX_IGNORED_FILES = 2_000;
const MAX_IGNORED_BYTES = 64 * 1024 * 1024;

/** `path` is the present place of the workspace. */
export async function saveEverything(
  workspace: Workspace,
  path: string,
  home: string,
  signal?: AbortSignal,
): Promise<Saved> {
  const { shadow, runId } = workspace;
  const entries = await ignoredEntries(workspace, path, signal);
  const ignored = await ignoredThatMatter(path, entries);
  const bytes = (await stampFiles(path, ignored, signal)).reduce((sum, stamp) => sum + stamp.bytes, 0);
  if (ignored.length > MAX_IGNORED_FILES || bytes > MAX_IGNORED_BYTES)
    return {
      type: 'not_saved',
      why: `${ignored.length} ignored files (${bytes} bytes) are in no checkpoint, first ${rawToText(ignored[0] as string)}`,
    };
  const number = (checkpointNumbers(shadow, runId).at(-1) ?? 0) + 1;
  const checkpoint = await takeCheckpointIn(
    { shadow, path },
    {
      runId,
      home,
      number,
      reason: 'before the workspace goes',
      ignoredRawPaths: ignored,
      orEqual: true,
      signal,
    },
  );
  if (checkpoint.state !== 'complete') {
    const first = checkpoint.missing[0];
    const why = checkpoint.problem ?? (first === undefined ? 'unknown' : `${first.path}: ${first.why}`);
    return { type: 'not_saved', why: `the last checkpoint is ${checkpoint.state}: ${why}` };
  }
  const check = await verifyCheckpointIn(shadow, { runId, number: checkpoint.number, signal });
  if (!check.holds)
    return { type: 'not_saved', why: `the last checkpoint does not read back: ${check.problems[0]}` };
  return { type: 'saved', checkpoint, hasWork: checkpoint.tree !== workspace.baseTree, ignored: entries };
}

async function ignoredThatMatter(path: string, entries: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const rawPath of entries) {
    if (isRegenerable(basename(rawPath))) continue;
    found.push(...(await filesUnder(path, rawPath)).filter((file) => !file.split('/').some(isRegenerable)));
    if (found.length > MAX_IGNORED_FILES) break;
  }
  return found;
}
