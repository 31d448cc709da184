/**
 * `addWorktree`, `listWorktrees`, `moveWorktree`, `removeWorktree`, `letGoOfWorktree`: git worktrees. They are made with the person's own
 * git configuration, locked while in use, and moved and removed without that configuration.
 */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { namesIn } from '../file/find-paths.ts';
import { realOrSame } from '../file/inside.ts';
import { readPlainFile } from '../file/plain-file.ts';
import { expectGit, type GitResult, guardedGit, personGit } from './git.ts';

interface WorktreeCall {
  /** Any checkout of the repository, or its git directory. */
  readonly repository: string;
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** Git fails on the half-written files of another worktree of the same repository that is being made or removed at this moment. */
const HALF_MADE = /worktrees\/[^/\s]+(?:\/(?:commondir|gitdir|HEAD|locked)|['’"»])|\.lock'|cannot lock/;
const TRIES = 10;
const PAUSE_MS = 100;

async function besideOthers(run: () => Promise<GitResult>): Promise<GitResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await run();
    if (result.exitCode === 0 || tries >= TRIES || !HALF_MADE.test(result.stderr)) return result;
    await pause(PAUSE_MS);
  }
}

function worktreeGit(
  { repository, env, signal }: Omit<WorktreeCall, 'path'>,
  args: readonly string[],
  git = guardedGit,
): Promise<GitResult> {
  return besideOthers(() => git({ args: ['worktree', ...args], cwd: repository, env, signal }));
}

export async function addWorktree(
  call: WorktreeCall & { readonly commit: string; readonly reason: string },
): Promise<void> {
  const { reason, path, commit } = call;
  const args = ['add', '--quiet', '--detach', '--lock', '--reason', reason, '--', path, commit];
  const made = await worktreeGit(call, args, personGit);
  expectGit(made, `making the worktree ${path}`);
}

export interface WorktreeEntry {
  readonly path: string;
  readonly branch: string | null;
}

export async function listWorktrees(call: Omit<WorktreeCall, 'path'>): Promise<WorktreeEntry[]> {
  const args = ['list', '--porcelain'];
  const listing = await worktreeGit(call, [...args, '-z']);
  // Git before 2.36 knows no `-z`. Without it only a path with a line break is read wrongly.
  if (listing.exitCode === USAGE) return entriesIn(await worktreeGit(call, args), '\n');
  return entriesIn(listing, '\0');
}

/** Git's exit code where it does not know an option. */
const USAGE = 129;

/** A list that failed is no empty one: a branch that is checked out would be moved. */
function entriesIn(listing: GitResult, end: string): WorktreeEntry[] {
  return expectGit(listing, 'listing the worktrees')
    .stdout.toString('utf8')
    .split(end + end)
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const lines = block.split(end);
      const value = (name: string) =>
        lines.find((line) => line === name || line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
      return { path: value('worktree') ?? '', branch: value('branch') };
    });
}

/** Moves a locked worktree and keeps it locked and known to the repository. */
export async function moveWorktree(call: WorktreeCall & { readonly to: string }): Promise<GitResult> {
  return await worktreeGit(call, ['move', '--force', '--force', '--', call.path, call.to]);
}

/**
 * Removes one worktree by its path, and only that one (`prune` would also remove the person's own worktrees on an unplugged
 * disk). The caller has verified that its content is saved.
 */
export async function removeWorktree(call: WorktreeCall): Promise<GitResult> {
  return await worktreeGit(call, ['remove', '--force', '--force', '--', call.path]);
}

export async function unlockWorktree(call: WorktreeCall): Promise<void> {
  await worktreeGit(call, ['unlock', '--', call.path]);
}

/** The file by which a worktree is locked. */
const LOCK = 'locked';
/** Files of unfinished operations: git counts the branch as in use while they exist. */
const HOLDS_BRANCH = ['rebase-merge', 'rebase-apply', 'BISECT_START'];

/**
 * For a worktree in which no agent works any more: unlocks it and detaches it from its branch, so that the person can check that
 * branch out elsewhere. Files and index stay as they are. `commit`: the new HEAD if the branch has no commit.
 */
export async function letGoOfWorktree(
  call: WorktreeCall & { readonly commonDir: string; readonly commit: string },
): Promise<void> {
  const own = worktreeGitDir(call.commonDir, call.path);
  if (own === null) return;
  for (const name of [LOCK, ...HOLDS_BRANCH]) rmSync(join(own, name), { recursive: true, force: true });
  // The repository's folder for the worktree, not the pointer in the worktree, which the agent could write.
  const git = (...args: string[]) =>
    guardedGit({ args, cwd: call.commonDir, env: call.env, gitEnv: { GIT_DIR: own }, signal: call.signal });
  // Most agents make no branch, and then the file tells all.
  if (/^[0-9a-f]{40,64}\n$/.test(noteIn(own, 'HEAD'))) return;
  if ((await git('symbolic-ref', '--quiet', 'HEAD')).exitCode !== 0) return;
  const head = await git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const at = head.exitCode === 0 ? head.stdout.toString('utf8').trim() : call.commit;
  await besideOthers(() => git('update-ref', '--no-deref', 'HEAD', at));
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
