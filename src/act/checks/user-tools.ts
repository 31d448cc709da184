/**
 * `userTools`, `firstUserTools`, `changedTools`: the programs and Python modules of the person that a check would run and an agent can
 * write: entries of writable folders on the PATH, and installed modules in the home. Each has its identity, as a seal has it. That of a
 * link has two parts: the program that it reaches, and the link itself. Between two checks only the first counts: nvm and brew make links
 * anew. While a check runs both count: a link can lead elsewhere and back.
 */
import { globSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { isWritable } from '../../platform/file/file-kind.ts';
import { findPaths, namesIn } from '../../platform/file/find-paths.ts';
import { realOrSame } from '../../platform/file/inside.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { GONE, lastingContents, realFolders, startWith, type Tool, toolAt } from './tool-at.ts';
import { Seal } from './tree-seal.ts';

/** A home with more installed files than this is only guarded for the first ones. */
const MAX_ENTRIES = 50_000;
const MODULE_FOLDERS = ['.local/lib/python3*/site-packages'];
const MODULE = /\.(?:py|so)$/;
/** After this many tools, about a millisecond, other work of the process gets a turn: mostly git is at work beside. */
const SLICE = 100;

/** By path. */
export interface Tools {
  readonly reached: Seal;
  /** Only of links. */
  readonly links: Seal;
}

/** The tools in a folder, in the order of their names. */
interface Listing {
  readonly folder: string;
  readonly names: readonly string[];
  readonly tools: readonly Tool[];
}

/** The same object as last time, if nothing has changed: to compare it takes no time. */
export async function userTools(env: Readonly<Record<string, string>>): Promise<Tools> {
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isWritable(folder))
    .map((folder) => join(folder, '/'));
  const found: Listing[] = [];
  // A folder with two names on the PATH (`/bin` is often `/usr/bin`) is looked at once, by its first.
  for (const [folder = ''] of Map.groupBy(folders, realOrSame).values())
    found.push(await lookAt(folder, namesIn(folder)));
  const user = env['HOME'] ?? '';
  const modules = isAbsolute(user)
    ? findPaths(user, MODULE_FOLDERS).flatMap((path) => modulesIn(join(user, path)))
    : [];
  found.push(await lookAt('', modules));
  if (last === null || !hasSame(last.found, found)) last = { found, tools: toolsOf(found) };
  return last.tools;
}

let last: { readonly found: readonly Listing[]; readonly tools: Tools } | null = null;

async function lookAt(folder: string, all: readonly string[]): Promise<Listing> {
  const names = all.slice(0, MAX_ENTRIES);
  const known = last?.found.find((listing) => listing.folder === folder);
  const tools: Tool[] = [];
  const isReal = realFolders();
  for (const [index, name] of names.entries()) {
    // By its place, not by its path: a map of fresh paths takes as long as the looks. After a new name the rest is looked at anew.
    const before = known?.names[index] === name ? known.tools[index] : undefined;
    tools.push(toolAt(before?.path ?? folder + name, before, isReal));
    if (tools.length % SLICE === 0) await nextTurn();
  }
  return known !== undefined && hasSame(known.names, names) && hasSame(known.tools, tools)
    ? known
    : { folder, names, tools };
}

function hasSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function toolsOf(found: readonly Listing[]): Tools {
  const [reached, links]: [Seal, Seal] = [{}, {}];
  for (const tool of found.flatMap(({ tools }) => tools).slice(0, MAX_ENTRIES)) {
    reached[tool.path] = tool.reached;
    if (tool.link !== null) links[tool.path] = tool.link;
  }
  return { reached, links };
}

/**
 * The tools before the first agent of a run. Only this look takes over what earlier runs read of large programs: later an agent that sees
 * the home may have written it.
 */
export async function firstUserTools(home: string, env: Readonly<Record<string, string>>): Promise<Tools> {
  const file = join(home, 'tool-contents.json');
  const known = readState(Seal, file) ?? {};
  startWith(known);
  last = null;
  const tools = await userTools(env);
  const lasting = lastingContents();
  if (lasting.some(([key]) => !Object.hasOwn(known, key)))
    await writeFileDurably(file, JSON.stringify(Object.fromEntries(lasting)));
  return tools;
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
  if (before === now) return [];
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
  const module = /\/site-packages\/(\w+)/.exec(path)?.[1];
  if (module !== undefined) return globSync(`${INSTALLED}/${module}{,.py}`).length === 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (started.has(name)) return false;
  const others = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return !others.some((other) => other !== path && toolAt(other).reached !== GONE);
}

/** Where a machine has Python's modules; those in the person's home come first. */
const INSTALLED = '/usr/{,local/}lib/python3*/{dist,site}-packages';

function modulesIn(folder: string): string[] {
  const names = namesIn(folder, { recursive: true }).filter((name) => MODULE.test(name));
  return names.map((name) => join(folder, name));
}
