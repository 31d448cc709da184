/** `compose`: reads what surrounds a candidate now: the target, the other runs and the rules. It returns facts; the gate judges them. */
import type { ComposeFacts, Overlap, RuleFinding } from '../../core/vocabulary/events/compose-facts.ts';
import type { ChangedFile } from '../../core/gates/rule-findings.ts';
import type { RepositoryRules, Rule } from '../../core/vocabulary/rules.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import type { OtherRun } from '../act.ts';
import type { TreeChange } from '../checkpoint/tree-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { changedFiles } from './changed-files.ts';
import { findTarget, type Target } from './find-target.ts';
import { mergeShadowTrees } from './merge-shadow-trees.ts';
import { readRules } from './read-rules.ts';
import { submoduleChanges } from './submodule-changes.ts';
import { targetTree } from './target-tree.ts';
import { unexplainedChanges } from './unexplained-changes.ts';

export interface Composed {
  readonly facts: ComposeFacts;
  /** The candidate merged with the moved target; null: the target has not moved, or the merge has conflicts or changes nothing. */
  readonly mergedTree: string | null;
  readonly moves: ReadonlyMap<string, string>;
}

export interface ComposeSpec {
  readonly state: RunState;
  readonly workspace: Workspace;
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  readonly others: readonly OtherRun[];
  readonly deliveries?: (() => Promise<readonly string[]>) | undefined;
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_THEIRS = 5;
const MAX_MARKERS = 10;
const MARKER = /^(?:<{7} |>{7} |={7}$)/;

export async function compose(spec: ComposeSpec): Promise<Composed> {
  const { state, workspace, tree, changes, deliveries, signal } = spec;
  const { shadow, baseTree } = workspace;
  const [files, target, { moves, foreign }, movedRefs] = await Promise.all([
    changedFiles({ shadow, baseTree, tree, changes, signal }),
    findTarget(workspace, state.sink, signal),
    submoduleChanges(workspace, tree, { sink: state.sink, signal }),
    unexplainedChanges(workspace, { since: state.createdAt, deliveries, signal }),
  ]);
  const moved =
    target !== null && target.commit !== workspace.baseCommit ? await meetTarget(spec, target) : null;
  const rules = allRules(state.rules, moved?.rules ?? null);
  return {
    mergedTree: moved?.mergedTree ?? null,
    moves,
    facts: {
      target:
        target === null
          ? null
          : {
              name: target.name,
              commit: target.commit,
              moved: moved !== null,
              conflicts: moved?.conflicts ?? [],
              theirs: moved?.theirs ?? [],
            },
      overlaps: await overlapsOf(spec),
      findings: await findingsOf(rules, files),
      targetRules: moved?.rules ?? null,
      markers: markersIn(files),
      submodules: [...foreign].map(rawToText),
      movedRefs,
      leaving: files.flatMap(({ path, leavesTo }) => (leavesTo === null ? [] : [`${path} -> ${leavesTo}`])),
    },
  };
}

async function meetTarget({ workspace, tree, at, signal }: ComposeSpec, { commit, repository }: Target) {
  const { shadow, baseTree, baseCommit } = workspace;
  const theirTree = await targetTree(workspace, commit, at, signal);
  const merged = await mergeShadowTrees({ shadow, base: baseTree, ours: theirTree, theirs: tree, signal });
  const log = await repository.git(
    'log',
    '--format=%s',
    `--max-count=${MAX_THEIRS}`,
    `${baseCommit}..${commit}`,
  );
  return {
    conflicts: merged.conflicts,
    mergedTree: merged.conflicts.length === 0 && merged.tree !== tree ? merged.tree : null,
    theirs: log.stdout.toString('utf8').split('\n').filter(Boolean),
    rules: await readRules(shadow, theirTree, signal),
  };
}

/** Most repositories have no rules, and then nothing is loaded to match them. */
async function findingsOf(rules: readonly Rule[], files: readonly ChangedFile[]): Promise<RuleFinding[]> {
  if (rules.length === 0) return [];
  const { ruleFindings } = await import('../../core/gates/rule-findings.ts');
  return ruleFindings(rules, files);
}

/** Rules of the base and of the target both count. Where both have a policy, the target's text counts. */
function allRules(base: RepositoryRules, target: RepositoryRules | null) {
  if (target === null) return base.rules;
  return [...base.rules.filter(({ id }) => !target.rules.some((rule) => rule.id === id)), ...target.rules];
}

async function overlapsOf(spec: ComposeSpec): Promise<Overlap[]> {
  const { state, workspace, tree, changes, others, signal } = spec;
  const own = new Set(changes.map(({ rawPath }) => rawToText(rawPath)));
  const overlaps: Overlap[] = [];
  // Runs with the same tree are merged once. The candidate has no conflict with an equal tree.
  const conflictsByTree = new Map<string, readonly string[]>([[tree, []]]);
  for (const other of others) {
    const paths = other.changed.filter((path) => own.has(path));
    if (paths.length === 0) continue;
    const conflicts =
      conflictsByTree.get(other.tree) ??
      (await conflictsWith(workspace, other.tree, tree, signal)).filter((path) => own.has(path));
    conflictsByTree.set(other.tree, conflicts);
    const older = other.createdAt < state.createdAt;
    overlaps.push({ run: other.runId, task: other.task, paths, conflicts, older });
  }
  return overlaps;
}

/** Empty where the other tree cannot be read any more: the overlap still names the common paths. */
async function conflictsWith(
  { shadow, baseTree: base }: ComposeSpec['workspace'],
  ours: string,
  theirs: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  try {
    return (await mergeShadowTrees({ shadow, base, ours, theirs, signal })).conflicts;
  } catch {
    signal?.throwIfAborted();
    return [];
  }
}

function markersIn(files: readonly ChangedFile[]): string[] {
  const found: string[] = [];
  for (const { path, added } of files) {
    const marks = added.filter(({ text }) => MARKER.test(text));
    // A line of equal signs alone is a heading, not a conflict.
    if (marks.some(({ text }) => text.startsWith('<')) && marks.some(({ text }) => text.startsWith('>')))
      found.push(`${path}:${marks[0]?.line}`);
  }
  return found.slice(0, MAX_MARKERS);
}
