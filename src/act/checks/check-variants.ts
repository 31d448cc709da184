/**
 * `checkVariants`: the trees to check a candidate in. The first is the candidate as it is. For each group of commands with judging files
 * (tests, their configuration) of its own there is another, with these files as in the base, except those that the task owns. A check
 * that passes only in the first passes because the judge was changed. `core/judge` says which files judge.
 */
import type { RunKey } from '../checkpoint/take-base.ts';
import { matchesAny } from '../../core/text/glob.ts';
import {
  type BaseJudge,
  type CheckBefore,
  groupCommands,
  hasJudge,
  leftOutTests,
  treatmentOfNew,
  treatmentOfOld,
} from '../../core/judge/base-judge.ts';
import { mixerFor } from '../../core/judge/judging-parts.ts';
import { configuredFiles } from '../../core/judge/configured-files.ts';
import { judgingPrograms } from '../../core/judge/judging-programs.ts';
import type { BaseReading } from '../../core/judge/product-files.ts';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { type TreeChange, treeChanges } from '../checkpoint/tree-changes.ts';
import { treePaths } from '../checkpoint/tree-entries.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { overlayTree } from '../checkpoint/overlay-tree.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { shadowingModules } from './shadowing-modules.ts';

export interface VariantSpec extends RunKey {
  /** Shadow tree of the candidate. */
  readonly tree: string;
  readonly commands: readonly string[];
  /** The folder below the top of the tree in which the commands start. */
  readonly folder?: string;
  /** Globs that the task owns by explicit scope. New tests always belong to the task. */
  readonly ownedPaths: readonly string[];
  /** How each command ended in the base. */
  readonly before?: readonly CheckBefore[];
  readonly env: Readonly<Record<string, string>>;
  readonly hidden?: HiddenHome | undefined;
}

export interface CheckVariant {
  readonly name: 'candidate' | 'base';
  readonly tree: string;
  /** The commands to run in this tree. */
  readonly commands: readonly string[];
  /** Files that have the content of the base. */
  readonly replaced: readonly string[];
  /** Programs that the commands start, also by scripts of the base. */
  readonly tools?: ReadonlySet<string>;
}

/** A change from the candidate back to the base: a file that the work created is `deleted`; other changes carry the base's version. */
interface BackChange extends TreeChange {
  readonly path: string;
}

/** No manifest that a person wrote is larger. */
const MAX_MIXED_BYTES = 1024 * 1024;

export async function checkVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const { commands, tree, signal, folder = '' } = spec;
  const candidate: CheckVariant = { name: 'candidate', tree, commands, replaced: [] };
  const back = (await treeChanges(shadow, tree, baseTree, signal))
    .map((change) => ({ ...change, path: rawToText(change.rawPath) }))
    .filter(({ path }) => !matchesAny(path, spec.ownedPaths));
  if (back.length === 0) return [candidate];
  const created = back.filter(({ type }) => type === 'deleted').map(({ path }) => path);
  const basePaths = (await treePaths(shadow, baseTree, signal)).map(rawToText);
  const variants = [candidate];
  const tools = new Set<string>();
  // The core asks for one file of the base after the other; it is read here and handed back.
  const read = async <Found>(reading: BaseReading<Found>): Promise<Found> => {
    let step = reading.next();
    while (step.done !== true)
      step = reading.next(await blobText(shadow, `${baseTree}:${step.value}`, signal));
    return step.value;
  };
  const hasOld = back.length > created.length;
  const loaded: Iterable<string> = hasOld ? await read(configuredFiles(basePaths)) : [];
  for (const group of groupCommands(commands, folder, created, basePaths, spec.before ?? [])) {
    const named = await read(judgingPrograms(group.commands, folder, basePaths));
    for (const tool of named.tools) tools.add(tool);
    const programs = new Set([...named.programs, ...loaded]);
    const base = await asBefore(spec, shadow, { ...group, named: { ...named, programs }, basePaths }, back);
    if (base !== null) variants.push({ name: 'base', commands: group.commands, ...base });
  }
  return variants.map((variant) => ({ ...variant, tools }));
}

async function asBefore(
  spec: VariantSpec,
  shadow: string,
  judge: BaseJudge,
  back: readonly BackChange[],
): Promise<Pick<CheckVariant, 'tree' | 'replaced'> | null> {
  const { runId, tree: from, signal } = spec;
  const created = back.filter(({ type }) => type === 'deleted').map(({ path }) => path);
  const shadowing = await shadowingModules(created, judge.named.tools, spec);
  const judges: BackChange[] = [];
  for (const change of back) {
    const { path, type } = change;
    const treatment =
      type === 'deleted' ? treatmentOfNew(judge, path, shadowing.has(path)) : treatmentOfOld(judge, path);
    if (treatment === 'as_base') judges.push(change);
    const object = treatment === 'mixed' ? await mixed(spec, shadow, judge, change) : null;
    if (object !== null) judges.push({ ...change, type: 'changed', object });
  }
  if (judges.length === 0) return null;
  const leftOut = leftOutTests(judge, created);
  const known = new Set(judges.map(({ path }) => path));
  const entries = [...judges, ...back.filter(({ path }) => leftOut.has(path) && !known.has(path))];
  const tree = await overlayTree({ shadow, runId, tree: from, entries, signal });
  return tree === from ? null : { tree, replaced: entries.map(({ path }) => path) };
}

/** The object of the candidate's file with the judging parts of the base; null: these parts are unchanged. */
async function mixed(
  { tree, signal }: VariantSpec,
  shadow: string,
  judge: BaseJudge,
  { path, type, object }: BackChange,
): Promise<string | null> {
  const mix = mixerFor(path);
  if (mix === null) return null;
  const base = type === 'deleted' ? '' : await blobText(shadow, object, signal);
  const candidate = await blobText(shadow, `${tree}:${path}`, signal);
  if (base === null) return null;
  if (candidate === null) return type === 'deleted' ? null : object;
  const text = mix(base, candidate, hasJudge(judge, path));
  if (text === null) return null;
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: text, signal });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

async function blobText(shadow: string, object: string, signal?: AbortSignal): Promise<string | null> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  return blob.exitCode === 0 && blob.stdout.length <= MAX_MIXED_BYTES ? blob.stdout.toString('utf8') : null;
}
