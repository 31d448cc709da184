/** `parseSink`: turns the text of `--sink` into data. `assertSink`: refuses one that the repository or the agent cannot use. */
import { resolve } from 'node:path';
import { isBranchName, ownBranch, type SinkSpec } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { forbiddenPlace } from '../../act/deliver/forbidden-place.ts';
import { listWorktrees } from '../../platform/git/worktree.ts';

/**
 * `from`: where relative paths begin. `named`: a person typed it; a sink that only a file names must stay in the repository.
 * `what`: how an error names it.
 */
export function parseSink(text: string, runId: string, from: string, named: boolean, what: string): SinkSpec {
  const place = named ? {} : ({ confined: true } as const);
  const [kind, rest] = split(text);
  switch (kind) {
    case 'none':
      return { type: 'none' };
    case 'pr':
      return { type: 'pull_request' };
    case 'branch':
      if (text === 'branch') return { type: 'branch', name: `mayday/${runId}` };
      if (rest !== '') return { type: 'branch', name: branchName(rest) };
      break;
    case 'merge':
      if (rest !== '') return { type: 'merge', branch: branchName(rest) };
      break;
    case 'dir':
      if (rest !== '') return { type: 'directory', path: resolve(from, rest), ...place };
      break;
    case 'patch':
      if (rest !== '') return { type: 'patch', file: resolve(from, rest), ...place };
      break;
    default:
  }
  throw usageError('WRONG_SINK', `${what} names no sink`, [
    ['do', 'branch:NAME, none, dir:PATH, patch:FILE, merge:BRANCH or pr'],
  ]);
}

function split(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** A first check. Git checks the name again when the branch is made. */
function branchName(name: string): string {
  if (!isBranchName(name))
    throw usageError('WRONG_BRANCH', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a branch`, [
      ['do', 'letters, digits, dots, dashes and single slashes always serve, e.g. --sink branch:fix/login'],
    ]);
  return name;
}

const NOT_STARTED = ['did', 'the run was not started and nothing was changed'] as const;

/** Refuses, before the run begins, a sink that could do harm or that can never be written. */
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
