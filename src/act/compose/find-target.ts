/**
 * `findTarget`: finds the branch that the work is meant for: the branch of the sink, or the one that the person had checked out at the
 * start.
 */
import type { SinkSpec } from '../../core/vocabulary/task.ts';
import { openRepository, type Repository, tipOf } from '../deliver/repository-git.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Target {
  readonly name: string;
  readonly commit: string;
  readonly repository: Repository;
}

/** Null: there is no git, no branch was checked out, or the branch is gone. */
export async function findTarget(
  workspace: Workspace,
  sink: SinkSpec,
  signal: AbortSignal | undefined,
): Promise<Target | null> {
  const name = sink.type === 'merge' ? sink.branch : workspace.branch;
  const repository = await openRepository(workspace, signal);
  if (name === null || !('git' in repository)) return null;
  const commit = await tipOf(repository.git, `refs/heads/${name}`);
  return commit === null ? null : { name, commit, repository };
}
