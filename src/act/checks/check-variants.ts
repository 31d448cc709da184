/**
 * The trees to check a candidate in: as it is, and with everything that judges as it is in the base (tests, scripts, tool
 * configuration, what the check line runs, nothing that shadows a tool), where the task does not own it. Passing only as it
 * is means that the judge was changed, not the work.
 */
import { matchesAny } from '../../core/glob.ts';
import { expectGit, lineOf } from '../../platform/git.ts';
import { rawToText, splitNul } from '../../platform/raw-path.ts';
import { shadowGit } from '../../platform/shadow-git.ts';
import { type TreeChange, treeChanges } from '../workspace/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { mixerFor, rivals } from './judging-parts.ts';
import { judgingPrograms, type NamedFiles } from './judging-programs.ts';
import { overlayTree } from './overlay-tree.ts';
import { shadowingModules } from './shadowing-modules.ts';
import {
  isPlanted,
  isTestConfiguration,
  isToolConfiguration,
  isVerificationFile,
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
  /** Every check passed before the work: then no new test configuration may be needed to pass. */
  readonly greenBefore?: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckVariant {
  readonly name: 'candidate' | 'base';
  readonly tree: string;
  /** Files that are as in the base. */
  readonly replaced: readonly string[];
}

interface World {
  readonly shadow: string;
  readonly baseTree: string;
  readonly spec: VariantSpec;
  readonly named: NamedFiles;
}

/** Larger than any manifest a person wrote. */
const MAX_MIXED_BYTES = 1024 * 1024;

export async function checkVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const candidate: CheckVariant = { name: 'candidate', tree: spec.tree, replaced: [] };
  // Seen from the candidate: `changed` and `created` carry the base's version of what was edited or deleted here, and
  // `deleted` is what the work created.
  const back = (await treeChanges(shadow, spec.tree, baseTree, spec.signal)).filter(
    ({ rawPath }) => !matchesAny(rawToText(rawPath), spec.ownedPaths),
  );
  if (back.length === 0) return [candidate];
  const read = (path: string) => blobText(shadow, `${baseTree}:${path}`, spec.signal);
  const world: World = {
    shadow,
    baseTree,
    spec,
    named: await judgingPrograms(spec.commands, read, spec.folder),
  };
  const replaced = [
    ...(await takenAway(
      world,
      back.filter(({ type }) => type === 'deleted'),
    )),
    ...(await putBack(
      world,
      back.filter(({ type }) => type !== 'deleted'),
    )),
  ];
  if (replaced.length === 0) return [candidate];
  const { runId, tree: from, signal } = spec;
  const tree = await overlayTree({ shadow, runId, tree: from, entries: replaced, signal });
  if (tree === from) return [candidate];
  return [candidate, { name: 'base', tree, replaced: replaced.map(({ rawPath }) => rawToText(rawPath)) }];
}

/** What the work edited or deleted although it judges. */
async function putBack(world: World, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  const { programs, subjects } = world.named;
  const back: TreeChange[] = [];
  for (const change of changes) {
    const path = rawToText(change.rawPath);
    if (isPlanted(path) || isVerificationFile(path) || programs.has(path)) back.push(change);
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
  const shadowing = await shadowingModules(paths, named.words, spec.env, spec.signal);
  const settings = paths.filter((path) => isTestConfiguration(path) || hasSections(path));
  const isSet = settings.length > 0 && (spec.greenBefore === true || (await hasTests(world)));
  const away: TreeChange[] = [];
  for (const change of own) {
    const path = rawToText(change.rawPath);
    if (isPlanted(path) || shadowing.has(path) || (await replacesRival(world, path))) away.push(change);
    else if (isTestConfiguration(path) || hasSections(path)) {
      const object = isSet && hasSections(path) ? await mixed(world, null, path) : null;
      if (object !== null) away.push({ ...change, type: 'changed', object });
      else if (isSet && !hasSections(path)) away.push(change);
    } else if (isToolConfiguration(path)) away.push(change);
  }
  // New tests may need the new settings; the old ones must do without both.
  const alone = away.some(({ rawPath }) => isTestConfiguration(rawToText(rawPath)));
  const tests = alone ? own.filter((change) => isNewTest(change, away)) : [];
  return [...away, ...tests];
}

function isNewTest(change: TreeChange, away: readonly TreeChange[]): boolean {
  return isVerificationFile(rawToText(change.rawPath)) && !away.includes(change);
}

/** New ones say what a project needs, and may say how tools run. */
function hasSections(path: string): boolean {
  return /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/.test(path);
}

async function replacesRival({ shadow, baseTree, spec }: World, path: string): Promise<boolean> {
  for (const other of rivals(path)) {
    const found = await shadowGit(shadow, ['cat-file', '-e', `${baseTree}:${other}`], {
      signal: spec.signal,
    });
    if (found.exitCode === 0) return true;
  }
  return false;
}

async function hasTests({ shadow, baseTree, spec }: World): Promise<boolean> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', baseTree];
  const listing = expectGit(await shadowGit(shadow, args, { signal: spec.signal }), 'looking for tests');
  return splitNul(listing.stdout).some((rawPath) => isVerificationFile(rawToText(rawPath)));
}

/** The candidate's file with the base's judging parts, or null when they are unchanged. */
async function mixed(
  { shadow, spec }: World,
  baseObject: string | null,
  path: string,
): Promise<string | null> {
  const mix = mixerFor(path);
  if (mix === null) return null;
  const { tree, signal } = spec;
  const base = baseObject === null ? '' : await blobText(shadow, baseObject, signal);
  const candidate = await blobText(shadow, `${tree}:${path}`, signal);
  if (base === null) return null;
  if (candidate === null) return baseObject;
  const text = mix(base, candidate);
  if (text === null) return null;
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: text, signal });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

async function blobText(shadow: string, object: string, signal?: AbortSignal): Promise<string | null> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  return blob.exitCode === 0 && blob.stdout.length <= MAX_MIXED_BYTES ? blob.stdout.toString('utf8') : null;
}
