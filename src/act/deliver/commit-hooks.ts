/**
 * `commitHooks`: names the hooks that the person's own `git commit` (or push) would run. A delivery runs none of them, and the person is
 * told so.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { guardedGit } from '../../platform/git/git.ts';
import type { Workspace } from '../workspace/workspace.ts';

const ON_COMMIT = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const ON_PUSH = ['pre-push'];

export async function commitHooks(
  { commonDir, repository }: Workspace,
  { isPushed }: { readonly isPushed: boolean },
  signal?: AbortSignal,
): Promise<string[]> {
  if (commonDir === null) return [];
  const set = await guardedGit({
    args: ['config', '--local', '--get', 'core.hooksPath'],
    cwd: repository,
    env: process.env,
    signal,
  });
  const path = set.stdout.toString('utf8').trim();
  const folder = set.exitCode === 0 && path !== '' ? resolve(repository, path) : join(commonDir, 'hooks');
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of [...ON_COMMIT, ...(isPushed ? ON_PUSH : [])])
    if (names.includes(name) && (await isMeant(folder, name))) found.push(name);
  return found;
}

async function isMeant(folder: string, name: string): Promise<boolean> {
  // Husky sets `core.hooksPath` to a folder `_` with a wrapper for every hook; the project's own hooks are in the folder above.
  if (basename(folder) === '_')
    return (await stat(join(dirname(folder), name)).catch(() => null))?.isFile() === true;
  return (((await stat(join(folder, name)).catch(() => null))?.mode ?? 0) & 0o111) !== 0;
}
