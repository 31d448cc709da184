/**
 * `ignoredEntries`: lists what the project ignores in a workspace, by the rules of the shadow repository. An ignored folder is one
 * entry.
 */
import { join } from 'node:path';
import { expectGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { runStatePath } from './home-layout.ts';
import type { Workspace } from './workspace.ts';

/** Returns raw paths below `path`, the present place of the workspace. */
export async function ignoredEntries(
  workspace: Workspace,
  path: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const state = runStatePath(workspace.shadow, workspace.runId);
  const listing = await shadowGit(
    workspace.shadow,
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    {
      workTree: path,
      indexFile: join(state, 'index'),
      config: [`core.excludesFile=${join(state, 'exclude')}`],
      signal,
    },
  );
  return splitNul(expectGit(listing, 'listing ignored files').stdout)
    .map((entry) => entry.replace(/\/$/, ''))
    .filter((rawPath) => rawPath !== '.git');
}
