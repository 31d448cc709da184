/**
 * The tree in which Mayday itself runs checks: Mayday's own folder, never the agent's. It is kept between checks and moved by
 * tree difference, so that dependencies and build caches survive; setup runs again only when a manifest changed.
 * States: absent -> filled (files right) -> ready (marker names tree and manifests). A crash in between starts over.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/durable-write.ts';
import { expectGit, runGit } from '../../platform/git.ts';
import { rawUnder, splitNul } from '../../platform/raw-path.ts';
import { shadowEnvironment, shadowGit } from '../../platform/shadow-git.ts';
import { equipTree } from '../workspace/equip-tree.ts';
import { checkPath, runStatePath } from '../workspace/home-layout.ts';
import { openWorkspace, type SetupOutcome, type Workspace } from '../workspace/workspace.ts';
import { manifestsOf } from './dependency-manifests.ts';

export interface CheckTreeSpec {
  readonly runId: string;
  readonly home: string;
  /** Shadow tree to check. */
  readonly tree: string;
  readonly setup: string | null;
  readonly setupTimeoutMs: number;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  readonly env: Readonly<Record<string, string>>;
  /** Start from an empty folder: for a last word that no earlier check could have prepared. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckTree {
  readonly path: string;
  readonly tree: string;
  /** What setup did just now; null if it was not needed. */
  readonly setup: SetupOutcome | null;
  readonly warnings: readonly string[];
}

const Marker = z.object({ tree: z.string(), manifests: z.string() });

export async function prepareCheckTree(spec: CheckTreeSpec): Promise<CheckTree> {
  const workspace = await openWorkspace(spec);
  const path = checkPath(spec.home, spec.runId);
  const state = runStatePath(workspace.shadow, spec.runId);
  const markerFile = join(state, 'check.json');
  const manifests = await manifestHash(workspace.shadow, spec);
  const marker = spec.fresh ? null : await readMarker(markerFile);
  // Other dependencies start from an empty folder: an install must never run over a link to the person's modules.
  const isPrepared = marker?.manifests === manifests;
  await rm(markerFile, { force: true });
  if (!isPrepared) await startOver(path, state);
  await fill(spec, workspace, path, !isPrepared);
  const equipped = isPrepared ? null : await equip(spec, workspace, path);
  const failed = equipped !== null && equipped.setup !== null && equipped.setup.exitCode !== 0;
  if (!failed) await writeFileDurably(markerFile, JSON.stringify({ tree: spec.tree, manifests }));
  return { path, tree: spec.tree, setup: equipped?.setup ?? null, warnings: equipped?.warnings ?? [] };
}

async function readMarker(file: string): Promise<z.infer<typeof Marker> | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (Marker.safeParse(JSON.parse(text)).data ?? null);
}

async function startOver(path: string, state: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await rm(join(state, 'check-index'), { force: true });
  await rm(join(state, 'check-index.lock'), { force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Undoes what checks did to files, takes away what they left, moves to the tree. Ignored files (caches) stay. */
async function fill(spec: CheckTreeSpec, workspace: Workspace, path: string, isNew: boolean): Promise<void> {
  const { shadow } = workspace;
  const state = runStatePath(shadow, spec.runId);
  const call = {
    workTree: path,
    indexFile: join(state, 'check-index'),
    config: [`core.excludesFile=${join(state, 'exclude')}`],
    signal: spec.signal,
  };
  if (!isNew) {
    const left = await shadowGit(shadow, ['ls-files', '-z', '--others', '--exclude-standard'], call);
    for (const rawPath of splitNul(left.stdout))
      await rm(rawUnder(path, rawPath.replace(/\/$/, '')), { recursive: true, force: true });
  }
  const moved = await shadowGit(shadow, ['read-tree', '--reset', '-u', spec.tree], call);
  expectGit(moved, 'filling the check tree');
  await giveHistory(spec, workspace, path);
}

/** Checks may ask git what changed: a small repository of their own, at the base, that reads the person's objects. */
async function giveHistory(spec: CheckTreeSpec, workspace: Workspace, path: string): Promise<void> {
  const { commonDir, baseCommit } = workspace;
  const gitDir = join(path, '.git');
  await rm(gitDir, { recursive: true, force: true });
  if (commonDir === null || baseCommit === null) return;
  // Written by hand: three files need no two more processes.
  await mkdir(join(gitDir, 'objects/info'), { recursive: true });
  await mkdir(join(gitDir, 'refs'));
  await writeFile(join(gitDir, 'config'), baseCommit.length === 64 ? SHA256_CONFIG : SHA1_CONFIG);
  await writeFile(join(gitDir, 'objects/info/alternates'), `${join(commonDir, 'objects')}\n`);
  await writeFile(join(gitDir, 'HEAD'), `${baseCommit}\n`);
  await runGit({ args: ['read-tree', 'HEAD'], cwd: path, env: shadowEnvironment(), signal: spec.signal });
}

/** The files of submodules are there already, as they are to be checked: no set-up command may clone over them. */
const NO_SUBMODULES = '[submodule]\n\tactive = .none\n';
const SHA1_CONFIG = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${NO_SUBMODULES}`;
const SHA256_CONFIG = `[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = sha256\n${NO_SUBMODULES}`;

async function equip(spec: CheckTreeSpec, workspace: Workspace, path: string) {
  return await equipTree({
    from: workspace.repository,
    to: path,
    isGit: workspace.commonDir !== null,
    ignoredToCopy: spec.ignoredToCopy,
    nodeModules: spec.nodeModules,
    setup: spec.setup,
    setupTimeoutMs: spec.setupTimeoutMs,
    manifestsChanged: await differ(workspace, spec),
    env: spec.env,
    signal: spec.signal,
  });
}

async function differ(workspace: Workspace, spec: CheckTreeSpec): Promise<boolean> {
  if (workspace.baseTree === spec.tree) return false;
  const base = await manifestsOf(workspace.shadow, workspace.baseTree, spec.signal);
  return base !== (await manifestsOf(workspace.shadow, spec.tree, spec.signal));
}

async function manifestHash(shadow: string, spec: CheckTreeSpec): Promise<string> {
  const manifests = await manifestsOf(shadow, spec.tree, spec.signal);
  const parts = [manifests, spec.setup ?? '', spec.nodeModules, ...spec.ignoredToCopy];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
