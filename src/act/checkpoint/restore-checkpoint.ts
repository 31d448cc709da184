/**
 * `restoreCheckpoint`: brings a workspace back to a checkpoint without destroying anything. It
 *   1 refuses while a process of the run is alive
 *   2 saves the present files in a new checkpoint and verifies it
 *   3 keeps every file that no later checkpoint recorded, because it may not be the agent's
 *   4 lets git move the tree; git refuses files that changed since step 2 and never writes through a link
 *   5 reads all files again and compares them.
 * HEAD, branches and the index of the person or the agent are not touched.
 */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../core/text/counted.ts';
import { copyGitIndex } from '../../platform/git/copy-git-index.ts';
import { expectGit } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { type Checkpoint, checkpointNumbers, readCheckpoint } from './checkpoint.ts';
import { runStatePath } from '../workspace/home-layout.ts';
import { filesUnder } from './list-under.ts';
import { restoreIgnored } from './restore-ignored.ts';
import { planRestore, type RestorePlan } from './restore-plan.ts';
import { snapshotWorkspace, takeCheckpointIn } from './take-checkpoint.ts';
import { type CheckpointKey, verifyCheckpointIn } from './verify-checkpoint.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { firstLine } from '../../core/text/first-line.ts';
import { withIndex } from './with-index.ts';

export interface RestoreSpec extends CheckpointKey {
  /** The number of processes of the run that are alive now; with any but 0 the restore is refused. */
  readonly liveProcesses: number;
  readonly ignoredToInclude?: readonly string[];
}

export interface Restored {
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Newer files that stay, because no checkpoint recorded them. */
  readonly kept: readonly string[];
  /** The checkpoint of the files before the restore: restoring its number undoes this. */
  readonly before: Checkpoint;
}

export async function restoreCheckpoint(spec: RestoreSpec): Promise<Restored> {
  if (spec.liveProcesses !== 0)
    throw refused(
      `${counted(spec.liveProcesses, 'process of the run is', 'processes of the run are')} still alive.`,
      `mayday stop ${spec.runId}`,
    );
  const workspace = await openWorkspace(spec);
  const target = await verified(spec, workspace.shadow, spec.number);
  const later = checkpointNumbers(workspace.shadow, spec.runId).filter((n) => n > spec.number);
  const before = await saveBefore(spec, workspace, target, later.at(-1) ?? spec.number);
  await verified(spec, workspace.shadow, before.number);
  const plan = await planRestore({
    workspace,
    target,
    before,
    later,
    runId: spec.runId,
    signal: spec.signal,
  });
  await moveTree(spec, workspace, before, plan);
  const ignored = await restoreIgnored({ workspace, runId: spec.runId, target, before, signal: spec.signal });
  await readBack(spec, workspace, plan);
  const { written = [], deleted = [] } = Object.groupBy(plan.changes, ({ type }) =>
    type === 'deleted' ? 'deleted' : 'written',
  );
  return {
    restored: [...written.map(({ rawPath }) => rawToText(rawPath)), ...ignored],
    deleted: deleted.map(({ rawPath }) => rawToText(rawPath)),
    kept: plan.kept.map(rawToText),
    before,
  };
}

async function verified(spec: RestoreSpec, shadow: string, number: number): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(shadow, spec.runId, number, spec.signal);
  const check = await verifyCheckpointIn(shadow, { runId: spec.runId, number, signal: spec.signal });
  if (checkpoint !== null && check.holds) return checkpoint;
  throw refused(
    `Checkpoint ${number} cannot be relied on: ${check.problems[0] ?? 'it is not there'}.`,
    `mayday checkpoints ${spec.runId}`,
  );
}

/** Saves the present files. Ignored files that the restore would overwrite are saved beside the tree. */
async function saveBefore(
  spec: RestoreSpec,
  workspace: Workspace,
  target: Checkpoint,
  last: number,
): Promise<Checkpoint> {
  const { shadow, path } = workspace;
  const now = await snapshotWorkspace(workspace, spec);
  if (now.type === 'failed')
    throw refused(`The present state cannot be saved: ${now.problem}.`, 'mayday doctor');
  const listing = await shadowGit(
    shadow,
    ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=A', now.tree, target.tree],
    { signal: spec.signal },
  );
  const hidden: string[] = [];
  for (const rawPath of splitNul(expectGit(listing, 'comparing two trees').stdout))
    hidden.push(...(await filesUnder(path, rawPath)));
  const before = await takeCheckpointIn(workspace, {
    runId: spec.runId,
    home: spec.home,
    number: last + 1,
    reason: `before restoring checkpoint ${spec.number}`,
    ignoredToInclude: spec.ignoredToInclude ?? [],
    ignoredRawPaths: hidden,
    signal: spec.signal,
  });
  if (before.state === 'failed')
    throw refused(`The present state cannot be saved: ${before.problem}.`, 'mayday doctor');
  const unsaved = before.missing.filter(({ path: missing }) => hidden.map(rawToText).includes(missing));
  if (unsaved.length > 0)
    throw refused(
      `${unsaved[0]?.path} would be overwritten and could not be saved (${unsaved[0]?.why}).`,
      'Move it away by hand.',
    );
  return before;
}

async function moveTree(
  spec: RestoreSpec,
  workspace: Workspace,
  before: Checkpoint,
  plan: RestorePlan,
): Promise<void> {
  const state = runStatePath(workspace.shadow, spec.runId);
  await withIndex(state, async (indexFile) => {
    await copyGitIndex(join(state, 'index'), indexFile);
    const call = { workTree: workspace.path, indexFile, signal: spec.signal };
    // Without a refresh, git takes a file that was written again with the same bytes for a changed one.
    await shadowGit(workspace.shadow, ['update-index', '-q', '--refresh'], call);
    const args = ['read-tree', '-m', '-u', before.tree, plan.tree];
    const moved = await shadowGit(workspace.shadow, args, call);
    if (moved.exitCode !== 0)
      throw refused(
        `The workspace changed while it was restored: ${firstLine(moved.stderr)}`,
        'Find out who writes there, then restore again.',
      );
    await rename(indexFile, join(state, 'index'));
  });
}

/** A new index knows no file times, so git must read every file again. */
async function readBack(spec: RestoreSpec, workspace: Workspace, plan: RestorePlan): Promise<void> {
  await withIndex(runStatePath(workspace.shadow, spec.runId), async (indexFile) => {
    const call = { workTree: workspace.path, indexFile, signal: spec.signal };
    expectGit(await shadowGit(workspace.shadow, ['read-tree', plan.tree], call), 'reading the result back');
    await shadowGit(workspace.shadow, ['update-index', '-q', '--refresh'], call);
    const differs = await shadowGit(workspace.shadow, ['diff-files', '-z', '--name-only'], call);
    const paths = splitNul(expectGit(differs, 'reading the result back').stdout);
    const [first] = paths;
    if (first !== undefined) {
      const differ = counted(paths.length, 'file differs', 'files differ');
      throw refused(
        `${differ} from the checkpoint after the restore, first ${rawToText(first)}.`,
        'Find out who writes there, then restore again.',
      );
    }
  });
}

function refused(what: string, advice: string): MaydayError {
  return new MaydayError('RESTORE_REFUSED', what, [
    ['did', 'nothing was deleted that is not in a checkpoint'],
    ['do', advice],
  ]);
}
