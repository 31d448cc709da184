/**
 * The sink `branch:NAME`: one commit on the base, on a branch that nobody has checked out. Never moves a branch backwards or
 * sideways, never touches a checkout.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitResult, guardedGit, lineOf } from '../../platform/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { listWorktrees } from '../../platform/worktree.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { type CommittedWork, commitWork } from './commit-work.ts';
import { blockedDelivery, type Delivery } from './delivery.ts';

export interface BranchDelivery {
  readonly runId: string;
  readonly home: string;
  readonly branch: string;
  /** Shadow tree to deliver. */
  readonly tree: string;
  /** First line and body of the commit; the run is named in a trailer. */
  readonly message: string;
  /** When the delivery was decided, milliseconds since the epoch: fixes the commit for every later look. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_MESSAGE_CHARACTERS = 20_000;

export async function deliverBranch(spec: BranchDelivery): Promise<Delivery> {
  const workspace = await openWorkspace(spec);
  const { commonDir, baseCommit, baseTree } = workspace;
  if (commonDir === null || baseCommit === null)
    return blockedDelivery('sink_not_writable', [
      `${workspace.repository} is not a git repository, so there is no branch to deliver to.`,
    ]);
  if (!(await isGitDirectory(commonDir)))
    return blockedDelivery('sink_not_writable', [`The git directory ${commonDir} is gone or damaged.`]);
  const git = repositoryGit(workspace, spec.signal);
  const ref = `refs/heads/${spec.branch}`;
  if ((await git('check-ref-format', ref)).exitCode !== 0 || spec.branch.startsWith('-'))
    return blockedDelivery('sink_not_writable', [`"${spec.branch.slice(0, 200)}" is no valid branch name.`]);
  if ((await git('cat-file', '-e', `${baseCommit}^{tree}`)).exitCode !== 0)
    return blockedDelivery('sink_drifted', [`The base commit ${baseCommit} is no longer in the repository.`]);
  const tip = await tipOf(git, ref);
  const earlier = tip === null ? null : await earlierDelivery(git, spec, tip, baseCommit);
  if (tip !== null && earlier === null)
    return blockedDelivery('sink_drifted', [
      `Branch ${spec.branch} already exists at ${tip} and is not a delivery of run ${spec.runId}.`,
    ]);
  try {
    const message = withTrailer(spec);
    const parent = tip ?? baseCommit;
    const work = { workspace, tree: spec.tree, baseTree, baseCommit, message, at: spec.at };
    const made = await commitWork({ ...work, parent, signal: spec.signal });
    if (made.files.length === 0)
      return blockedDelivery('empty_change', ['Nothing differs from the base.', ...made.warnings]);
    // Looked at again after a crash: the branch already holds exactly this.
    if (earlier !== null && earlier.tree === made.tree && tip !== null) return delivered(spec, tip, made);
    return await moveBranch(spec, git, { ref, tip, workspace, made });
  } catch (error) {
    spec.signal?.throwIfAborted();
    if (!(error instanceof MaydayError)) throw error;
    return blockedDelivery(isStorage(error.message) ? 'sink_not_writable' : 'delivery_failed', [
      error.message,
    ]);
  }
}

interface Move {
  readonly ref: string;
  readonly tip: string | null;
  readonly workspace: Workspace;
  readonly made: CommittedWork;
}

async function moveBranch(spec: BranchDelivery, git: RepositoryGit, move: Move): Promise<Delivery> {
  const repository = move.workspace.commonDir as string;
  const worktrees = await listWorktrees({ repository, env: process.env, signal: spec.signal });
  const holder = worktrees.find((worktree) => worktree.branch === move.ref);
  if (holder !== undefined)
    return blockedDelivery('sink_drifted', [
      `Branch ${spec.branch} is checked out at ${holder.path}; moving it would change what is seen there.`,
    ]);
  const old = move.tip ?? '0'.repeat(move.made.commit.length);
  const note = `mayday: run ${spec.runId}`;
  const updated = await git('update-ref', '--create-reflog', '-m', note, move.ref, move.made.commit, old);
  if (updated.exitCode === 0) return delivered(spec, move.made.commit, move.made);
  const evidence = updated.stderr.trim().slice(0, 500);
  const drifted = /but expected|reference already exists/.test(evidence);
  return blockedDelivery(drifted ? 'sink_drifted' : 'sink_not_writable', [evidence]);
}

function delivered(spec: BranchDelivery, commit: string, made: CommittedWork): Delivery {
  return { type: 'delivered', ref: spec.branch, commit, files: made.files, warnings: made.warnings };
}

type RepositoryGit = (...args: string[]) => Promise<GitResult>;

function repositoryGit(workspace: Workspace, signal: AbortSignal | undefined): RepositoryGit {
  const commonDir = workspace.commonDir as string;
  return async (...args) =>
    await guardedGit({ args, cwd: commonDir, env: process.env, gitEnv: { GIT_DIR: commonDir }, signal });
}

async function tipOf(git: RepositoryGit, ref: string): Promise<string | null> {
  const found = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  return found.exitCode === 0 ? lineOf(found) : null;
}

/** Ours if it says so, and stands on our base: then a newer tree may follow it, as a descendant. */
async function earlierDelivery(
  git: RepositoryGit,
  spec: BranchDelivery,
  tip: string,
  baseCommit: string,
): Promise<{ readonly tree: string } | null> {
  const descends = await git('merge-base', '--is-ancestor', baseCommit, tip);
  const shown = await git('cat-file', 'commit', tip);
  const text = shown.stdout.toString('utf8');
  const tree = /^tree ([0-9a-f]+)$/m.exec(text)?.[1];
  const ours = text.trimEnd().endsWith(`\nMayday-Run: ${spec.runId}`);
  return descends.exitCode === 0 && ours && tree !== undefined ? { tree } : null;
}

function withTrailer(spec: BranchDelivery): string {
  const message = spec.message.replaceAll('\0', '').slice(0, MAX_MESSAGE_CHARACTERS).trim();
  return `${message === '' ? `Work of run ${spec.runId}` : message}\n\nMayday-Run: ${spec.runId}\n`;
}

async function isGitDirectory(path: string): Promise<boolean> {
  const found = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) =>
      stat(join(path, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

function isStorage(message: string): boolean {
  return /No space left|quota|Read-only|Permission denied|insufficient permission|unable to (?:create|write)/i.test(
    message,
  );
}
