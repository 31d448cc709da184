/**
 * `commitDirty`: saves the person's uncommitted work for `--include-dirty` as a commit on top of HEAD. No ref of the person points to
 * it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyGitIndex } from '../../platform/git/copy-git-index.ts';
import { expectGit, type GitSettings, guardedGit, lineOf } from '../../platform/git/git.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import type { GitCall } from '../../platform/git/start-git.ts';

interface DirtySpec extends Pick<GitCall, 'attributes' | 'cover' | 'home'> {
  readonly settings: GitSettings;
  readonly root: string;
  readonly head: string;
  readonly runId: string;
  /** The run's own folder, for a temporary index. */
  readonly state: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

export async function commitDirty(spec: DirtySpec): Promise<string> {
  await mkdir(spec.state, { recursive: true, mode: 0o700 });
  const index = join(spec.state, `dirty-${randomUUID()}`);
  const gitEnv = {
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: spec.author.name,
    GIT_AUTHOR_EMAIL: spec.author.email,
    GIT_COMMITTER_NAME: spec.author.name,
    GIT_COMMITTER_EMAIL: spec.author.email,
  };
  const { root: cwd, env, home, attributes, cover, settings, signal } = spec;
  const plain = { cwd, env, home, attributes, gitEnv, signal };
  const git = async (args: readonly string[], more: Pick<GitCall, 'input' | 'cover'> = {}) =>
    await guardedGit({ ...plain, args, ...more }, settings);
  try {
    const theirs = locateRepository(cwd)?.gitDir ?? join(cwd, '.git');
    await copyGitIndex(join(theirs, 'index'), index).catch(() => undefined);
    expectGit(await git(['add', '--all'], { cover }), 'collecting your uncommitted changes');
    const tree = lineOf(expectGit(await git(['write-tree']), 'saving your uncommitted changes'));
    const message = `Uncommitted changes at the start of run ${spec.runId}\n`;
    const commit = await git(['commit-tree', tree, '-p', spec.head], { input: message });
    return lineOf(expectGit(commit, 'saving your uncommitted changes'));
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
