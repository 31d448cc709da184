/**
 * `agentLayers`, `checkLayers`: keep caches and toolchains in the person's home as the person left them. A build cache decides what a
 * compiler sees, so what an agent writes there must reach no check. The agent reads these folders and writes into a layer of the run;
 * setup of a check tree has a layer of its own; what a check writes is thrown away. Only checks before the first agent write the folders
 * themselves. In place of a folder that appeared in the home since, whatever tool reads it, checks find an empty one.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { isFolder, isWritable } from '../platform/file/file-kind.ts';
import { findPaths } from '../platform/file/find-paths.ts';
import { isInside, realOrSame } from '../platform/file/inside.ts';
import { readState } from '../platform/file/plain-file.ts';
import type { Layer } from '../platform/container/hide-home.ts';
import type { ActContext } from './act.ts';
import { runEnvironment } from './run-environment.ts';
import { runDir } from './run-files.ts';
import { runStatePath } from './workspace/home-layout.ts';
import type { Workspace } from './workspace/workspace.ts';

/** Below the person's home. Folders with programs for the PATH are not among them: those are compared (see user-tools.ts). */
const CACHES: readonly string[] = [
  '.cache .npm .yarn .pnpm-store .local/share/pnpm .bun/install .deno .nvm .volta .asdf .local/share/mise .sdkman',
  '.cargo/registry .cargo/git .rustup go/pkg .m2/repository .m2/wrapper .gradle .ivy2 .sbt .konan .android .ccache',
  '.pyenv .local/share/uv .local/share/virtualenv .conda .rbenv .rvm .gem .local/share/gem .composer .nuget/packages',
  '.stack .cabal .ghcup .opam .hex .mix .pub-cache .local/share/go .dotnet .local/lib .local/share/pipx .local/pipx',
  '.npm-global/lib .npm-packages/lib .node_modules .node_libraries',
].flatMap((names) => names.split(' '));

/** Variables that name such a folder elsewhere, and the part of it that is meant. */
// biome-ignore format: words stand together
const NAMED: readonly (readonly [variable: string, part: string])[] = [
  ['XDG_CACHE_HOME', ''], ['GOPATH', 'pkg'], ['CARGO_HOME', 'registry'], ['CARGO_HOME', 'git'],
  ['RUSTUP_HOME', ''], ['NVM_DIR', ''], ['VOLTA_HOME', ''], ['PYENV_ROOT', ''], ['SDKMAN_DIR', ''],
  ['GEM_HOME', ''], ['DENO_DIR', ''], ['BUN_INSTALL', 'install'],
];

/** Caches that tools keep among installed modules; linked modules are the person's own. */
const IN_MODULES = '{,*/,*/*/}node_modules/.*';
const NOT_CACHES = /\/\.(?:bin|pnpm)$/;

/** Where tools keep settings and state in folders of their own, and where an agent could leave something for its code. */
const HOME_FOLDERS = ['*', '.config/*', '.local/*', '.local/share/*'];

/** `hidden`: the folders of the home, whatever they are for. An older run noted caches only. */
const Note = z.union([
  z.object({ caches: z.array(z.string()), hidden: z.array(z.string()) }),
  z.array(z.string()).transform((caches) => ({ caches, hidden: null })),
]);
const MAX_NOTE_BYTES = 1024 * 1024;

/** The folders are those of the first call: one that an agent made later is not the person's. */
export async function agentLayers(context: ActContext, workspace: Workspace): Promise<Layer[]> {
  const known = noted(context);
  const { caches } = known ?? { caches: cachesOf(context, workspace) };
  if (known === null)
    await writeFileDurably(noteFile(context), JSON.stringify({ caches, hidden: homeFolders(context) }));
  const layers = layersFolder(runStatePath(workspace.shadow, context.state.runId));
  return caches
    .filter((to) => existsSync(to))
    .map((to) => ({ to, from: to, kept: join(layers, 'agent', nameOf(to)), keeps: true }));
}

/** In place of a folder that an agent made, checks find an empty one. */
export function checkLayers(context: ActContext, workspace: Workspace): Layer[] {
  const persons = noted(context);
  if (persons === null) return [];
  const before = new Set([...persons.caches, ...(persons.hidden ?? [])]);
  const appeared = persons.hidden === null ? [] : homeFolders(context).filter((path) => !before.has(path));
  const state = runStatePath(workspace.shadow, context.state.runId);
  const empty = join(layersFolder(state), 'empty');
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  return cachesOf(context, workspace, appeared).map((to) => ({
    to,
    from: persons.caches.includes(to) ? to : empty,
    kept: join(setupLayers(state), nameOf(to)),
    keeps: false,
  }));
}

/** What setup brought into the layers of a check tree; it goes with the tree. `state` is the run's own in the shadow repository. */
export function setupLayers(state: string): string {
  return join(layersFolder(state), 'setup');
}

function layersFolder(state: string): string {
  return join(state, 'layers');
}

function nameOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, NAME_CHARS);
}

const NAME_CHARS = 16;

/** Real paths of those that are there: none inside another, none with work in it, and nothing of Mayday's own folder. */
function cachesOf(context: ActContext, workspace: Workspace, more: readonly string[] = []): string[] {
  const places = [...cachePlaces(runEnvironment(context)), ...inModules(context, workspace), ...more].filter(
    (path) => isWritable(path) && isFolder(path),
  );
  const folders = [...new Set(places.map((path) => realpathSync(path)))];
  const home = realOrSame(context.home);
  const needed = [home, ...[workspace.path, workspace.repository, tmpdir()].map(realOrSame)];
  return folders
    .filter((path) => !needed.some((inside) => isInside(inside, path)) && !isInside(path, home))
    .filter((path) => !folders.some((other) => other !== path && isInside(path, other)))
    .toSorted();
}

/** Where tools keep them, whether they are there or not. */
export function cachePlaces(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = NAMED.map(([variable, part]) => join(env[variable] ?? '', part));
  return [...CACHES.map((path) => join(env['HOME'] ?? '', path)), ...named].filter((path) =>
    isAbsolute(path),
  );
}

function inModules({ state }: ActContext, { repository }: Workspace): string[] {
  if (state.options.nodeModules !== 'link') return [];
  const found = globSync(IN_MODULES, { cwd: repository }).map((path) => join(repository, path));
  return found.filter((path) => !NOT_CACHES.test(path));
}

function homeFolders(context: ActContext): string[] {
  const home = runEnvironment(context)['HOME'] ?? '';
  return isAbsolute(home) ? findPaths(home, HOME_FOLDERS).map((path) => join(home, path)) : [];
}

function noted(context: ActContext): z.infer<typeof Note> | null {
  return readState(Note, noteFile(context), MAX_NOTE_BYTES);
}

function noteFile({ home, state }: ActContext): string {
  return join(runDir(home, state.runId), 'tool-caches.json');
}
