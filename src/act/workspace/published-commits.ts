/**
 * `keepPublished`, `publishedCommit`: know the published commits of submodules, and the tree of each: those in a remote-tracking branch or
 * a tag of the submodule before an agent worked. An agent can write the submodule's repository: from then on nothing there counts.
 * `hashedTree`: the tree of a commit in any repository, which counts because the content of the commit has its id.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { realOrSame } from '../../platform/file/inside.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { guardedGit, lineOf } from '../../platform/git/git.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import { rawUnder } from '../../platform/git/raw-path.ts';
import { runStatePath } from './home-layout.ts';
import { submodulesOf } from './submodules.ts';
import type { Workspace } from './workspace.ts';

/** By the raw path of the submodule, lines of a commit and its tree. */
const Published = z.record(z.string(), z.string());
/** What is older is asked about. */
const MAX_COMMITS = 10_000;
const LIST = ['rev-list', '--no-commit-header', '--format=%H %T', `--max-count=${MAX_COMMITS}`];

/** A submodule that is not filled has nothing published. */
export async function keepPublished(workspace: Workspace, signal?: AbortSignal): Promise<void> {
  const { path, commonDir, baseCommit } = workspace;
  if (commonDir === null || baseCommit === null || !existsSync(join(path, '.gitmodules'))) return;
  const published: z.infer<typeof Published> = {};
  for (const module of await submodulesOf(commonDir, baseCommit, signal)) {
    const folder = folderOf(path, module);
    if (locateRepository(folder)?.workTree === realOrSame(folder))
      published[module] = lineOf(await gitAt(folder, [...LIST, '--remotes', '--tags'], signal));
  }
  await writeFileDurably(keptAt(workspace), JSON.stringify(published));
}

/** The commit that the submodule's HEAD names, where it was published and holds exactly this tree; else null. */
export async function publishedCommit(
  workspace: Workspace,
  module: string,
  tree: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const published = readState(Published, keptAt(workspace))?.[module]?.split('\n') ?? [];
  const commit = lineOf(
    await gitAt(folderOf(workspace.path, module), ['rev-parse', '--verify', 'HEAD'], signal),
  );
  return published.includes(`${commit} ${tree}`) ? commit : null;
}

export async function hashedTree(folder: string, commit: string, signal?: AbortSignal) {
  const { stdout } = await gitAt(folder, ['cat-file', 'commit', commit], signal);
  const hash = createHash(commit.length === 64 ? 'sha256' : 'sha1').update(`commit ${stdout.length}\0`);
  if (hash.update(stdout).digest('hex') !== commit) return null;
  return /^tree ([0-9a-f]+)\n/.exec(stdout.toString('latin1'))?.[1] ?? null;
}

export function folderOf(path: string, module: string): string {
  return rawUnder(path, module).toString('utf8');
}

async function gitAt(folder: string, args: readonly string[], signal?: AbortSignal) {
  const gitEnv = { GIT_DIR: locateRepository(folder)?.gitDir ?? folder, GIT_NO_REPLACE_OBJECTS: '1' };
  return await guardedGit({ args, cwd: '/', env: process.env, gitEnv, signal });
}

function keptAt({ shadow, runId }: Workspace): string {
  return join(runStatePath(shadow, runId), 'published.json');
}
