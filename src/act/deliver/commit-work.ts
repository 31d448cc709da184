/**
 * `commitWork`: makes a commit of the work in the person's repository: the base commit plus the difference between the base snapshot and
 * the delivered tree. The person's own conversions (line endings, LFS) apply. `writeAsDelivered`: writes what a checkout of it will hold.
 */
import { join } from 'node:path';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { joinNul, rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { submoduleChanges } from '../compose/submodule-changes.ts';
import { conversionSettings } from '../workspace/person-settings.ts';
import { isInSubmodule } from '../workspace/submodules.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type TreeChange, treeChanges } from '../checkpoint/tree-changes.ts';
import { treePaths } from '../checkpoint/tree-entries.ts';
import { type ScratchSpec, type ScratchRepository, withScratchRepository } from './scratch-repository.ts';

type IndexedSpec = Omit<ScratchSpec, 'at'> & { readonly tree: string; readonly baseCommit: string };

interface WorkSpec extends ScratchSpec, IndexedSpec {
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
  return await withScratchRepository(spec, async (scratch) => {
    const { git } = scratch;
    const { changes, moves, foreign } = await indexWork(scratch, spec);
    const links = joinNul([...moves].map(([rawPath, commit]) => `160000 ${commit}\t${rawPath}`));
    if (moves.size > 0) await git(['update-index', '-z', '--index-info'], { input: links });
    const tree = lineOf(await git(['write-tree']));
    const made = await git(['commit-tree', tree, '-p', spec.parent], { input: spec.message });
    return {
      commit: lineOf(made),
      tree,
      files: [...changes.map(({ rawPath }) => rawPath), ...moves.keys()].map(rawToText),
      // The gate asks about them. They come here only where the person chose to deliver as it is.
      warnings: [...foreign].map(
        (path) => `${rawToText(path)} lies in a submodule and is not delivered; it is in the checkpoint.`,
      ),
    };
  });
}

/** The index of the scratch repository holds the work then, as git converts it. */
async function indexWork(scratch: ScratchRepository, spec: IndexedSpec) {
  const { shadow, baseTree } = spec.workspace;
  const [{ moves, foreign }, all, attributes] = await Promise.all([
    submoduleChanges({ ...spec.workspace, baseCommit: spec.baseCommit }, spec.tree, spec),
    treeChanges(shadow, baseTree, spec.tree, spec.signal),
    readCandidate(scratch, spec),
    scratch.git(['read-tree', spec.baseCommit]),
  ]);
  const moved = [...moves.keys()];
  const changes = all.filter(({ rawPath }) => !foreign.has(rawPath) && !isInSubmodule(rawPath, moved));
  await stage(scratch, spec, changes, attributes);
  await scratch.git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
    input: joinNul(changes.map((change) => change.rawPath)),
    converts: true,
  });
  return { changes, moves, foreign };
}

/**
 * Gives the changed files of a check tree what a checkout of the delivery will give them: git converts line ends, `$Id$`, encodings and
 * modes, and a check must pass on what comes of it.
 */
export async function writeAsDelivered(spec: IndexedSpec, checkTree: string): Promise<void> {
  const paths = await treePaths(spec.workspace.shadow, spec.tree, spec.signal);
  if (!canConvert(spec.workspace, paths)) return;
  await withScratchRepository({ ...spec, at: 0 }, async (scratch) => {
    const { changes } = await indexWork(scratch, spec);
    const present = changes.filter(({ type }) => type !== 'deleted').map(({ rawPath }) => rawPath);
    if (present.length === 0) return;
    const input = joinNul(present);
    const args = ['checkout-index', '--force', `--prefix=${join(checkTree, '/')}`, '-z', '--stdin'];
    await scratch.git(args, { input, converts: true });
  });
}

function canConvert(workspace: Workspace, rawPaths: readonly string[]): boolean {
  const { global = '', own = '' } = workspace.attributes ?? {};
  const settings = conversionSettings(workspace).filter(([key]) => !key.startsWith('filter.'));
  return (
    `${global}${own}`.trim() !== '' ||
    settings.some(([key, value]) => value !== PLAIN[key.toLowerCase()]) ||
    rawPaths.some((path) => ATTRIBUTES.test(path))
  );
}

/** Settings by which nothing is converted. */
const PLAIN: Readonly<Record<string, string>> = {
  'core.filemode': 'true',
  'core.symlinks': 'true',
  'core.autocrlf': 'false',
  'core.ignorecase': 'false',
  'core.safecrlf': 'false',
  'core.precomposeunicode': 'false',
};
const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

/** Makes an index of the tree to deliver, and returns the paths of its .gitattributes files. */
async function readCandidate(scratch: ScratchRepository, spec: IndexedSpec): Promise<readonly string[]> {
  const { shadow } = spec.workspace;
  const call = candidateCall(scratch, spec);
  const [paths, read] = await Promise.all([
    treePaths(shadow, spec.tree, spec.signal),
    shadowGit(shadow, ['read-tree', spec.tree], call),
  ]);
  expectGit(read, 'reading the tree to deliver');
  return paths.filter((path) => ATTRIBUTES.test(path));
}

function candidateCall({ files, folder }: ScratchRepository, { signal }: IndexedSpec) {
  return { workTree: files, indexFile: join(folder, 'shadow-index'), signal };
}

/** Writes the changed files, and the .gitattributes files, to a folder in which git converts them. */
async function stage(
  scratch: ScratchRepository,
  spec: IndexedSpec,
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
