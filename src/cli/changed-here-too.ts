/** `changedHereToo`: the delivered files that the person's checkout also holds changed and uncommitted, as a line to print. */
import { localFilterGuards } from '../act/workspace/local-filter-guards.ts';
import type { RunState } from '../core/state/run-state.ts';
import { guardedGit } from '../platform/git/git.ts';
import { rawToText, splitNul } from '../platform/git/raw-path.ts';
import { plain } from './render/plain.ts';

/** Of more files only the first are looked at: the line is a hint, git itself refuses the merge. */
const LOOKED_AT = 500;
const NAMED = 3;

/** Nothing where the work is on no branch, or git can merge it. */
export async function changedHereToo(
  { delivered, sink, repository, workspace }: RunState,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const isForMerge = sink.type === 'branch' && workspace?.includesDirty !== true;
  if (!isForMerge || delivered === null || delivered.ref === null || delivered.files.length === 0) return [];
  const paths = delivered.files.slice(0, LOOKED_AT).map((path) => `:(top,literal)${path}`);
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--', ...paths];
  const guards = await localFilterGuards(repository, env);
  const { stdout, exitCode } = await guardedGit({ args, cwd: repository, env }, guards);
  if (exitCode !== 0) return [];
  const names = splitNul(stdout).map((line) => rawToText(line.slice(3)));
  if (names.length === 0) return [];
  const named = names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', ...' : '');
  const [is, it] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `           before you merge: ${plain(named)} ${is} changed in your checkout too; commit ${it}, or put ${it} aside`,
  ];
}
