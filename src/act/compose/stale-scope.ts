/** `staleScope`: finds the entries of a scope that named a file when the scope was written and name none in the base. */
import type { Task } from '../../core/vocabulary/task.ts';
import { guardedGit } from '../../platform/git/git.ts';
import type { Workspace } from '../workspace/workspace.ts';

export async function staleScope(
  { commonDir, baseCommit }: Workspace,
  { scope, scopeAt }: Task,
  signal: AbortSignal,
): Promise<string[]> {
  if (commonDir === null || baseCommit === null || scopeAt === undefined) return [];
  const has = async (commit: string, path: string): Promise<boolean> => {
    const args = ['cat-file', '-e', `${commit}:${path}`];
    const found = await guardedGit({
      args,
      cwd: commonDir,
      env: process.env,
      gitEnv: { GIT_DIR: commonDir },
      signal,
    });
    return found.exitCode === 0;
  };
  const stale: string[] = [];
  for (const glob of scope) {
    const path = fixedPath(glob);
    if (path !== '' && (await has(scopeAt, path)) && !(await has(baseCommit, path))) stale.push(glob);
  }
  return stale;
}

/** The part of the entry before its first wildcard: a file or folder. */
function fixedPath(glob: string): string {
  const plain = glob.replace(/^\.\//, '');
  const wild = plain.search(/[*?{]/);
  return (wild === -1 ? plain : plain.slice(0, Math.max(0, plain.lastIndexOf('/', wild)))).replace(/\/$/, '');
}
