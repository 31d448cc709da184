/** `composeGate`, `materializeGate`: does the change fit target, other runs, policies and decisions; may the sink be written? */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker, Finding } from '../vocabulary/blockers/blocker-rule.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import { matchesAny } from '../text/glob.ts';
import type { RecordedCheck, RunState } from '../state/run-state.ts';
import { isJudged } from './approvals.ts';
import type { SinkSpec } from '../vocabulary/task.ts';
import { byPolicy, type ComposeFacts } from '../vocabulary/events/compose-facts.ts';
import { type DecisionRecord, type RepositoryRules, sameAnswer, sameQuestion } from '../vocabulary/rules.ts';
import { firstLine } from '../text/first-line.ts';

type ChecksFinished = FactOf<'checks_finished'>;

/** Enough to tell two tasks apart. */
const MAX_TASK_CHARS = 200;
/** Sinks that put the work onto the target; a branch or folder of its own can wait for its merge. */
const ONTO_TARGET: ReadonlySet<SinkSpec['type']> = new Set(['merge', 'pull_request', 'patch']);

export function composeGate(state: RunState, { at, changed, compose }: ChecksFinished): readonly Blocker[] {
  if (compose === undefined || changed.length === 0) return [];
  return [
    ...byPolicy(compose.findings, ['forbidden', 'missing']).map(({ evidence: found, ...policy }) =>
      blocker('policy_violated', { ...policy, found }),
    ),
    ...conflictBlockers(state, compose),
    ...composedChecks(state.checks.filter((check) => check.at === at)),
    ...decisionBlockers(state, changed, compose.targetRules),
    ...judgmentBlockers(state, changed, compose),
  ];
}

/** The approvals that a policy wants before the sink is written. Whether it can be written, the sink itself tells. */
export function materializeGate(compose: ComposeFacts | undefined): readonly Blocker[] {
  const wanted = (compose?.findings ?? []).filter(({ approval }) => approval === 'delivery');
  return byPolicy(wanted, ['approval']).map(({ evidence: paths, ...policy }) =>
    blocker('approval_required', { ...policy, paths }),
  );
}

export function composeWarnings(state: RunState, compose: ComposeFacts): string[] {
  const { target, overlaps } = compose;
  const conflicts = target === null ? [] : target.conflicts;
  return [
    // The base holds the person's uncommitted changes: the branch does not have them, and has not moved for that.
    ...(conflicts.length > 0 && !blocksOnTarget(state) && !state.options.includeDirty
      ? [`${target?.name} moved on and conflicts in ${conflicts.join(', ')}; merging will need a hand`]
      : []),
    ...overlaps.map(({ run, paths }) => `run ${run} changes ${paths.join(', ')} too`),
  ];
}

function conflictBlockers(state: RunState, { target, overlaps }: ComposeFacts): Blocker[] {
  if (!blocksOnTarget(state)) return [];
  const task = firstLine(state.task.text).slice(0, MAX_TASK_CHARS);
  const found: Blocker[] = [];
  if (target !== null && target.conflicts.length > 0)
    found.push(
      blocker('change_conflict', {
        source: 'target',
        name: target.name,
        paths: target.conflicts,
        task,
        theirs: target.theirs,
      }),
    );
  for (const { run, task: theirTask, conflicts, older } of overlaps)
    if (older && conflicts.length > 0)
      found.push(
        blocker('change_conflict', {
          source: 'run',
          name: run,
          paths: conflicts,
          task,
          theirs: [firstLine(theirTask).slice(0, MAX_TASK_CHARS)],
        }),
      );
  return found;
}

function composedChecks(records: readonly RecordedCheck[]): Blocker[] {
  return records
    .filter(({ variant, passed }) => variant === 'composed' && !passed)
    .map(({ command, exitCode, outputTail }) =>
      blocker('change_conflict', {
        source: 'merged_check',
        command,
        exitCode,
        output: outputTail.trim().split('\n').slice(-5),
      }),
    );
}

function decisionBlockers(
  state: RunState,
  changed: readonly string[],
  target: RepositoryRules | null,
): Blocker[] {
  const recorded = [...state.rules.decisions, ...(target?.decisions ?? [])].filter(({ paths }) =>
    changed.some((path) => matchesAny(path, paths)),
  );
  const said = [...(state.task.decisions ?? []), ...state.judgments];
  const conflicts = new Map<string, Blocker>();
  const add = ({ question, answer, file, by }: DecisionRecord, other: Decided) =>
    conflicts.set(
      question,
      blocker('decision_conflict', {
        source: 'decisions',
        question,
        sides: [{ answer: answer ?? '', file, by }, other],
      }),
    );
  for (const [index, one] of recorded.entries()) {
    for (const { question, answer, file, by } of recorded.slice(index + 1))
      if (sameQuestion(one.question, question) && answer !== null && disagree(one.answer, answer))
        add(one, { answer, file, by });
    for (const { question, answer } of said)
      if (sameQuestion(one.question, question) && answer !== null && disagree(one.answer, answer))
        add(one, { answer, file: null, by: null });
  }
  return [...conflicts.values()];
}

type Decided = Finding<'decision_conflict'>['sides'][1];

function judgmentBlockers(state: RunState, changed: readonly string[], compose: ComposeFacts): Blocker[] {
  const wanted = compose.findings.filter(({ approval }) => approval !== 'delivery');
  const needed = byPolicy(wanted, ['approval']).map(({ evidence: paths, ...policy }) => ({
    ...policy,
    paths,
  }));
  const open = state.rules.decisions
    .filter(({ answer, paths }) => answer === null && changed.some((path) => matchesAny(path, paths)))
    .map(({ question, file }) => ({ source: 'decision' as const, question, file }));
  return [...needed, ...open]
    .map((finding) => blocker('judgment_missing', finding))
    .filter((found) => !isJudged(state, found));
}

function blocksOnTarget({ sink }: RunState): boolean {
  return ONTO_TARGET.has(sink.type) && !(sink.type === 'patch' && sink.againstBase === true);
}

function disagree(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && !sameAnswer(a, b);
}
