/** The work so far as a patch: of the live workspace where there is one, else of the last checkpoint. */
import { expectGit } from '../platform/git.ts';
import { shadowGit } from '../platform/shadow-git.ts';
import type { RunState } from '../core/run-state.ts';
import { openWorkspace } from './workspace/workspace.ts';

export async function diffWork(home: string, state: RunState, stat: boolean): Promise<string> {
  const { shadow, baseTree } = await openWorkspace({ home, runId: state.runId });
  const tree = state.checkpoints.findLast(({ state: kind }) => kind !== 'failed')?.tree ?? baseTree;
  const args = [
    'diff-tree',
    '-r',
    '--no-ext-diff',
    '--no-textconv',
    stat ? '--stat' : '--patch',
    baseTree,
    tree,
  ];
  return expectGit(await shadowGit(shadow, args), 'comparing the work with its base').stdout.toString();
}
