/**
 * `commitWork`: makes a commit of the work in the person's repository: the base commit plus the difference between the base snapshot and
 * the delivered tree. The person's own conversions (line endings, LFS) apply.
 */
import { join } from 'node:path';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { joinNul, rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { submoduleChanges } from '../compose/submodule-changes.ts';
import { isInSubmodule } from '../workspace/submodules.ts';
import { type TreeChange, treeChanges } from '../checkpoint/tree-changes.ts';
import { treePaths } from '../checkpoint/tree-entries.ts';
import { type ScratchSpec, type ScratchRepository, withScratchRepository } from './scratch-repository.ts';

interface WorkSpec extends ScratchSpec {
  readonly tree: string;
  readonly baseCommit: string;
  /** The parent of the new commit: the base, an earlier delivery of the same run, or a commit of the agent. */
  readonly parent: string;
  readonly message: string;
}

export interface CommittedWork {
  readonly commit: string;
  /** The tree of the commit, in the person's repository. */
  readonly tree: string;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

export async function commitWork(spec: WorkSpec): Promise<CommittedWork> {
  const { shadow, baseTree } = spec.workspace;
  return await withScratchRepository(spec, async (scratch) => {
    const { git } = scratch;
    const [{ moves, foreign }, all, attributes] = await Promise.all([
      submoduleChanges({ ...spec.workspace, baseCommit: spec.baseCommit }, spec.tree, spec),
      treeChanges(shadow, baseTree, spec.tree, spec.signal),
      readCandidate(scratch, spec),
      git(['read-tree', spec.baseCommit]),
    ]);
    const moved = [...moves.keys()];
    const changes = all.filter(({ rawPath }) => !foreign.has(rawPath) && !isInSubmodule(rawPath, moved));
    await stage(scratch, spec, changes, attributes);
    await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      input: joinNul(changes.map((change) => change.rawPath)),
      converts: true,
    });
    const links = joinNul([...moves].map(([rawPath, commit]) => `160000 ${commit}\t${rawPath}`));
    if (moves.size > 0) await git(['update-index', '-z', '--index-info'], { input: links });
    const tree = lineOf(await git(['write-tree']));
    const made = await git(['commit-tree', tree, '-p', spec.parent], { input: spec.message });
    return {
      commit: lineOf(made),
      tree,
      files: [...changes.map(({ rawPath }) => rawPath), ...moved].map(rawToText),
      // The gate asks about them. They come here only where the person chose to deliver as it is.
      warnings: [...foreign].map(
        (path) => `${rawToText(path)} lies in a submodule and is not delivered; it is in the checkpoint.`,
      ),
    };
  });
}

/** Makes an index of the tree to deliver, and returns the paths of its .gitattributes files. */
async function readCandidate(scratch: ScratchRepository, spec: WorkSpec): Promise<readonly string[]> {
  const { shadow } = spec.workspace;
  const call = candidateCall(scratch, spec);
  const [paths, read] = await Promise.all([
    treePaths(shadow, spec.tree, spec.signal),
    shadowGit(shadow, ['read-tree', spec.tree], call),
  ]);
  expectGit(read, 'reading the tree to deliver');
  return paths.filter((path) => /(?:^|\/)\.gitattributes$/.test(path));
}

function candidateCall({ files, folder }: ScratchRepository, { signal }: WorkSpec) {
  return { workTree: files, indexFile: join(folder, 'shadow-index'), signal };
}

/** Writes the changed files, and the .gitattributes files, to a folder in which git converts them. */
async function stage(
  scratch: ScratchRepository,
  spec: WorkSpec,
  changes: readonly TreeChange[],
  attributes: readonly string[],
): Promise<void> {
  const present = changes.filter((change) => change.type !== 'deleted').map((change) => change.rawPath);
  const written = await shadowGit(spec.workspace.shadow, ['checkout-index', '-z', '--stdin'], {
    ...candidateCall(scratch, spec),
    input: joinNul([...new Set([...present, ...attributes])]),
  });
  expectGit(written, 'writing the files to deliver');
}
