/**
 * `prepareCheckTree`: prepares the tree in which Mayday runs checks: a folder of its own, never the agent's. Every use begins with the
 * candidate and what setup installed, and nothing else. Dependencies stay between uses as long as their seal holds; other files that an
 * agent or an earlier check left are deleted. A broken seal or a changed manifest starts again with an empty folder. States: absent ->
 * filled (files right) -> ready (marker names tree and manifests, seal beside it). After a crash it starts again.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably, writeFileWhole } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { expectGit } from '../../platform/git/git.ts';
import { runGit } from '../../platform/git/start-git.ts';
import { makeGitFolder } from '../../platform/git/make-git-folder.ts';
import { giveTo } from '../../platform/process/agent-user.ts';
import { joinNul, rawToText } from '../../platform/git/raw-path.ts';
import { shadowEnvironment, shadowGit } from '../../platform/git/shadow-git.ts';
import { type Equipment, equipTree } from '../project/equip-tree.ts';
import { assertSetUp, isInstaller, isSetUp } from '../project/set-up.ts';
import { checkPath, runStatePath } from '../workspace/home-layout.ts';
import { openWorkspace, type SetupOutcome, type Workspace } from '../workspace/workspace.ts';
import { treeChanges } from '../checkpoint/tree-changes.ts';
import { pathOfEntry, treeEntries } from '../checkpoint/tree-entries.ts';
import { manifestsOf } from './dependency-manifests.ts';
import { cleanTree, listTree, Seal, sealFiles, sealTree, writeSeal } from './tree-seal.ts';
import { differing, isNewAndHarmless, type Tools, userTools } from './user-tools.ts';
import { changedUserSettings } from './user-settings.ts';
import { setupLayers } from '../tool-caches.ts';
import { isInstalledTool } from '../../core/judge/verification-files.ts';

export interface CheckTreeSpec extends Equipment {
  readonly runId: string;
  readonly home: string;
  /** Shadow tree to check. */
  readonly tree: string;
  /** The files of `foreign` that a person was asked about. */
  readonly asked?: readonly string[];
  /** The programs that the checks start, by name. */
  readonly started?: ReadonlySet<string>;
}

export interface CheckTree {
  readonly path: string;
  readonly tree: string;
  /** The outcome of setup; null: it was not needed. */
  readonly setup: SetupOutcome | null;
  /** The raw paths of the candidate's files. */
  readonly files: readonly string[];
  /** The modules that setup installed: checks must leave them unchanged. */
  readonly modules: Seal;
  /** The person's own modules and programs that changed since the start of the run. */
  readonly foreign: readonly string[];
  /** The person's programs as they were before the first check. */
  readonly tools: Tools;
}

const Marker = z.object({ tree: z.string(), manifests: z.string() });

export async function prepareCheckTree(spec: CheckTreeSpec): Promise<CheckTree> {
  const workspace = await openWorkspace(spec);
  const path = checkPath(spec.home, spec.runId);
  const state = runStatePath(workspace.shadow, spec.runId);
  const markerFile = join(state, 'check.json');
  const sealFile = join(state, 'check-seal.json');
  const entries = await treeEntries(workspace.shadow, spec.tree, spec.signal);
  const files: ReadonlySet<string> = new Set(entries.map(pathOfEntry));
  const manifests = await manifestHash(workspace.shadow, spec, entries);
  const marker = readState(Marker, markerFile);
  // Through a link in its place, the steps below would write and delete in another folder.
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const known = isFolder && marker?.manifests === manifests ? readState(Seal, sealFile) : null;
  rmSync(markerFile, { force: true });
  const foreignFile = join(state, 'check-modules.json');
  if (known !== null) await fill(spec, workspace, path);
  // Changed dependencies need an empty folder: an install must never write through a link into the person's modules.
  const isClean = known !== null && (await cleanTree(path, files, known, spec.signal));
  if (!isClean) {
    await startOver(path, state);
    await fill(spec, workspace, path);
  }
  const equipped = isClean ? null : await equip(spec, workspace, path, entries);
  // A copy that stays is sealed: what happens to its source does not matter.
  const folders = isClean && spec.nodeModules !== 'link' ? null : (equipped?.brought ?? []);
  const tools = await userTools(spec.env);
  // Before the seal, which notices a new owner.
  if (spec.hidden?.user !== undefined) giveTo(spec.hidden.user, [path]);
  const failed = equipped !== null && !isSetUp(equipped.setup);
  const sealNow = async () => {
    const seal = await sealTree(path, files, spec.signal);
    if (!failed) await writeSeal(sealFile, seal);
    return seal;
  };
  const [foreign, seal] = await Promise.all([
    foreignChanges(spec, tools, {
      repository: workspace.repository,
      file: foreignFile,
      folders,
      // A tree that stays keeps its copies, which are sealed.
      named: equipped?.named ?? null,
    }),
    isClean ? known : sealNow(),
  ]);
  if (!failed) await writeFileWhole(markerFile, JSON.stringify({ tree: spec.tree, manifests }));
  const modules = Object.fromEntries(
    Object.entries(seal).filter(([name]) => isInstalledTool(name) && !name.endsWith('/')),
  );
  return {
    path,
    tree: spec.tree,
    setup: equipped?.setup ?? null,
    files: [...files],
    modules,
    foreign,
    tools,
  };
}

async function startOver(path: string, state: string): Promise<void> {
  for (const folder of [path, setupLayers(state)]) await removeFolder(folder);
  rmSync(join(state, 'check-index'), { force: true });
  rmSync(join(state, 'check-index.lock'), { force: true });
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Undoes what checks did to files, and writes the tree. */
async function fill(spec: CheckTreeSpec, workspace: Workspace, path: string): Promise<void> {
  const { shadow } = workspace;
  const state = runStatePath(shadow, spec.runId);
  const call = { workTree: path, indexFile: join(state, 'check-index'), signal: spec.signal };
  const [moved] = await Promise.all([
    shadowGit(shadow, ['read-tree', '--reset', '-u', spec.tree], call),
    giveHistory(spec, workspace, path),
  ]);
  expectGit(moved, 'filling the check tree');
}

/** Checks may ask git what changed. This makes them a small repository at the base that reads the person's objects. */
async function giveHistory(spec: CheckTreeSpec, workspace: Workspace, path: string): Promise<void> {
  const { commonDir, baseCommit } = workspace;
  const gitDir = join(path, '.git');
  await removeFolder(gitDir);
  if (commonDir === null || baseCommit === null) return;
  const objects = join(commonDir, 'objects');
  makeGitFolder(gitDir, { objects, head: baseCommit, settings: NO_SUBMODULES });
  const env = { ...shadowEnvironment(), GIT_INDEX_FILE: join(gitDir, 'index') };
  const call = { cwd: path, env: { ...env, GIT_LITERAL_PATHSPECS: '1' }, signal: spec.signal };
  await runGit({ ...call, args: ['read-tree', 'HEAD'] });
  // A check that asks git for the files (`git grep`, `git ls-files`) finds the new ones too.
  const changes = await treeChanges(workspace.shadow, workspace.baseTree, spec.tree, spec.signal);
  const created = changes.filter(({ type }) => type === 'created').map(({ rawPath }) => rawPath);
  if (created.length === 0) return;
  const args = ['add', '--force', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await runGit({ ...call, args, input: joinNul(created) });
}

/** The files of submodules are already there as they must be checked: no setup command may clone over them. */
const NO_SUBMODULES = '[submodule]\n\tactive = .none\n';

async function equip(spec: CheckTreeSpec, workspace: Workspace, path: string, entries: readonly string[]) {
  const { hidden, setup } = spec;
  const manifestsChanged = await differ(workspace, spec, entries);
  const equipped = await equipTree({
    ...spec,
    // Setup reads settings of the person too.
    hidden: hidden && {
      ...hidden,
      over: setup === null ? [] : changedUserSettings(hidden.home, hidden.inside.runId),
    },
    from: workspace.repository,
    to: path,
    isGit: workspace.commonDir !== null,
    manifestsChanged,
  });
  // Where the work changed what the set-up reads or runs, its checks tell of it.
  const isOfWork = manifestsChanged || (spec.tree !== workspace.baseTree && !isInstaller(setup ?? ''));
  if (!isOfWork) assertSetUp(equipped.setup);
  return equipped;
}

/**
 * Compares the modules and ignored files that were linked or copied from the person's checkout, and the person's programs on the PATH,
 * with their state at the first use by this run: an agent can write there too. A change is reported until a person was asked about it as
 * it is now.
 */
async function foreignChanges(
  { env, asked = [], started = new Set(), signal }: CheckTreeSpec,
  tools: Tools,
  { repository, file, folders, named }: Persons,
): Promise<string[]> {
  const kept = noted?.file === file && existsSync(file) ? noted.foreign : readState(Foreign, file);
  const here: Seal = {};
  const known = Object.keys(kept?.first ?? {}).filter((path) => path.endsWith('/'));
  for (const folder of folders === null
    ? []
    : new Set([...folders, ...known].map((path) => path.replace(/\/$/, '')))) {
    const listed = await listTree(join(repository, folder), signal).catch(() => []);
    const names = listed.map((path) => `${folder}/${path}`).filter((path) => isInstalledTool(path));
    Object.assign(here, await sealFiles(repository, names, signal), { [`${folder}/`]: '' });
  }
  for (const path of named ?? []) {
    const raw = Buffer.from(path).toString('latin1');
    const listed = await listTree(join(repository, path), signal).catch(() => null);
    const names = listed === null ? [raw] : listed.map((name) => `${raw}/${name}`);
    const files = names.filter((name) => !isInstalledTool(name) && !name.endsWith('/'));
    Object.assign(here, await sealFiles(repository, files, signal));
  }
  const now = Object.keys(here).length === 0 ? tools.reached : { ...tools.reached, ...here };
  const first = kept?.first ?? now;
  // Most of them are as they were, and there may be thousands: only what differs is copied.
  const told = Object.fromEntries(
    Object.entries(kept?.told ?? {}).filter(([name, identity]) => !(name in now) && first[name] !== identity),
  );
  const changed = differing(first, now);
  for (const name of changed) if (name in now) told[name] = now[name] ?? '';
  if (kept === null || JSON.stringify(told) !== JSON.stringify(kept.told))
    await writeFileDurably(file, JSON.stringify({ first, told }), { mode: 0o600 });
  noted = { file, foreign: { first, told } };
  const isSeen = (name: string) => {
    if (isAbsolute(name)) return true;
    return isInstalledTool(name) ? folders !== null && !name.endsWith('/') : named !== null;
  };
  return changed
    .filter((name) => isSeen(name) && !isNewAndHarmless(name, first, env, started))
    .filter((name) => !(asked.includes(nameOf(name)) && (kept?.told[name] ?? first[name]) === now[name]))
    .map(nameOf);
}

interface Persons {
  readonly repository: string;
  readonly file: string;
  /** Module folders; null: the tree has sealed copies of them. */
  readonly folders: readonly string[] | null;
  /** Ignored files that were copied; null: the tree has sealed copies of them. */
  readonly named: readonly string[] | null;
}

const Foreign = z.object({ first: Seal, told: Seal });

/** What this process wrote last: no agent can have changed it. */
let noted: { readonly file: string; readonly foreign: z.infer<typeof Foreign> } | null = null;

/** Programs have whole paths, modules raw ones below the repository. */
function nameOf(name: string): string {
  return isAbsolute(name) ? name : rawToText(name);
}

async function differ(
  { baseTree, shadow }: Workspace,
  { tree, signal }: CheckTreeSpec,
  entries: readonly string[],
): Promise<boolean> {
  if (baseTree === tree) return false;
  const base = await manifestsOf(shadow, await treeEntries(shadow, baseTree, signal), signal);
  return base !== (await manifestsOf(shadow, entries, signal));
}

async function manifestHash(
  shadow: string,
  spec: CheckTreeSpec,
  entries: readonly string[],
): Promise<string> {
  const manifests = await manifestsOf(shadow, entries, spec.signal);
  const { setup } = spec;
  const ran = setup === null || isInstaller(setup) ? '' : spec.tree;
  const parts = [manifests, spec.setup ?? '', ran, spec.nodeModules, ...spec.ignoredToCopy];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
