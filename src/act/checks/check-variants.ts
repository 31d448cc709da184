/**
 * The trees to check a candidate in: as it is, and with everything that judges as it is in the base (tests, scripts, tool
 * configuration, what the check line runs, nothing that shadows a tool), where the task does not own it. Passing only as it
 * is means that the judge was changed, not the work.
 */
import { extname } from 'node:path/posix';
import { matchesAny } from '../../core/glob.ts';
import { expectGit, lineOf } from '../../platform/git.ts';
import { rawToText, splitNul } from '../../platform/raw-path.ts';
import { shadowGit } from '../../platform/shadow-git.ts';
import { type TreeChange, treeChanges } from '../workspace/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { mixerFor, rivals } from './judging-parts.ts';
import { judgingPrograms, type NamedFiles } from './judging-programs.ts';
import { type NamedTests, namedTests } from './named-tests.ts';
import { overlayTree } from './overlay-tree.ts';
import { shadowingModules } from './shadowing-modules.ts';
import {
  isLauncherConfiguration,
  isPlanted,
  isTestConfiguration,
  isTestProgram,
  isToolConfiguration,
  isVerificationFile,
  languageOf,
} from './verification-files.ts';

export interface VariantSpec {
  readonly home: string;
  readonly runId: string;
  /** Shadow tree of the candidate. */
  readonly tree: string;
  readonly commands: readonly string[];
  /** Where they start, below the top of the tree. */
  readonly folder?: string;
  /** Globs the task owns by explicit scope; new tests are always its own. */
  readonly ownedPaths: readonly string[];
  /** How each command ended before the work. */
  readonly before?: readonly CheckBefore[];
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckBefore {
  readonly command: string;
  readonly passed: boolean;
  readonly tests?: { readonly total: number } | null | undefined;
}

export interface CheckVariant {
  readonly name: 'candidate' | 'base';
  readonly tree: string;
  /** What to run there. */
  readonly commands: readonly string[];
  /** Files that are as in the base. */
  readonly replaced: readonly string[];
}

interface World {
  readonly shadow: string;
  readonly baseTree: string;
  readonly basePaths: readonly string[];
  readonly spec: VariantSpec;
  readonly named: NamedFiles;
  readonly tests: NamedTests;
  /** The commands passed before the work, or ran tests: the base can judge alone. */
  readonly ranBefore: boolean;
}

/** Larger than any manifest a person wrote. */
const MAX_MIXED_BYTES = 1024 * 1024;

export async function checkVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const { commands, tree, signal } = spec;
  const candidate: CheckVariant = { name: 'candidate', tree, commands, replaced: [] };
  // Seen from the candidate: `changed` and `created` carry the base's version of what was edited or deleted here, and
  // `deleted` is what the work created.
  const back = (await treeChanges(shadow, tree, baseTree, signal)).filter(
    ({ rawPath }) => !matchesAny(rawToText(rawPath), spec.ownedPaths),
  );
  if (back.length === 0) return [candidate];
  const created = back.filter(({ type }) => type === 'deleted').map(({ rawPath }) => rawToText(rawPath));
  const basePaths = await pathsIn(shadow, baseTree, signal);
  const groups = new Map<string, { readonly commands: string[]; readonly tests: NamedTests; ran: boolean }>();
  for (const command of commands) {
    const tests = namedTests(command, spec.folder ?? '', created, basePaths);
    const ran = ranTests(spec, command);
    const key = JSON.stringify([tests, ran]);
    const known = groups.get(key) ?? { commands: [], tests, ran };
    groups.set(key, { ...known, commands: [...known.commands, command] });
  }
  const variants = [candidate];
  for (const { commands: alike, tests, ran } of groups.values()) {
    const read = (path: string) => blobText(shadow, `${baseTree}:${path}`, signal);
    const named = await judgingPrograms(alike, read, spec.folder);
    const world = { shadow, baseTree, basePaths, spec, named, tests, ranBefore: ran };
    const base = await asBefore(world, back);
    if (base !== null) variants.push({ ...base, commands: alike });
  }
  return variants;
}

function ranTests({ before = [] }: VariantSpec, command: string): boolean {
  const runs = before.filter((run) => run.command === command);
  return runs.some(({ passed, tests }) => passed || (tests?.total ?? 0) > 0);
}

async function asBefore(
  world: World,
  back: readonly TreeChange[],
): Promise<Omit<CheckVariant, 'commands'> | null> {
  const { shadow, spec } = world;
  const created = back.filter(({ type }) => type === 'deleted');
  const judges = [
    ...(await takenAway(world, created)),
    ...(await putBack(
      world,
      back.filter(({ type }) => type !== 'deleted'),
    )),
  ];
  if (judges.length === 0) return null;
  const replaced = [...judges, ...newTests(world, created).filter((change) => !judges.includes(change))];
  const { runId, tree: from, signal } = spec;
  const tree = await overlayTree({ shadow, runId, tree: from, entries: replaced, signal });
  if (tree === from) return null;
  return { name: 'base', tree, replaced: replaced.map(({ rawPath }) => rawToText(rawPath)) };
}

/**
 * New tests ran as they are, in the candidate. Beside the base's judge they would miss what they brought along (a fixture, a
 * setting), so they are left out there, where the base has something to run without them.
 */
function newTests({ tests, ranBefore, basePaths }: World, created: readonly TreeChange[]): TreeChange[] {
  if (tests.some) return [];
  const own = created.filter(({ rawPath }) => isTestProgram(rawToText(rawPath)));
  const old = new Set(basePaths.filter(isTestProgram).map(extname));
  return ranBefore || own.some(({ rawPath }) => old.has(extname(rawToText(rawPath)))) ? own : [];
}

/** What the work edited or deleted although it judges. */
async function putBack(world: World, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  const { programs, subjects } = world.named;
  const back: TreeChange[] = [];
  for (const change of changes) {
    const path = rawToText(change.rawPath);
    if (isPlanted(path) || programs.has(path)) back.push(change);
    else if (world.tests.only) continue;
    else if (isVerificationFile(path)) back.push(change);
    else if (subjects.has(path)) continue;
    else if (isToolConfiguration(path)) back.push(change);
    else {
      const object = await mixed(world, change.object, path);
      if (object !== null) back.push({ ...change, object });
    }
  }
  return back;
}

/** What the work brought along although nobody asked it to judge. */
async function takenAway(world: World, created: readonly TreeChange[]): Promise<TreeChange[]> {
  const { named, spec } = world;
  // What the check line looks at is for the work to bring, except where it should come from the check itself.
  const own = created.filter(({ rawPath }) => {
    const path = rawToText(rawPath);
    return isPlanted(path) || !named.subjects.has(path);
  });
  const paths = own.map(({ rawPath }) => rawToText(rawPath));
  const shadowing = await shadowingModules(paths, named.tools, spec.env, spec.signal);
  const away: TreeChange[] = [];
  for (const change of own) {
    const path = rawToText(change.rawPath);
    if (isPlanted(path) || shadowing.has(path) || replacesRival(world, path)) away.push(change);
    else if (hasSections(path)) {
      const object = hasJudge(world, path) ? await mixed(world, null, path) : null;
      if (object !== null) away.push({ ...change, type: 'changed', object });
    } else if (isTestConfiguration(path)) {
      if (hasJudge(world, path)) away.push(change);
    } else if (isLauncherConfiguration(path)) away.push(change);
    else if (isToolConfiguration(path) && hasJudge(world, path)) away.push(change);
  }
  return away;
}

/** Whether the base has a judge that new settings of this name could bend: tests they apply to, or a check that ran before. */
function hasJudge({ basePaths, named, tests, ranBefore }: World, path: string): boolean {
  if (tests.only) return false;
  if (ranBefore || named.programs.size > 0) return true;
  const language = languageOf(path);
  return basePaths.some(
    (other) => isVerificationFile(other) && (language === null || language.test(extname(other))),
  );
}

/** New ones say what a project needs, and may say how tools run. */
function hasSections(path: string): boolean {
  return /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/.test(path);
}

function replacesRival({ basePaths }: World, path: string): boolean {
  return rivals(path).some((other) => basePaths.includes(other));
}

async function pathsIn(shadow: string, tree: string, signal: AbortSignal | undefined): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree];
  const listing = expectGit(await shadowGit(shadow, args, { signal }), 'looking for tests');
  return splitNul(listing.stdout).map(rawToText);
}

/** The candidate's file with the base's judging parts, or null when they are unchanged. */
async function mixed(world: World, baseObject: string | null, path: string): Promise<string | null> {
  const { shadow, spec } = world;
  const mix = mixerFor(path);
  if (mix === null) return null;
  const { tree, signal } = spec;
  const base = baseObject === null ? '' : await blobText(shadow, baseObject, signal);
  const candidate = await blobText(shadow, `${tree}:${path}`, signal);
  if (base === null) return null;
  if (candidate === null) return baseObject;
  const text = mix(base, candidate, hasJudge(world, path));
  if (text === null) return null;
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: text, signal });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

async function blobText(shadow: string, object: string, signal?: AbortSignal): Promise<string | null> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  return blob.exitCode === 0 && blob.stdout.length <= MAX_MIXED_BYTES ? blob.stdout.toString('utf8') : null;
}
