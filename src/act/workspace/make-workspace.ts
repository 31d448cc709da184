/**
 * `makeWorkspace`: gives a run its workspace: a locked worktree at the base, or the person's own folder. All of it happens before the
 * agent starts, with the person's own conversions. The record is written last, so that a half-made workspace is made again.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFolder } from '../../platform/file/file-kind.ts';
import { counted } from '../../core/text/counted.ts';
import { expectGit, type GitSettings, guardedGit, lineOf } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { GitAttributes } from '../../platform/git/stand-in.ts';
import { rawUnder } from '../../platform/git/raw-path.ts';
import { ensureShadow } from '../../platform/git/shadow-git.ts';
import { addWorktree, removeWorktree, worktreeGitDir } from '../../platform/git/worktree.ts';
import { type Equipment, equipTree } from '../project/equip-tree.ts';
import { assertSetUp, isSetUp } from '../project/set-up.ts';
import { quarantinePath, runStatePath, shadowPath, workPath } from './home-layout.ts';
import { inspectRepository, type RepositoryFacts } from './inspect-repository.ts';
import {
  conversionSettings,
  filterCover,
  type PersonSettings,
  readPersonSettings,
} from './person-settings.ts';
import { keepPublished } from './published-commits.ts';
import { keepDigest } from './repository-changes.ts';
import { submodulesIn } from './submodules.ts';
import { keepSettings } from './kept-settings.ts';
import { takeBase } from '../checkpoint/take-base.ts';
import { findWorkspace, recordWorkspace, type Workspace } from './workspace.ts';
import { copyGitIndex } from '../../platform/git/copy-git-index.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import type { GitCall } from '../../platform/git/start-git.ts';

export interface WorkspaceSpec extends Equipment {
  readonly runId: string;
  readonly home: string;
  readonly cwd: string;
  readonly inPlace: boolean;
  readonly includeDirty: boolean;
}

const MAX_NAMED_DIRTY = 5;
const NOBODY = { name: 'Mayday', email: 'mayday@localhost' };

export async function makeWorkspace(spec: WorkspaceSpec): Promise<Workspace> {
  const known = await findWorkspace(spec);
  if (known !== null) return await revisit(spec, known);
  const facts = await inspectRepository(spec.cwd, { home: spec.home, signal: spec.signal });
  const kind = facts.kind === 'none' ? 'plain' : spec.inPlace ? 'in-place' : 'worktree';
  const shadow = shadowPath(spec.home, facts.commonDir ?? facts.root);
  await ensureShadow(shadow, spec.signal);
  const state = runStatePath(shadow, spec.runId);
  const path = kind === 'worktree' ? workPath(spec.home, spec.runId) : facts.root;
  const { root: repository, commonDir } = facts;
  const settings = await personSettings(facts, spec.signal);
  const baseCommit = await chooseBase(spec, facts, kind, state, settings);
  if (kind === 'worktree') await makeWorktree(spec, { ...settings, repository, commonDir, path, baseCommit });
  const equipped =
    kind === 'worktree'
      ? await equipTree({ ...spec, from: repository, to: path, isGit: true })
      : { setup: null, warnings: [], linked: [] };
  const links = equipped.linked.map((link) => `/${link}`).join('\n');
  const excludes = `${settings.excludes}\n${links}\n`;
  const baseTree = await takeBase(spec, { shadow, path, excludes, isGit: facts.kind === 'git' });
  const place = { runId: spec.runId, kind, path, repository, commonDir, shadow } as const;
  const workspace: Workspace = {
    version: 1,
    ...place,
    cwd: join(path, facts.prefix),
    baseCommit,
    includesDirty: baseCommit !== facts.head,
    baseTree,
    branch: facts.branch,
    configHash: await keepDigest(place, 'prepared', spec.signal),
    conversion: [...settings.conversion],
    attributes: settings.attributes,
    author: settings.author,
    warnings: [...baseWarnings(spec, await problemsIn(path, facts), kind), ...equipped.warnings],
    setup: equipped.setup,
  };
  mkdirSync(workspace.cwd, { recursive: true });
  await keepPublished(workspace, spec.signal);
  // Without a record it is made again.
  assertSetUp(workspace.setup);
  await keepSettings(state, settings.all);
  await recordWorkspace(spec.home, workspace);
  return workspace;
}

/** Returns the known workspace. Where its folder is gone (a crash, or the agent deleted it) or its set-up failed, it is equipped again. */
async function revisit(spec: WorkspaceSpec, known: Workspace): Promise<Workspace> {
  const isThere = isFolder(known.path);
  if (isThere && isSetUp(known.setup)) return known;
  if (known.kind !== 'worktree')
    throw new MaydayError('WORKSPACE_GONE', `the folder ${known.path} of run ${spec.runId} is gone`, [
      ['did', 'its checkpoints are safe in the shadow repository'],
      ['do', `make the folder again, then \`mayday restore ${spec.runId}\``],
    ]);
  if (!isThere) await makeWorktree(spec, known);
  const { setup } = await equipTree({ ...spec, from: known.repository, to: known.path, isGit: true });
  mkdirSync(known.cwd, { recursive: true });
  await recordWorkspace(spec.home, { ...known, setup });
  return { ...known, setup };
}

async function personSettings(
  { root, commonDir }: RepositoryFacts,
  signal: AbortSignal | undefined,
): Promise<PersonSettings> {
  if (commonDir === null) return NO_SETTINGS;
  return await readPersonSettings(root, commonDir, process.env, signal);
}

const NO_SETTINGS: PersonSettings = {
  all: [],
  conversion: [],
  attributes: { global: '', own: '' },
  author: null,
  excludes: '',
  excludesFile: '',
};

async function chooseBase(
  spec: WorkspaceSpec,
  facts: RepositoryFacts,
  kind: Workspace['kind'],
  state: string,
  settings: PersonSettings,
): Promise<string | null> {
  if (facts.head === null || kind !== 'worktree' || !spec.includeDirty || facts.dirty.length === 0)
    return facts.head;
  const { runId, home, signal } = spec;
  const { root, head } = facts;
  const author = settings.author ?? NOBODY;
  const converted = conversionOf(spec, settings, [state]);
  // Untracked files that the person ignores everywhere are not taken along.
  const ignored = ['core.excludesFile', settings.excludesFile] as const;
  const all = { ...converted, settings: [...converted.settings, ignored] };
  return await commitDirty({ ...all, root, head, runId, home, state, author, env: process.env, signal });
}

async function makeWorktree(
  spec: WorkspaceSpec,
  at: Pick<Workspace, 'repository' | 'commonDir' | 'path' | 'baseCommit'> & Conversion,
): Promise<void> {
  const { repository, path } = at;
  const { home, signal } = spec;
  const call = { repository, path, env: process.env, home, signal };
  const registered = worktreeGitDir(at.commonDir as string, path) !== null;
  // Without a record no agent has worked here: the folder should be a half-made checkout. It is moved, not deleted, to be safe.
  if (isFolder(path)) {
    mkdirSync(quarantinePath(spec.home), { recursive: true, mode: 0o700 });
    await rename(path, join(quarantinePath(spec.home), `${spec.runId}.half-made-${randomUUID()}`));
  }
  if (registered) await removeWorktree(call);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const how = conversionOf(spec, at, [path]);
  await addWorktree({ ...call, ...how, commit: at.baseCommit as string, reason: `mayday run ${spec.runId}` });
}

interface Conversion extends Pick<PersonSettings, 'conversion'> {
  readonly attributes?: GitAttributes | undefined;
}

/** Files become what they are in the person's own checkout; a filter finds of Mayday's folder only what it works on. */
function conversionOf(
  { home, runId }: WorkspaceSpec,
  { conversion, attributes }: Conversion,
  show: readonly string[],
) {
  const settings = conversionSettings({ conversion });
  return { settings, attributes, ...filterCover(settings, { home, runId, show }) };
}

/** Removes the warning about submodules where setup has filled all of them. */
async function problemsIn(path: string, facts: RepositoryFacts): Promise<RepositoryFacts> {
  if (!facts.problems.some(({ code }) => code === 'submodules')) return facts;
  const call = { cwd: path, env: process.env };
  const listing = await guardedGit({ args: ['ls-files', '-z', '--stage'], ...call });
  const folders = await Promise.all(
    submodulesIn(listing.stdout).map((module) => readdir(rawUnder(path, module)).catch(() => [])),
  );
  if (listing.exitCode !== 0 || folders.some((names) => names.length === 0)) return facts;
  return { ...facts, problems: facts.problems.filter(({ code }) => code !== 'submodules') };
}

function baseWarnings(spec: WorkspaceSpec, facts: RepositoryFacts, kind: Workspace['kind']): string[] {
  const warnings = facts.problems.map((problem) => problem.text);
  // The configuration is read from the checkout, so it is not left out.
  const dirty = facts.dirty.filter((path) => path !== 'mayday.yaml');
  const count = dirty.length;
  if (kind === 'worktree' && count > 0 && !spec.includeDirty) {
    const named = dirty.slice(0, MAX_NAMED_DIRTY).join(', ');
    const more = count > MAX_NAMED_DIRTY ? ', ...' : '';
    const changes = counted(count, 'uncommitted change is', 'uncommitted changes are');
    warnings.unshift(
      `${changes} left out (${named}${more}); --include-dirty takes ${count === 1 ? 'it' : 'them'} along.`,
    );
  }
  return warnings;
}

interface DirtySpec extends Pick<GitCall, 'attributes' | 'cover' | 'home'> {
  readonly settings: GitSettings;
  readonly root: string;
  readonly head: string;
  readonly runId: string;
  /** The run's own folder, for a temporary index. */
  readonly state: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** Saves the person's uncommitted work for `--include-dirty` as a commit on top of HEAD. No ref of the person points to it. */
async function commitDirty(spec: DirtySpec): Promise<string> {
  await mkdir(spec.state, { recursive: true, mode: 0o700 });
  const index = join(spec.state, `dirty-${randomUUID()}`);
  const gitEnv = {
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: spec.author.name,
    GIT_AUTHOR_EMAIL: spec.author.email,
    GIT_COMMITTER_NAME: spec.author.name,
    GIT_COMMITTER_EMAIL: spec.author.email,
  };
  const { root: cwd, env, home, attributes, cover, settings, signal } = spec;
  const plain = { cwd, env, home, attributes, gitEnv, signal };
  const git = async (args: readonly string[], more: Pick<GitCall, 'input' | 'cover'> = {}) =>
    await guardedGit({ ...plain, args, ...more }, settings);
  try {
    const theirs = locateRepository(cwd)?.gitDir ?? join(cwd, '.git');
    await copyGitIndex(join(theirs, 'index'), index).catch(() => undefined);
    expectGit(await git(['add', '--all'], { cover }), 'collecting your uncommitted changes');
    const tree = lineOf(expectGit(await git(['write-tree']), 'saving your uncommitted changes'));
    const message = `Uncommitted changes at the start of run ${spec.runId}\n`;
    const commit = await git(['commit-tree', tree, '-p', spec.head], { input: message });
    return lineOf(expectGit(commit, 'saving your uncommitted changes'));
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
