/**
 * `submoduleChanges`: tells the changes inside submodules apart. They belong to another repository: a commit of this one can hold only that
 * a submodule moved, as a whole, to another commit of its own. `proofOfMoves`: puts each such submodule in the place of its files.
 */
import type { FileProof } from '../../core/vocabulary/proof.ts';
import type { SinkSpec } from '../../core/vocabulary/task.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { folderTree } from '../checkpoint/tree-entries.ts';
import { treeChanges } from '../checkpoint/tree-changes.ts';
import { publishedCommit } from '../workspace/published-commits.ts';
import { isInSubmodule, submodulesOf } from '../workspace/submodules.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface SubmoduleChanges {
  /** Raw paths of submodules, and the published commit that holds exactly what is in the tree. */
  readonly moves: ReadonlyMap<string, string>;
  /** Raw paths of all other changed files inside submodules. */
  readonly foreign: ReadonlySet<string>;
}

/** None where the sink makes no commit of this repository. */
export async function submoduleChanges(
  workspace: Workspace,
  tree: string,
  { sink, signal }: { readonly sink?: SinkSpec; readonly signal?: AbortSignal | undefined },
): Promise<SubmoduleChanges> {
  const { commonDir, baseCommit, baseTree, shadow } = workspace;
  const moves = new Map<string, string>();
  const foreign = new Set<string>();
  const changes = await treeChanges(shadow, baseTree, tree, signal);
  const isCommit = sink?.type !== 'none' && sink?.type !== 'directory' && changes.length > 0;
  if (!isCommit || commonDir === null || baseCommit === null) return { moves, foreign };
  for (const module of await submodulesOf(commonDir, baseCommit, signal)) {
    const inside = changes.filter(({ rawPath }) => isInSubmodule(rawPath, [module]));
    const folder = inside.length === 0 ? null : await folderTree(shadow, tree, module, signal);
    const commit = folder && (await publishedCommit(workspace, module, folder, signal));
    if (commit) moves.set(module, commit);
    else for (const { rawPath } of inside) foreign.add(rawPath);
  }
  return { moves, foreign };
}

/** Least proven first. */
const STANDINGS = ['judge', 'unread', 'not_observed', 'read'] as const;

export function proofOfMoves(proof: readonly FileProof[], moves: SubmoduleChanges['moves']): FileProof[] {
  const paths = [...moves.keys()].map(rawToText);
  const sorted = STANDINGS.flatMap((standing) => proof.filter((file) => file.standing === standing));
  const moved = paths.flatMap((path) => {
    const least = sorted.find((file) => isInSubmodule(file.path, [path]));
    return least === undefined ? [] : [{ ...least, path }];
  });
  return [...proof.filter(({ path }) => !isInSubmodule(path, paths)), ...moved];
}
