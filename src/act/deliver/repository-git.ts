/**
 * `openRepository`, `tipOf`, `withTrailer`, `UNPROVEN`: give sinks the person's repository. Git runs there without starting any program
 * that the configuration names.
 */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { gitFailed, guardedGit, lineOf } from '../../platform/git/git.ts';
import type { GitCall, GitResult } from '../../platform/git/start-git.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { forgedInRepository } from '../workspace/repository-changes.ts';
import { blockedDelivery, type CommitSpec, type DeliveryResult } from './delivery.ts';

/** A git of the person holds the lock of a branch for a moment; one that is held for longer was left behind. */
const LOCK_PATIENCE = ['-c', 'core.filesRefLockTimeout=3000', '-c', 'core.packedRefsTimeout=3000'];

export type RepositoryGit = (...args: string[]) => Promise<GitResult>;

export interface Repository {
  readonly git: RepositoryGit;
  readonly commonDir: string;
  readonly baseCommit: string;
  /** The commit of the ref that was asked for; null: there is none. */
  readonly tip: string | null;
}

/** Returns the repository, or a blocked delivery where it cannot be used. One git looks at the base and at `ref`. */
export async function openRepository(
  workspace: Workspace,
  signal: AbortSignal | undefined,
  ref: string | null = null,
): Promise<Repository | DeliveryResult> {
  const { commonDir, baseCommit } = workspace;
  if (commonDir === null || baseCommit === null)
    return blockedDelivery('sink_not_writable', [
      `${workspace.repository} is not a git repository, so there is no branch to deliver to.`,
    ]);
  if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(commonDir, name))))
    return blockedDelivery('sink_not_writable', [`The git directory ${commonDir} is gone or damaged.`]);
  const [forged] = await forgedInRepository(workspace, signal);
  if (forged !== undefined)
    return blockedDelivery('sink_not_writable', [
      `${join(commonDir, forged)} is not what its name says, so git would deliver something else than what was judged.`,
    ]);
  const link = ref === null ? null : linkOnTheWay(commonDir, ref);
  if (link !== null)
    return blockedDelivery('sink_not_writable', [
      `${join(commonDir, link)} is a link: git would write where it leads.`,
    ]);
  const git: RepositoryGit = async (...words) => await gitIn(commonDir, signal)(...LOCK_PATIENCE, ...words);
  // Each on a line of its own: a name with a line break is no ref.
  const asked = ref === null || ref.includes('\n') ? '' : `${ref}^{commit}\n`;
  const input = `${baseCommit}^{tree}\n${asked}`;
  const looked = await gitIn(commonDir, signal, { input })('cat-file', '--batch-check=%(objectname)');
  // One that was killed has not said that the commit is gone.
  if (looked.killedBy !== null) throw gitFailed(looked, 'looking for the base commit');
  const [base = null, tip = null] = lineOf(looked)
    .split('\n')
    .map((line) => (/^[0-9a-f]{40,64}$/.test(line) ? line : null));
  if (base === null)
    return blockedDelivery('sink_drifted', [`The base commit ${baseCommit} is no longer in the repository.`]);
  return { git, commonDir, baseCommit, tip };
}

/** Of the ref or its log. */
function linkOnTheWay(commonDir: string, ref: string): string | null {
  for (const name of [ref, `logs/${ref}`]) {
    const parts = name.split('/');
    for (let depth = 2; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      const facts = lstatSync(join(commonDir, path), { throwIfNoEntry: false });
      if (facts?.isSymbolicLink() === true) return path;
      if (facts?.isDirectory() !== true) break;
    }
  }
  return null;
}

/** Runs git in the repository itself, not in a worktree of it. */
export function gitIn(
  commonDir: string,
  signal: AbortSignal | undefined,
  given: Pick<GitCall, 'input'> = {},
): RepositoryGit {
  const call = { cwd: commonDir, env: process.env, gitEnv: { GIT_DIR: commonDir }, ...given, signal };
  return async (...args) => await guardedGit({ ...call, args });
}

export async function tipOf(git: RepositoryGit, ref: string): Promise<string | null> {
  const found = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  return found.exitCode === 0 ? lineOf(found) : null;
}

const MAX_MESSAGE_CHARACTERS = 20_000;

/** Work that a gate did not judge. */
export const UNPROVEN: readonly string[] = ['Mayday-Proven: no'];

/** The trailers are for people; no code reads them. */
export function withTrailer({
  runId,
  message,
  trailers = UNPROVEN,
}: Omit<CommitSpec, 'tree' | 'at'>): string {
  const text = message.replaceAll('\0', '').slice(0, MAX_MESSAGE_CHARACTERS).trim();
  return [text === '' ? `Work of run ${runId}` : text, '', `Mayday-Run: ${runId}`, ...trailers, ''].join(
    '\n',
  );
}
