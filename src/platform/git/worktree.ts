/**
 * `addWorktree`, `listWorktrees`, `moveWorktree`, `removeWorktree`, `unlockWorktree`, `letGoOfWorktree`: git worktrees, by the files
 * that git keeps about them: `git worktree` would read the configuration of the repository. They are locked while in use.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../file/find-paths.ts';
import { realOrSame } from '../file/inside.ts';
import { readPlainFile } from '../file/plain-file.ts';
import { MaydayError } from '../mayday-error.ts';
import { expectGit, type GitSettings, guardedGit } from './git.ts';
import { locateRepository } from './locate-repository.ts';
import type { GitCall } from './start-git.ts';

interface WorktreeCall {
  /** Any checkout of the repository, or its git directory. */
  readonly repository: string;
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

interface NewWorktree extends WorktreeCall, Pick<GitCall, 'env' | 'attributes' | 'cover' | 'home'> {
  readonly commit: string;
  readonly reason: string;
  readonly settings?: GitSettings;
}

/** What git keeps in the repository's folder for a worktree. */
const [GITDIR, COMMON, HEAD, LOCK] = ['gitdir', 'commondir', 'HEAD', 'locked'] as const;
const POINTER = '.git';

/** Makes it locked, and fills it; no hook of the repository is run. */
export async function addWorktree(call: NewWorktree): Promise<void> {
  const { path, commit, reason, settings = [], repository, ...how } = call;
  const own = newFolder(join(commonDirOf(repository), 'worktrees'), basename(path));
  // First of all: a `git worktree prune` of the person leaves a locked one alone.
  for (const [name, text] of [
    [LOCK, reason],
    [COMMON, '../..'],
    [HEAD, commit],
    [GITDIR, join(path, POINTER)],
  ] as const)
    writeFileSync(join(own, name), `${text}\n`);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, POINTER), `gitdir: ${own}\n`, { flag: 'wx' });
  const args = ['read-tree', '--reset', '-u', '--no-recurse-submodules', commit];
  expectGit(await guardedGit({ ...how, args, cwd: path }, settings), `making the worktree ${path}`);
}

/** Two processes may choose the same name. */
function newFolder(parent: string, name: string): string {
  mkdirSync(parent, { recursive: true });
  for (let count = 0; ; count += 1)
    try {
      const path = join(parent, count === 0 ? name : `${name}${count}`);
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
}

export interface WorktreeEntry {
  readonly path: string;
  readonly branch: string | null;
}

/** The repository's own checkout comes first. */
export function listWorktrees({ repository }: Pick<WorktreeCall, 'repository'>): WorktreeEntry[] {
  const commonDir = commonDirOf(repository);
  const main = basename(commonDir) === POINTER ? dirname(commonDir) : commonDir;
  const folders = namesIn(join(commonDir, 'worktrees')).map((name) => join(commonDir, 'worktrees', name));
  return [
    { path: main, branch: branchIn(commonDir) },
    ...folders
      .map((own) => ({ path: dirname(noteIn(own, GITDIR).trim()), branch: branchIn(own) }))
      .filter(({ path }) => path !== '.'),
  ];
}

function branchIn(gitDir: string): string | null {
  return /^ref: (refs\/.+)\n?$/.exec(noteIn(gitDir, HEAD))?.[1] ?? null;
}

/** A list that failed is no empty one: a branch that is checked out would be moved. */
function commonDirOf(repository: string): string {
  const place = locateRepository(repository);
  if (place !== null) return place.commonDir;
  throw new MaydayError('GIT_FAILED', `no git repository was found at ${repository}`, [
    ['did', 'nothing was changed'],
    ['do', 'check that the repository is where it was'],
  ]);
}

/** Moves a locked worktree and keeps it locked and known to the repository. False: the repository does not know it. */
export async function moveWorktree({
  repository,
  path,
  to,
}: WorktreeCall & { readonly to: string }): Promise<boolean> {
  const own = worktreeGitDir(commonDirOf(repository), path);
  if (own === null) return false;
  // The note first: a call after a crash moves the folder to where the note says it is.
  const before = noteIn(own, GITDIR);
  replaceNote(own, GITDIR, `${join(to, POINTER)}\n`);
  await rename(path, to).catch((error: unknown) => {
    replaceNote(own, GITDIR, before);
    throw error;
  });
  return true;
}

/**
 * Removes one worktree by its path, and only that one (`prune` would also remove the person's own worktrees on an unplugged
 * disk). The caller has verified that its content is saved.
 */
export async function removeWorktree({ repository, path }: WorktreeCall): Promise<void> {
  const own = worktreeGitDir(commonDirOf(repository), path);
  await rm(path, { recursive: true, force: true });
  if (own !== null) await rm(own, { recursive: true, force: true });
}

export function unlockWorktree({ repository, path }: WorktreeCall): void {
  const own = worktreeGitDir(commonDirOf(repository), path);
  if (own !== null) rmSync(join(own, LOCK), { force: true });
}

/** Files of unfinished operations: git counts the branch as in use while they exist. */
const HOLDS_BRANCH = ['rebase-merge', 'rebase-apply', 'BISECT_START'];

/**
 * For a worktree in which no agent works any more: unlocks it and detaches it from its branch, so that the person can check that
 * branch out elsewhere. Files and index stay as they are. `commit`: the new HEAD if the branch has no commit.
 */
export async function letGoOfWorktree(
  call: Omit<WorktreeCall, 'repository'> & {
    readonly env: NodeJS.ProcessEnv;
    readonly commonDir: string;
    readonly commit: string;
  },
): Promise<void> {
  const own = worktreeGitDir(call.commonDir, call.path);
  if (own === null) return;
  for (const name of [LOCK, ...HOLDS_BRANCH]) rmSync(join(own, name), { recursive: true, force: true });
  // Most agents make no branch, and then the file tells all. It is that of the repository, not the pointer, which the agent could write.
  if (branchIn(own) === null) return;
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const { commonDir: cwd, env, signal } = call;
  const head = await guardedGit({ args, cwd, env, gitEnv: { GIT_DIR: own }, signal });
  const at = head.exitCode === 0 ? head.stdout.toString('utf8').trim() : call.commit;
  replaceNote(own, HEAD, `${at}\n`);
}

/** By a lock of git's own kind; one that is there belongs to a git that works now. */
function replaceNote(own: string, name: string, text: string): void {
  const lock = join(own, `${name}.lock`);
  writeFileSync(lock, text, { flag: 'wx' });
  renameSync(lock, join(own, name));
}

/** The repository's own folder for the worktree at `path`; null: the repository has no worktree there. */
export function worktreeGitDir(commonDir: string, path: string): string | null {
  const real = realOrSame(path);
  const entries = join(commonDir, 'worktrees');
  for (const name of namesIn(entries)) {
    const at = dirname(noteIn(join(entries, name), 'gitdir').trim());
    if (at === path || at === real) return join(entries, name);
  }
  return null;
}

/** The longest path of the system, and some more. */
const MAX_NOTE_BYTES = 8 * 1024;

/** A small file in the repository's folder for a worktree; empty where it is absent or no plain file. */
export function noteIn(own: string, name: string): string {
  const read = readPlainFile(join(own, name), MAX_NOTE_BYTES);
  return read.type === 'text' ? read.text : '';
}
