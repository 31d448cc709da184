/**
 * `deliverMerge`: the sink `merge:BRANCH`. It merges the work into a branch of the person, by fast-forward where the branch has not
 * moved. A checkout of that branch is updated too. Where changes of the person are in the way, neither branch nor checkout is changed.
 *
 *   made (the commit exists, no branch has it) -> moved (the branch points to it: delivered) -> seen (the checkout is updated)
 *
 * A call after a crash finds the work in the branch, and updates the checkout if it is still exactly as before.
 */
import { guardedGit, lineOf } from '../../platform/git/git.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { listWorktrees, type WorktreeEntry } from '../../platform/git/worktree.ts';
import { conversionSettings, filterCover } from '../workspace/person-settings.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { MERGE_TREES, mergedTree } from '../compose/merge-shadow-trees.ts';
import { type CommittedWork, commitWork } from './commit-work.ts';
import { blockedDelivery, type CommitSpec, type DeliveryResult, onBranch } from './delivery.ts';
import { openRepository, type Repository, tipOf, withTrailer } from './repository-git.ts';
import { withScratchRepository } from './scratch-repository.ts';
import { sinkFailure } from './sink-failure.ts';

export interface MergeDelivery extends CommitSpec {
  readonly branch: string;
  /** The commit at which the gate saw the branch; null: a person decided without the gate. */
  readonly target?: string | null;
}

/** How many commits a call after a crash searches for its own work. */
const SEARCHED_COMMITS = '500';

export async function deliverMerge(spec: MergeDelivery): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  const ref = `refs/heads/${spec.branch}`;
  const repository = await openRepository(workspace, spec.signal, ref);
  if (!('git' in repository)) return repository;
  const { baseCommit, tip } = repository;
  if (tip === null)
    return blockedDelivery('sink_not_writable', [`There is no branch ${spec.branch} to merge into.`]);
  try {
    const parent = spec.parent ?? baseCommit;
    const made = await commitWork({ ...spec, workspace, baseCommit, parent, message: withTrailer(spec) });
    if (made.files.length === 0)
      return blockedDelivery('empty_change', ['Nothing differs from the base.', ...made.warnings]);
    const holder = holderOf(repository, ref);
    const on: Merge = { workspace, repository, ref, tip, made, holder };
    const found = await findWork(spec, on);
    if (found !== null) {
      if (holder !== null && found === tip) await finishCheckout(spec, workspace, repository, holder, tip);
      return onBranch(spec, found, made);
    }
    return await merge(spec, on);
  } catch (error) {
    return sinkFailure(error, spec.signal);
  }
}

interface Merge {
  readonly workspace: Workspace;
  readonly repository: Repository;
  readonly ref: string;
  readonly tip: string;
  readonly made: CommittedWork;
  readonly holder: WorktreeEntry | null;
}

async function merge(spec: MergeDelivery, on: Merge): Promise<DeliveryResult> {
  const { workspace, repository, ref, tip, made, holder } = on;
  const { target = null } = spec;
  if (target !== null && target !== tip) return movedTarget(spec, tip);
  const commit = tip === repository.baseCommit ? made.commit : await mergeCommit(spec, on);
  if (typeof commit !== 'string') return commit;
  if (holder !== null) {
    if (holder.path === workspace.path)
      return blockedDelivery('sink_not_writable', [
        `${spec.branch} is checked out in the run's own worktree.`,
      ]);
    const fits = await moveCheckout(spec, workspace, holder, tip, commit, ['--dry-run']);
    if (fits.exitCode !== 0)
      return blockedDelivery('sink_not_writable', [
        `${spec.branch} is checked out at ${holder.path}, where changes of yours are in the way.`,
        ...lines(fits),
      ]);
  }
  const note = `mayday: run ${spec.runId}`;
  const updated = await repository.git('update-ref', '--create-reflog', '-m', note, ref, commit, tip);
  if (updated.exitCode !== 0) {
    const now = await tipOf(repository.git, ref);
    return now === tip ? blockedDelivery('sink_not_writable', lines(updated)) : movedTarget(spec, now);
  }
  if (holder === null) return onBranch(spec, commit, made);
  const moved = await moveCheckout(spec, workspace, holder, tip, commit, []);
  const warnings =
    moved.exitCode === 0 ? [] : [`${holder.path} shows the state before the merge: ${lines(moved)[0] ?? ''}`];
  return onBranch(spec, commit, { ...made, warnings: [...made.warnings, ...warnings] });
}

/** The commit that merges the moved branch and the work; a blocked delivery where they conflict. */
async function mergeCommit(spec: MergeDelivery, on: Merge): Promise<string | DeliveryResult> {
  const { workspace, tip, made } = on;
  return await withScratchRepository({ workspace, at: spec.at, signal: spec.signal }, async (scratch) => {
    // Without any checkout, configuration or merge driver of the repository.
    const result = await scratch.tryGit([...MERGE_TREES, tip, made.commit]);
    const merged = mergedTree(result, 'merging the work');
    if (merged.conflicts.length > 0)
      return blockedDelivery('sink_drifted', [
        `${spec.branch} moved to ${tip.slice(0, 12)} and conflicts with the work in ${merged.conflicts.join(', ')}.`,
      ]);
    const message = withTrailer({
      ...spec,
      message: `Merge work of run ${spec.runId}\n\n${spec.message}`,
    });
    const args = ['commit-tree', merged.tree, '-p', tip, '-p', made.commit];
    return lineOf(await scratch.git(args, { input: message }));
  });
}

function movedTarget({ branch }: MergeDelivery, now: string | null): DeliveryResult {
  const where = now === null ? 'is gone' : `is at ${now.slice(0, 12)} now`;
  const blocked = blockedDelivery('sink_drifted', [
    `${branch} moved after the work was judged: it ${where}.`,
  ]);
  return { ...blocked, targetMoved: true } as DeliveryResult;
}

/** Finds the commit that brought exactly this work into the branch: its own commit, or the merge that this delivery would make. */
async function findWork(spec: MergeDelivery, on: Merge): Promise<string | null> {
  const { git, baseCommit } = on.repository;
  const args = ['--first-parent', '--parents', '--max-count', SEARCHED_COMMITS, `${baseCommit}..${on.tip}`];
  const listing = await git('rev-list', ...args);
  for (const line of listing.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const [commit = '', first = '', second] = line.split(' ');
    if (commit === on.made.commit) return commit;
    if (second === on.made.commit && (await mergeCommit(spec, { ...on, tip: first })) === commit)
      return commit;
  }
  return null;
}

function holderOf({ commonDir }: Repository, ref: string): WorktreeEntry | null {
  return listWorktrees({ repository: commonDir }).find((worktree) => worktree.branch === ref) ?? null;
}

/** Moves the checkout with a two-tree `read-tree`, which fails where the person changed a file that it would write. */
async function moveCheckout(
  spec: MergeDelivery,
  workspace: Workspace,
  holder: WorktreeEntry,
  from: string,
  to: string,
  more: readonly string[],
): Promise<GitResult> {
  const settings = conversionSettings(workspace);
  const { home, runId, signal } = spec;
  const cover = filterCover(settings, { home, runId, show: [] });
  const call = {
    cwd: holder.path,
    env: process.env,
    attributes: workspace.attributes,
    home,
    ...cover,
    signal,
  };
  // This refreshes stat data only. Without it, a touched but equal file would count as a change of the person.
  await guardedGit({ ...call, args: ['update-index', '-q', '--refresh'] }, settings);
  return await guardedGit({ ...call, args: ['read-tree', '-m', '-u', ...more, from, to] }, settings);
}

/** For a crash between the moves of branch and checkout: updates the checkout if its index is still exactly the old state. */
async function finishCheckout(
  spec: MergeDelivery,
  workspace: Workspace,
  { git }: Repository,
  holder: WorktreeEntry,
  tip: string,
): Promise<void> {
  const old = await tipOf(git, `${tip}^1`);
  if (old === null) return;
  const asBefore = await guardedGit({
    args: ['diff-index', '--cached', '--quiet', old],
    cwd: holder.path,
    env: process.env,
    signal: spec.signal,
  });
  if (asBefore.exitCode === 0) await moveCheckout(spec, workspace, holder, old, tip, []);
}

function lines({ stderr }: GitResult): string[] {
  return stderr
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 5)
    .map((line) => line.slice(0, 300));
}
