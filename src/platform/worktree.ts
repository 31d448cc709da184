/** Git worktrees: made with the person's own configuration, locked while in use, moved and removed without it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expectGit, type GitResult, guardedGit, personGit } from './git.ts';

interface WorktreeCall {
  /** Any checkout of the repository, or its git directory. */
  readonly repository: string;
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** Another worktree of the same repository that is being made or removed at this moment: git dies on its half-written files. */
const HALF_MADE = /worktrees\/[^/\s]+\/(?:commondir|gitdir|HEAD|locked)|\.lock'|cannot lock/;
const TRIES = 10;
const PAUSE_MS = 100;

async function besideOthers(run: () => Promise<GitResult>): Promise<GitResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await run();
    if (result.exitCode === 0 || tries >= TRIES || !HALF_MADE.test(result.stderr)) return result;
    await pause(PAUSE_MS);
  }
}

export async function addWorktree(
  call: WorktreeCall & { readonly commit: string; readonly reason: string },
): Promise<void> {
  const args = ['worktree', 'add', '--quiet', '--detach', '--lock', '--reason', call.reason, '--'];
  const made = await besideOthers(() =>
    personGit({
      args: [...args, call.path, call.commit],
      cwd: call.repository,
      env: call.env,
      signal: call.signal,
    }),
  );
  expectGit(made, `making the worktree ${call.path}`);
}

export interface WorktreeEntry {
  readonly path: string;
  readonly head: string | null;
  readonly branch: string | null;
  readonly locked: string | null;
}

export async function listWorktrees(call: Omit<WorktreeCall, 'path'>): Promise<WorktreeEntry[]> {
  const listing = await besideOthers(() =>
    guardedGit({
      args: ['worktree', 'list', '--porcelain', '-z'],
      cwd: call.repository,
      env: call.env,
      signal: call.signal,
    }),
  );
  if (listing.exitCode !== 0) return [];
  return listing.stdout
    .toString('utf8')
    .split('\0\0')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const lines = block.split('\0');
      const value = (name: string) =>
        lines.find((line) => line === name || line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
      return {
        path: value('worktree') ?? '',
        head: value('HEAD'),
        branch: value('branch'),
        locked: value('locked'),
      };
    });
}

/** Moves a locked worktree and keeps it locked; the repository goes on knowing it. */
export async function moveWorktree(call: WorktreeCall & { readonly to: string }): Promise<GitResult> {
  return await besideOthers(() =>
    guardedGit({
      args: ['worktree', 'move', '--force', '--force', '--', call.path, call.to],
      cwd: call.repository,
      env: call.env,
      signal: call.signal,
    }),
  );
}

/**
 * Removes one worktree by its path, and only that (`prune` would also take the person's own that are on an unplugged
 * disk). The caller has verified that its content is saved.
 */
export async function removeWorktree(call: WorktreeCall): Promise<GitResult> {
  return await besideOthers(() =>
    guardedGit({
      args: ['worktree', 'remove', '--force', '--force', '--', call.path],
      cwd: call.repository,
      env: call.env,
      signal: call.signal,
    }),
  );
}
