/** The exit of the compose stage: does the change hold together with the world it goes into (target, other runs, policies, decisions)? */
import { blocker, type Blocker } from '../blocker.ts';
import type { Fact } from '../event.ts';
import { matchesAny } from '../glob.ts';
import type { RecordedCheck, RunState } from '../run-state.ts';
import type { SinkSpec } from '../task.ts';
import type { ComposeFacts } from './compose-facts.ts';
import { type DecisionRecord, type RepositoryRules, sameAnswer, sameQuestion } from './rules.ts';

type ChecksFinished = Extract<Fact, { type: 'checks_finished' }>;

/** Sinks that put the work onto the target; a branch or folder of its own can wait for its merge. */
const ONTO_TARGET: ReadonlySet<SinkSpec['type']> = new Set(['merge', 'pull_request', 'patch']);

export function composeGate(state: RunState, { at, changed, compose }: ChecksFinished): readonly Blocker[] {
  if (compose === undefined || changed.length === 0) return [];
  return [
    ...policyBlockers(compose),
    ...conflictBlockers(state, compose),
    ...composedChecks(state.checks.filter((check) => check.at === at)),
    ...decisionBlockers(state, changed, compose.targetRules),
    ...judgmentBlockers(state, changed, compose),
  ];
}

/** Told although it does not block: what a person may want to know before they merge. */
export function composeWarnings(state: RunState, compose: ComposeFacts): string[] {
  const { target, overlaps } = compose;
  const conflicts = target === null ? [] : target.conflicts;
  return [
    ...(conflicts.length > 0 && !blocksOnTarget(state)
      ? [`${target?.name} moved on and conflicts in ${conflicts.join(', ')}; merging will need a hand`]
      : []),
    ...overlaps.map(({ run, paths }) => `run ${run} changes ${paths.join(', ')} too`),
  ];
}

function policyBlockers({ findings }: ComposeFacts): Blocker[] {
  return findings
    .filter(({ kind }) => kind === 'forbidden' || kind === 'missing')
    .map(({ rule, says, evidence }) => blocker('policy_violated', [`policy ${rule}: ${says}`, ...evidence]));
}

function conflictBlockers(state: RunState, { target, overlaps }: ComposeFacts): Blocker[] {
  if (!blocksOnTarget(state)) return [];
  const found: Blocker[] = [];
  if (target !== null && target.conflicts.length > 0)
    found.push(
      blocker('change_conflict', [
        `${target.name} conflicts in ${target.conflicts.join(', ')}`,
        `this run: ${firstLine(state.task.text)}`,
        ...target.theirs.map((subject) => `${target.name}: ${subject}`),
      ]),
    );
  for (const { run, task, conflicts, older } of overlaps)
    if (older && conflicts.length > 0)
      found.push(
        blocker('change_conflict', [
          `run ${run} conflicts in ${conflicts.join(', ')}`,
          `this run: ${firstLine(state.task.text)}`,
          `run ${run}: ${firstLine(task)}`,
        ]),
      );
  return found;
}

function composedChecks(records: readonly RecordedCheck[]): Blocker[] {
  return records
    .filter(({ variant, passed }) => variant === 'composed' && !passed)
    .map(({ command, exitCode, outputTail }) =>
      blocker('change_conflict', [
        `${command}: exit ${exitCode} on the merged result, though it passes without the target's changes`,
        ...outputTail.trim().split('\n').slice(-5),
      ]),
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
  const conflicts = new Map<string, string>();
  for (const [index, one] of recorded.entries()) {
    for (const other of recorded.slice(index + 1))
      if (sameQuestion(one.question, other.question) && disagree(one.answer, other.answer))
        conflicts.set(one.question, `"${one.answer}" (${from(one)}) and "${other.answer}" (${from(other)})`);
    for (const own of said)
      if (sameQuestion(one.question, own.question) && disagree(one.answer, own.answer))
        conflicts.set(one.question, `"${one.answer}" (${from(one)}) and "${own.answer}" (this run)`);
  }
  return [...conflicts].map(([question, both]) => blocker('decision_conflict', [question, both]));
}

function judgmentBlockers(state: RunState, changed: readonly string[], compose: ComposeFacts): Blocker[] {
  const given = (question: string) => state.judgments.some((one) => sameQuestion(one.question, question));
  const needed = compose.findings
    .filter(({ kind, approval }) => kind === 'approval' && approval !== 'delivery')
    .map(
      ({ rule, says, evidence }) => [`policy ${rule}: ${says}`, `changed: ${evidence.join(', ')}`] as const,
    );
  const open = state.rules.decisions
    .filter(({ answer, paths }) => answer === null && changed.some((path) => matchesAny(path, paths)))
    .map((decision) => [decision.question, `open in ${decision.file}`] as const);
  return [...needed, ...open]
    .filter(([question]) => !given(question))
    .map((evidence) => blocker('judgment_missing', evidence));
}

function blocksOnTarget({ sink }: RunState): boolean {
  return ONTO_TARGET.has(sink.type) && !(sink.type === 'patch' && sink.againstBase === true);
}

function disagree(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && !sameAnswer(a, b);
}

function from({ file, by }: DecisionRecord): string {
  return by === null ? file : `${file}, ${by}`;
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, 200);
}
