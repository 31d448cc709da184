/**
 * `findTarget`: finds the branch that the work is meant for: the branch of the sink, or the one that the person had checked out at the
 * start.
 */
import type { SinkSpec } from '../../core/vocabulary/task.ts';
import { openRepository, type Repository } from '../deliver/repository-git.ts';
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
  if (name === null) return null;
  const repository = await openRepository(workspace, signal, `refs/heads/${name}`);
  if (!('git' in repository) || repository.tip === null) return null;
  return { name, commit: repository.tip, repository };
}
