/**
 * `userTools`, `changedTools`: the programs and Python modules of the person that a check would run and an agent can
 * write: entries of writable folders on the PATH, and installed modules in the home. Each has its identity, as a seal has it. That of a
 * link has two parts: the program that it reaches, and the link itself. Between two checks only the first counts: nvm and brew make links
 * anew. While a check runs both count: a link can lead elsewhere and back.
 */
import { existsSync, globSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWritable } from '../../platform/file/file-kind.ts';
import { findPaths, namesIn } from '../../platform/file/find-paths.ts';
import { readPlainBytes } from '../../platform/file/plain-file.ts';
import { realOrSame } from '../../platform/file/inside.ts';
import { GONE, toolAt } from './tool-at.ts';
import type { Seal } from './tree-seal.ts';

/** A home with more installed files than this is only guarded for the first ones. */
const MAX_ENTRIES = 50_000;
const MODULE_FOLDERS = ['lib/python3*/site-packages'];
/** Modules, and what has other programs load them. */
const MODULE = /\.(?:py|so|pth)$|(?:^|\/)entry_points\.txt$|^(?!.*__pycache__\/).*\.pyc$/;
/** Loaded without being asked for, or in place of a module. */
const LOADED_ALWAYS = /\/(?:(?:site|user)customize\.py|[^/]+\.(?:pth|pyc)|pyvenv\.cfg)$/;
/** Not only programs to start: `[pytest11]` is loaded by every pytest. */
const PLUG_INS = /^\[(?!(?:console|gui)_scripts\])/m;
/** After this many tools, about a millisecond, other work of the process gets a turn: mostly git is at work beside. */
const SLICE = 100;

/** By path. */
export interface Tools {
  readonly reached: Seal;
  /** Only of links. */
  readonly links: Seal;
}

export async function userTools(env: Readonly<Record<string, string>>): Promise<Tools> {
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isWritable(folder))
    .map((folder) => join(folder, '/'));
  const user = env['HOME'] ?? '';
  // Virtual environments of Python.
  const environments = folders
    .map((folder) => join(dirname(folder), 'pyvenv.cfg'))
    .filter((file) => existsSync(file));
  const paths = [
    // A folder with two names on the PATH (`/bin` is often `/usr/bin`) is looked at once, by its first.
    ...[...Map.groupBy(folders, realOrSame).values()].flatMap(([folder = '']) =>
      namesIn(folder).map((name) => folder + name),
    ),
    ...environments,
    ...[...(isAbsolute(user) ? [join(user, '.local')] : []), ...environments.map(dirname)].flatMap((place) =>
      findPaths(place, MODULE_FOLDERS).flatMap((path) => modulesIn(join(place, path))),
    ),
  ];
  const [reached, links]: [Seal, Seal] = [{}, {}];
  for (const [index, path] of paths.slice(0, MAX_ENTRIES).entries()) {
    const tool = toolAt(path);
    reached[path] = tool.reached;
    if (tool.link !== null) links[path] = tool.link;
    if (index % SLICE === SLICE - 1) await nextTurn();
  }
  return { reached, links };
}

/** The tools that differ from those of before, by their paths. */
export async function changedTools(
  before: Tools,
  env: Readonly<Record<string, string>>,
  started: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const now = await userTools(env);
  const changed = [...differing(before.reached, now.reached), ...differing(before.links, now.links)];
  return [...new Set(changed)].filter((path) => !isNewAndHarmless(path, before.reached, env, started));
}

/** The paths with another identity than before, also those that came or went. */
export function differing(before: Seal, now: Seal): string[] {
  const changed: string[] = [];
  for (const path in before) if (before[path] !== now[path]) changed.push(path);
  for (const path in now) if (!(path in before)) changed.push(path);
  return changed;
}

/** A new one matters where it comes before another of its name, or a check starts it, which did without (`fast || slow`). */
export function isNewAndHarmless(
  path: string,
  before: Seal,
  env: Readonly<Record<string, string>>,
  started: ReadonlySet<string>,
): boolean {
  if (path in before || !isAbsolute(path)) return false;
  const [, place, module] = /^(.*\/site-packages\/)(\w+)/.exec(path) ?? [];
  if (path.endsWith('/entry_points.txt')) return !PLUG_INS.test(textOf(path));
  if (LOADED_ALWAYS.test(path)) return false;
  if (place !== undefined && module !== undefined)
    return (
      globSync(`${INSTALLED}/${module}{,.py}`).length === 0 &&
      !existsSync(`${place}${module}${path.endsWith(`/${module}.py`) ? '' : '.py'}`)
    );
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (started.has(name)) return false;
  const others = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return !others.some((other) => other !== path && toolAt(other).reached !== GONE);
}

function textOf(path: string): string {
  const read = readPlainBytes(path, MAX_ENTRY_POINTS_BYTES);
  return read.type === 'bytes' ? read.bytes.toString('latin1') : '[unreadable]';
}

const MAX_ENTRY_POINTS_BYTES = 256 * 1024;

/** Where a machine has Python's modules; those in the person's home come first. */
const INSTALLED = '/usr/{,local/}lib/python3*/{dist,site}-packages';

function modulesIn(folder: string): string[] {
  const names = namesIn(folder, { recursive: true }).filter((name) => MODULE.test(name));
  return names.map((name) => join(folder, name));
}
