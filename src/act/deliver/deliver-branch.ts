/**
 * `deliverBranch`: the sink `branch:NAME`. It makes one commit on the base, on a branch that no checkout holds. It only moves a branch
 * forward and touches no checkout. A branch belongs to the run if its tip is a recorded delivery, or the very commit to deliver. The
 * message of a commit proves nothing.
 */
import { isBranchName } from '../../core/vocabulary/task.ts';
import { lineOf } from '../../platform/git/git.ts';
import { listWorktrees } from '../../platform/git/worktree.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { type CommittedWork, commitWork } from './commit-work.ts';
import { blockedDelivery, type CommitSpec, type DeliveryResult, onBranch, takenBranch } from './delivery.ts';
import { openRepository, type Repository, tipOf, withTrailer } from './repository-git.ts';
import { sinkFailure } from './sink-failure.ts';

export interface BranchDelivery extends CommitSpec {
  readonly branch: string;
}

export async function deliverBranch(spec: BranchDelivery): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  const ref = `refs/heads/${spec.branch}`;
  const repository = await openRepository(workspace, spec.signal, ref);
  if (!('git' in repository)) return repository;
  const { git, baseCommit, tip } = repository;
  if (!isBranchName(spec.branch))
    return blockedDelivery('sink_not_writable', [`"${spec.branch.slice(0, 200)}" is no valid branch name.`]);
  if (spec.branch === workspace.branch)
    return takenBranch(`Branch ${spec.branch} is the one that the work began from.`);
  const earlier = spec.earlier ?? [];
  const isEarlier = tip !== null && earlier.includes(tip);
  try {
    const first = spec.parent ?? baseCommit;
    // A tip that is not in the journal may be this delivery, made before a crash: then its parent is one of the run's.
    const below = tip === null || isEarlier ? tip : await tipOf(git, `${tip}^`);
    const parent = below !== null && earlier.includes(below) ? below : first;
    const made = await commitWork({ ...spec, workspace, baseCommit, parent, message: withTrailer(spec) });
    if (made.files.length === 0)
      return blockedDelivery('empty_change', ['Nothing differs from the base.', ...made.warnings]);
    const isDone =
      tip === made.commit || (isEarlier && lineOf(await git('rev-parse', `${tip}^{tree}`)) === made.tree);
    if (isDone) return onBranch(spec, tip, made);
    if (tip !== null && !isEarlier)
      return takenBranch(
        `Branch ${spec.branch} already exists at ${tip} and is not a delivery of run ${spec.runId}.`,
      );
    return await moveBranch(spec, repository, { ref, tip, made });
  } catch (error) {
    return sinkFailure(error, spec.signal);
  }
}

interface Move {
  readonly ref: string;
  readonly tip: string | null;
  readonly made: CommittedWork;
}

async function moveBranch(
  spec: BranchDelivery,
  { git, commonDir }: Repository,
  move: Move,
): Promise<DeliveryResult> {
  // Just before the move: the person may have checked it out while the work was committed.
  const worktrees = listWorktrees({ repository: commonDir });
  const holder = worktrees.find((worktree) => worktree.branch === move.ref);
  if (holder !== undefined)
    return takenBranch(
      `Branch ${spec.branch} is checked out at ${holder.path}; moving it would change what is seen there.`,
    );
  const old = move.tip ?? '0'.repeat(move.made.commit.length);
  const note = `mayday: run ${spec.runId}`;
  const updated = await git('update-ref', '--create-reflog', '-m', note, move.ref, move.made.commit, old);
  if (updated.exitCode === 0) return onBranch(spec, move.made.commit, move.made);
  const evidence = updated.stderr.trim().slice(0, 500);
  const drifted = /but expected|reference already exists/.test(evidence);
  return drifted ? takenBranch(evidence) : blockedDelivery('sink_not_writable', [evidence]);
}
