/**
 * `verifyWork`: runs the checks on the candidate, and again with the judges of the base where the work changed some. It tells which changed
 * files judge, and which of the others a check read.
 */
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { matchesAny } from '../../core/text/glob.ts';
import {
  changedJudges,
  type WorkChanges,
  fileProof,
  type NamerSearch,
  noLongerRead,
} from '../../core/judge/changed-judges.ts';
import { unpackPaths } from '../../core/judge/read-paths.ts';
import { isConfiguration, isTestProgram } from '../../core/judge/verification-files.ts';
import type { ChangedJudge, FileProof } from '../../core/vocabulary/proof.ts';
import { overlayTree } from '../checkpoint/overlay-tree.ts';
import { renamedFiles, treeChanges } from '../checkpoint/tree-changes.ts';
import { treePaths } from '../checkpoint/tree-entries.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { baseVariants, type BackChange, type CheckVariant } from './check-variants.ts';
import { filesNaming } from './files-naming.ts';
import { shadowingModules } from './shadowing-modules.ts';
import { type CheckOutcome, checkTree, type TreeSpec } from './verify-tree.ts';

export interface WorkSpec extends Omit<TreeSpec, 'variant' | 'asBefore' | 'started'> {
  /** Globs that the task owns by explicit scope. New tests always belong to the task. */
  readonly ownedPaths: readonly string[];
  /** Globs that the person protects. */
  readonly protects?: readonly string[];
}

export interface VerifiedWork {
  readonly outcomes: readonly CheckOutcome[];
  readonly judges: readonly ChangedJudge[];
  readonly fileProof: readonly FileProof[];
  /** The files that the checks read on the base, and on the work; null: not observed. */
  readonly read: { readonly before: ReadonlySet<string> | null; readonly now: ReadonlySet<string> | null };
}

/** How many of the files with the content of the base a result names: work that changed more tests is judged by a person anyway. */
const MAX_NAMED = 20;

export async function verifyWork(spec: WorkSpec): Promise<VerifiedWork> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const { commands, tree, signal, before = [] } = spec;
  const changes = (await treeChanges(shadow, baseTree, tree, signal)).map((change) => ({
    ...change,
    path: rawToText(change.rawPath),
  }));
  const basePaths = (await treePaths(shadow, baseTree, signal)).map(rawToText);
  const started = new Set(commands.join(' ').split(/[^\w.@+-]+/));
  const checked = { ...spec, started };
  const outcomes = commands.length === 0 ? [] : await checkTree({ ...checked, variant: 'candidate' });
  const passed = outcomes.filter((one) => one.passed);
  const work: WorkChanges = {
    checks: commands.map((command) => ({
      command,
      passedBefore: before.some((one) => one.command === command && one.passed),
    })),
    changes,
    basePaths,
    readBefore: readBefore(before, commands, basePaths),
    readNow: union(outcomes),
    protects: spec.protects ?? [],
  };
  const trees = { shadow, baseTree, tree, signal };
  const found = await search(changedJudges(work), trees);
  const back = (await treeChanges(shadow, tree, baseTree, signal))
    .map((change) => ({ ...change, path: rawToText(change.rawPath) }))
    .filter(({ path }) => !matchesAny(path, spec.ownedPaths));
  const created = back.filter(({ type }) => type === 'deleted').map(({ path }) => path);
  const judged = {
    ...work,
    created,
    judges: new Set([
      ...(await decidingFiles(checked, shadow, work, found, back)),
      ...loadedFiles(found, commands),
    ]),
    shadowing: await shadowingModules(created, { ...spec, shadow, baseTree }),
  };
  const again: CheckOutcome[] = [];
  if (passed.length > 0 && back.length > 0) {
    const renamed = await renamedFiles(shadow, baseTree, tree, signal);
    for (const variant of await baseVariants({ ...spec, shadow, back, renamed, judged }))
      again.push(...(await checkVariant(checked, variant)));
  }
  const asBefore = again.every((one) => one.passed) ? again.flatMap(({ opened }) => [...(opened ?? [])]) : [];
  const excused = new Set([...asBefore, ...moved(work, changes)]);
  const missed: ChangedJudge[] = [];
  // Line by line: what one still reads says nothing of another.
  for (const { command, opened } of passed) {
    const alone = { ...work, readBefore: readBefore(before, [command], basePaths), readNow: opened };
    for (const judge of await search(noLongerRead(alone, excused), trees))
      if (!missed.some(({ path }) => path === judge.path)) missed.push(judge);
  }
  const missing = new Set(missed.map(({ path }) => path));
  const judges = [...found.filter(({ path }) => !missing.has(path)), ...missed];
  const opened = new Map(passed.map((one) => [one.command, one.opened]));
  return {
    outcomes: [...outcomes, ...again],
    judges,
    fileProof: fileProof(changes, judges, opened),
    read: { before: work.readBefore, now: work.readNow },
  };
}

/** A judge of the base asks for what was renamed by its old name: where it fails, it is asked again with both names. */
async function checkVariant(
  spec: Omit<TreeSpec, 'variant'>,
  { replaced, withOldNames, ...variant }: CheckVariant,
): Promise<readonly CheckOutcome[]> {
  const asked = { ...spec, ...variant, variant: 'base' as const, asBefore: replaced.slice(0, MAX_NAMED) };
  const outcomes = await checkTree(asked);
  if (withOldNames === null || outcomes.every(({ passed }) => passed)) return outcomes;
  const again = await checkTree({ ...asked, tree: withOldNames });
  return again.every(({ passed }) => passed) ? again : outcomes;
}

/** Null: a check was not observed before the work, or there was none. */
function readBefore(
  before: NonNullable<WorkSpec['before']>,
  commands: readonly string[],
  basePaths: readonly string[],
): ReadonlySet<string> | null {
  const reads = commands.map((command) => before.findLast((one) => one.command === command)?.read);
  return reads.some((read) => read === undefined)
    ? null
    : new Set(reads.flatMap((read = []) => [...unpackPaths(read, basePaths)]));
}

function union(outcomes: readonly CheckOutcome[]): ReadonlySet<string> | null {
  return outcomes.some(({ opened }) => opened === null)
    ? null
    : new Set(outcomes.flatMap(({ opened }) => [...(opened ?? [])]));
}

/** The core asks for the files that name one; they are looked up here and handed back. */
async function search<Found>(
  searching: NamerSearch<Found>,
  {
    shadow,
    baseTree,
    tree,
    signal,
  }: { shadow: string; baseTree: string; tree: string; signal: AbortSignal | undefined },
): Promise<Found> {
  let step = searching.next();
  while (step.done !== true) {
    const found = await filesNaming(shadow, step.value.isNew ? tree : baseTree, step.value, signal);
    step = searching.next(found);
  }
  return step.value;
}

/**
 * The files that a check line names, and in which what the check demands is written: it passes where they are empty. A file that the check
 * is about cannot be empty; and one that the check reads alone has nothing to judge.
 */
async function decidingFiles(
  spec: Omit<TreeSpec, 'variant'>,
  shadow: string,
  work: WorkChanges,
  judges: readonly ChangedJudge[],
  back: readonly BackChange[],
): Promise<string[]> {
  const { runId, tree, signal } = spec;
  const named = judges.filter(({ why, path }) => why === 'check_line' && !isTestProgram(path));
  const changed = back.filter(
    ({ type, path }) => type === 'changed' && named.some((one) => one.path === path),
  );
  const read = [...(work.readBefore ?? []), ...(work.readNow ?? work.basePaths)];
  const others = read.filter((path) => !isConfiguration(path) && !changed.some((one) => one.path === path));
  if (changed.length === 0 || others.length === 0) return [];
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: '', signal });
  const object = lineOf(expectGit(written, 'preparing a check with an empty judge'));
  const entries = changed.map((change) => ({ ...change, object }));
  const empty = await overlayTree({ shadow, runId, tree, entries, signal });
  const commands = new Set(named.flatMap(({ by = '' }) => by));
  const outcomes = await checkTree({
    ...spec,
    tree: empty,
    commands: [...commands],
    reruns: 0,
    variant: 'base',
  });
  return outcomes.every(({ passed }) => passed) ? changed.map(({ path }) => path) : [];
}

/**
 * What a unit test loads may be what it tests, and what lies in a folder of the check line what it looks through; what a setting or a
 * script loads is a part of the judge.
 */
function loadedFiles(judges: readonly ChangedJudge[], lines: readonly string[]): string[] {
  const loaded = judges.filter(
    ({ why, by }) => why === 'loaded' && by !== undefined && !isTestProgram(by) && !lines.includes(by),
  );
  return loaded.map(({ path }) => path);
}

/** The deleted files of which a check reads the same content at another place. */
function moved({ readNow }: WorkChanges, changes: readonly BackChange[]): string[] {
  const there = new Set(
    changes.filter(({ type, path }) => type === 'created' && readNow?.has(path)).map(({ object }) => object),
  );
  return changes
    .filter(({ type, object }) => type === 'deleted' && there.has(object))
    .map(({ path }) => path);
}
