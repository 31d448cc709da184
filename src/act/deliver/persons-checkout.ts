/** `isMerged`, `changedHereToo`: what the checkout of the person has of a delivered branch. They read only. */
import type { RunState } from '../../core/state/run-state.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { listSettings } from '../../platform/git/list-settings.ts';

/** Of more files only the first are looked at: it is a hint, git itself refuses the merge. */
const LOOKED_AT = 500;

/** Whether the delivered branch is part of what is checked out. */
export async function isMerged(
  { sink, delivered, repository }: RunState,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  if (sink.type !== 'branch' || delivered === null || delivered.ref === null) return false;
  const args = ['merge-base', '--is-ancestor', `refs/heads/${delivered.ref}`, 'HEAD'];
  const asked = await guardedGit({ args, cwd: repository, env }).catch(() => null);
  return asked?.exitCode === 0;
}

/** The delivered files that are changed and uncommitted there. None where the work is on no branch. */
export async function changedHereToo(
  { delivered, sink, repository, workspace }: RunState,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const isForMerge = sink.type === 'branch' && workspace?.includesDirty !== true;
  if (!isForMerge || delivered === null || delivered.ref === null || delivered.files.length === 0) return [];
  const paths = delivered.files.slice(0, LOOKED_AT).map((path) => `:(top,literal)${path}`);
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--', ...paths];
  const settings = (await listSettings(repository, env)).map(({ key, value }) => [key, value] as const);
  const { stdout, exitCode } = await guardedGit({ args, cwd: repository, env }, settings);
  return exitCode === 0 ? splitNul(stdout).map((line) => rawToText(line.slice(3))) : [];
}
