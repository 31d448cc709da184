/** What the project ignores in a workspace, folders as one entry, by the shadow repository's own rules. */
import { join } from 'node:path';
import { expectGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { runStatePath } from './home-layout.ts';
import type { Workspace } from './workspace.ts';

/** Raw paths below `path`, where the workspace lies now. */
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
