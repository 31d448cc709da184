/**
 * `unjudgedPath`: looks for content in the agent's own commits that no gate judged. Where these commits are delivered, every version in
 * them is delivered too.
 */
import { expectGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { commitWork } from './commit-work.ts';
import { gitIn } from './repository-git.ts';

interface History {
  /** The agent's last commit. */
  readonly head: string;
  /** The shadow tree that was judged. */
  readonly tree: string;
  /** The date of the commit that the history is compared with. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/** A path whose version in some commit is neither that of the base nor that of the judged tree; null: there is none. */
export async function unjudgedPath(
  workspace: Workspace,
  { head, tree, at, signal }: History,
): Promise<string | null> {
  const commonDir = workspace.commonDir as string;
  const baseCommit = workspace.baseCommit as string;
  const git = async (...args: string[]) =>
    expectGit(await gitIn(commonDir, signal)(...args), "reading the agent's commits").stdout;
  const changes = async (commit: string) =>
    entriesOf(await git('diff-tree', '-r', '-z', '--no-renames', baseCommit, commit));
  const spec = { workspace, tree, baseCommit, parent: baseCommit, message: '', at, signal };
  const judged = await changes((await commitWork(spec)).commit);
  const commits = (await git('rev-list', `${baseCommit}..${head}`)).toString('utf8').split('\n');
  for (const commit of commits.filter(Boolean))
    for (const [path, version] of await changes(commit))
      if (judged.get(path) !== version) return rawToText(path);
  return null;
}

/** Maps each path to its mode and object after the change. */
function entriesOf(raw: Buffer): Map<string, string> {
  const words = splitNul(raw);
  const entries = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, mode = '', , object = ''] = (words[at] as string).split(' ');
    entries.set(words[at + 1] as string, `${mode} ${object}`);
  }
  return entries;
}
