/**
 * A run's work as a commit in the person's repository: the base commit plus what differs between the base snapshot and
 * the delivered tree. Contents pass the person's own conversions (line endings, LFS) with the settings recorded before the
 * agent started; nothing that the repository's configuration says now is read.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expectGit, lineOf, runGit, settingsEnvironment } from '../../platform/git.ts';
import { joinNul, rawToText, splitNul } from '../../platform/raw-path.ts';
import { shadowEnvironment, shadowGit } from '../../platform/shadow-git.ts';
import { runStatePath } from '../workspace/home-layout.ts';
import { type TreeChange, treeChanges } from '../workspace/tree-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface WorkSpec {
  readonly workspace: Workspace;
  readonly tree: string;
  readonly baseTree: string;
  readonly baseCommit: string;
  /** First parent of the new commit: the base, or an earlier delivery of the same run. */
  readonly parent: string;
  readonly message: string;
  /** Milliseconds since the epoch; the same for every look at one delivery. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommittedWork {
  readonly commit: string;
  /** Tree of the commit, in the person's repository. */
  readonly tree: string;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

export async function commitWork(spec: WorkSpec): Promise<CommittedWork> {
  const { shadow } = spec.workspace;
  const state = runStatePath(shadow, spec.workspace.runId);
  await mkdir(state, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(state, 'deliver-'));
  try {
    const git = await openScratch(scratch, spec);
    await git(['read-tree', spec.baseCommit]);
    const all = await treeChanges(shadow, spec.baseTree, spec.tree, spec.signal);
    const { changes, warnings } = withoutSubmodules(all, await submodulesOf(git));
    await stage(scratch, spec, changes);
    await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
      input: joinNul(changes.map((change) => change.rawPath)),
    });
    const tree = lineOf(await git(['write-tree']));
    const made = await git(['commit-tree', tree, '-p', spec.parent], { input: spec.message });
    return {
      commit: lineOf(made),
      tree,
      files: changes.map((change) => rawToText(change.rawPath)),
      warnings,
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

type ScratchGit = (
  args: readonly string[],
  call?: { readonly input?: Buffer | string },
) => Promise<Awaited<ReturnType<typeof runGit>>>;

/** A git directory of our own whose objects are the person's. */
async function openScratch(scratch: string, spec: WorkSpec): Promise<ScratchGit> {
  const { workspace, signal } = spec;
  const gitDir = join(scratch, 'git');
  const files = join(scratch, 'files');
  await mkdir(files);
  const format = spec.baseCommit.length === 64 ? 'sha256' : 'sha1';
  const init = await runGit({
    args: ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, gitDir],
    cwd: scratch,
    env: shadowEnvironment(),
    signal,
  });
  expectGit(init, 'preparing the delivery');
  const { name, email } = workspace.author ?? { name: 'Mayday', email: 'mayday@localhost' };
  const date = `${Math.floor(spec.at / 1000)} +0000`;
  const settings = workspace.conversion.map((entry) => {
    const at = entry.indexOf('\n');
    return at === -1 ? ([entry, 'true'] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
  });
  const env = {
    ...shadowEnvironment(),
    // Filters are the person's programs and may need their home.
    HOME: process.env['HOME'] ?? '/nonexistent',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(scratch, 'index'),
    GIT_OBJECT_DIRECTORY: join(workspace.commonDir as string, 'objects'),
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
    ...settingsEnvironment([
      ...settings,
      ['core.hooksPath', '/dev/null'],
      ['core.fsmonitor', 'false'],
      // A warning about line endings is no reason to lose a delivery.
      ['core.safecrlf', 'false'],
      ['core.fsync', 'all'],
      ['core.fsyncMethod', 'batch'],
    ]),
  };
  return async (args, call = {}) => {
    const result = await runGit({ args, cwd: files, env, ...call, signal });
    return expectGit(result, `writing the delivery (git ${args[0]})`);
  };
}

/** Puts the changed files, and the attributes that apply to them, where git can convert them. */
async function stage(scratch: string, spec: WorkSpec, changes: readonly TreeChange[]): Promise<void> {
  const { shadow } = spec.workspace;
  const call = {
    workTree: join(scratch, 'files'),
    indexFile: join(scratch, 'shadow-index'),
    signal: spec.signal,
  };
  expectGit(await shadowGit(shadow, ['read-tree', spec.tree], call), 'reading the tree to deliver');
  const listing = await shadowGit(shadow, ['ls-files', '-z'], call);
  const attributes = splitNul(listing.stdout).filter((path) => /(?:^|\/)\.gitattributes$/.test(path));
  const present = changes.filter((change) => change.type !== 'deleted').map((change) => change.rawPath);
  const written = await shadowGit(shadow, ['checkout-index', '-z', '--stdin'], {
    ...call,
    input: joinNul([...new Set([...present, ...attributes])]),
  });
  expectGit(written, 'writing the files to deliver');
}

async function submodulesOf(git: ScratchGit): Promise<string[]> {
  return splitNul((await git(['ls-files', '-z', '--stage'])).stdout)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

/** A change inside a submodule belongs to another repository; a commit here cannot hold it. */
function withoutSubmodules(
  changes: readonly TreeChange[],
  submodules: readonly string[],
): { readonly changes: readonly TreeChange[]; readonly warnings: readonly string[] } {
  const inside = (path: string) => submodules.some((module) => path.startsWith(`${module}/`));
  const left = changes.filter((change) => inside(change.rawPath));
  return {
    changes: changes.filter((change) => !inside(change.rawPath)),
    warnings: left.map(
      ({ rawPath }) =>
        `${rawToText(rawPath)} lies in a submodule and is not delivered; it is in the checkpoint.`,
    ),
  };
}
