/** `assertSink`: refuses, before the run begins, a sink that could do harm or that can never be written. */
import { forbiddenPlace } from '../../act/deliver/forbidden-place.ts';
import { ownBranch, type SinkSpec } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { listWorktrees } from '../../platform/git/worktree.ts';

const NOT_STARTED = ['did', 'the run was not started and nothing was changed'] as const;

export async function assertSink(
  sink: SinkSpec,
  {
    repository,
    isGit,
    runId,
  }: { readonly repository: string; readonly isGit: boolean; readonly runId: string },
): Promise<void> {
  if (sink.type === 'directory' || sink.type === 'patch') {
    const path = sink.type === 'directory' ? sink.path : sink.file;
    const why = await forbiddenPlace(path, { confinedTo: sink.confined === true ? repository : null });
    if (why === null) return;
    throw usageError('SINK_REFUSED', `no work may go there: ${why}`, [
      ['do', 'name another place on the command line: --sink dir:PATH or --sink patch:FILE'],
      NOT_STARTED,
    ]);
  }
  if (sink.type !== 'branch' || !isGit || sink.name === ownBranch(runId)) return;
  const worktrees = listWorktrees({ repository });
  const holder = worktrees.find(({ branch }) => branch === `refs/heads/${sink.name}`);
  if (holder === undefined) return;
  throw usageError('BRANCH_IN_USE', `branch ${sink.name} is checked out at ${holder.path}`, [
    ['do', `deliver to a branch of its own and merge it, or --sink merge:${sink.name}`],
    NOT_STARTED,
  ]);
}
