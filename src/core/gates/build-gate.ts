/** `buildGate`: the blockers at the exit of the build stage: is the work in scope, not empty, complete, and proven by recorded checks? */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker, FailedCheck } from '../vocabulary/blockers/blocker-rule.ts';
import { JUDGE_POLICIES, UNRELATED_POLICIES } from '../vocabulary/policy.ts';
import type { ChangedJudge, UnrelatedFile } from '../vocabulary/proof.ts';
import { byPolicy } from '../vocabulary/events/compose-facts.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import type { Resolution } from '../vocabulary/questions/resolution.ts';
import { matchesAny } from '../text/glob.ts';
import { tellsNothing } from '../text/tells-nothing.ts';
import type { RecordedCheck, RunState } from '../state/run-state.ts';
import { unsavedBlockers } from './unsaved-work.ts';
import { wordList } from '../text/word-list.ts';

/** An answer can widen the scope by the paths that are shown. With more paths than this, the scope itself is wrong. */
const MAX_PATHS = 500;
const SHOWN_LINES = 5;

type ChecksFinished = FactOf<'checks_finished'>;

/** Only the checks of this round count; an older round is about an older tree. */
export function buildGate(
  state: RunState,
  { at, changed, compose, judges = [], unrelated = [] }: ChecksFinished,
): readonly Blocker[] {
  const foreign = compose?.submodules ?? [];
  const own = changed.filter((path) => !foreign.includes(path));
  const outside = own.filter((path) => !matchesAny(path, state.scope.allowed));
  const split = outside.length < own.length ? (['split_work'] as const) : [];
  const records = state.checks.filter((check) => check.purpose === 'gate' && check.at === at);
  const touched = touchPoints(changed, state.task.scope);
  const unsaved = unsavedBlockers(state);
  const { markers = [], leaving = [], findings = [], movedRefs = [], leftProcesses = [] } = compose ?? {};
  return [
    // A submodule is another repository: no answer can widen the scope to it.
    ...(foreign.length > 0 ? [leavesScope('submodule', foreign, [...split, 'revise_work'])] : []),
    ...(outside.length > 0
      ? [leavesScope('change', outside, ['expand_scope', 'revise_work', ...split])]
      : []),
    ...unsaved,
    // A change can look empty because none of its files could be saved.
    ...(changed.length === 0 && unsaved.length === 0 ? [blocker('empty_change', { source: 'gate' })] : []),
    ...(markers.length > 0 ? [blocker('work_too_vague', { source: 'markers', markers })] : []),
    ...state.task.checks.flatMap((command) => checkBlockers(state, command, records)),
    ...byPolicy(findings, ['not_changed']).map(({ evidence: wanted, ...policy }) =>
      blocker('missing_verification', { ...policy, wanted }),
    ),
    ...byPolicy(findings, ['check'])
      .map(({ evidence: [command = ''], ...policy }) => ({ ...policy, command }))
      .filter(({ command }) => !state.task.checks.includes(command))
      .map((finding) => blocker('check_not_recorded', finding)),
    ...(touched.length > 0 ? [blocker('touch_point_unrecorded', { source: 'change', paths: touched })] : []),
    ...judgesChanged(state, judges),
    ...filesUnrelated(state, unrelated),
    ...gitTouched(state),
    ...(movedRefs.length > 0 ? [blocker('touch_point_unrecorded', { source: 'refs', refs: movedRefs })] : []),
    ...(leftProcesses.length > 0
      ? [blocker('touch_point_unrecorded', { source: 'processes', processes: leftProcesses })]
      : []),
    ...(leaving.length > 0 ? [blocker('touch_point_unrecorded', { source: 'links', links: leaving })] : []),
    ...byPolicy(findings, ['touch_point']).map(({ evidence: paths, ...policy }) =>
      blocker('touch_point_unrecorded', { ...policy, paths }),
    ),
  ];
}

function leavesScope(
  source: 'change' | 'submodule',
  paths: readonly string[],
  resolutions: readonly Resolution[],
): Blocker {
  return blocker('scope_exceeded', { source, paths: paths.slice(0, MAX_PATHS) }, [...resolutions, 'abandon']);
}

function checkBlockers(state: RunState, command: string, all: readonly RecordedCheck[]): Blocker[] {
  const records = all.filter((record) => record.command === command);
  const runs = records.filter(({ variant }) => variant === 'candidate');
  const failed = runs.find(({ passed }) => !passed);
  const before = state.checks.findLast((check) => check.purpose === 'baseline' && check.command === command);
  if (runs.length === 0) return [blocker('check_not_recorded', { source: 'task', command })];
  if (failed !== undefined) return [blocker('check_failed', failure(failed, runs, before))];
  const base = records.find(({ variant, passed }) => variant === 'base' && !passed);
  if (base !== undefined) {
    const judges = base.asBefore ?? ['the test files'];
    return [blocker('verification_outdated', { ...failure(base, [], undefined), judges })];
  }
  const files = records.flatMap((record) => strangeChanges(record, before));
  if (files.length > 0) {
    const found = records.flatMap(({ outside }) => outside ?? []);
    const outside = {
      before: found.flatMap((one) => one.before).filter((path) => files.includes(path)),
      during: found.flatMap((one) => one.during).filter((path) => files.includes(path)),
    };
    return [
      blocker('check_not_recorded', {
        source: 'disturbed',
        command,
        files,
        ...(found.length === 0 ? {} : { outside }),
      }),
    ];
  }
  return fewerTests(command, runs[0]?.tests?.total, before?.tests?.total);
}

/** A runner that counted before and says nothing now was ended, replaced or told to be silent. */
function fewerTests(command: string, now: number | undefined, before: number | undefined): Blocker[] {
  if (before === undefined || (now !== undefined && now >= before)) return [];
  return [blocker('missing_verification', { source: 'test_count', command, now: now ?? null, before })];
}

/** Files that changed under a passing check and did not do so before the work, when no agent had run yet. */
function strangeChanges(
  { passed, disturbed = [] }: RecordedCheck,
  before: RecordedCheck | undefined,
): string[] {
  const habit = new Set(before?.disturbed);
  return passed ? disturbed.filter((path) => !habit.has(path)) : [];
}

function failure(
  { command, exitCode, timedOut, outputHash, ...said }: RecordedCheck,
  runs: readonly RecordedCheck[],
  before: RecordedCheck | undefined,
): FailedCheck {
  const passed = runs.filter((run) => run.passed).length;
  return {
    source: 'check',
    command,
    exitCode,
    timedOut,
    flaky: passed > 0 ? { passed, runs: runs.length } : null,
    before:
      before === undefined || before.passed
        ? null
        : outputHash === before.outputHash
          ? 'same_output'
          : 'other_output',
    output: tellingLines(said),
  };
}

/** The line that names the cause with what follows it, and the last line: runners end with counts. Otherwise the last lines. */
function tellingLines({ outputTail, causeLine }: Pick<RecordedCheck, 'outputTail' | 'causeLine'>): string[] {
  const lines = outputTail
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !tellsNothing(line));
  if (lines.length <= SHOWN_LINES) return lines;
  const at = lines.indexOf(causeLine ?? '');
  if (at < 0 || at > lines.length - SHOWN_LINES) return lines.slice(-SHOWN_LINES);
  return [...lines.slice(at, at + SHOWN_LINES - 1), ...lines.slice(-1)];
}

const TOUCH_POINTS: readonly string[] = wordList(`
  .github/workflows/** .github/actions/** .github/CODEOWNERS CODEOWNERS .gitlab-ci.yml .gitlab/ci/**
  .circleci/** .buildkite/** azure-pipelines.yml bitbucket-pipelines.yml Jenkinsfile .drone.yml .woodpecker.yml
  .woodpecker/** .ci/** mayday.yaml .mayday/policies/** .mayday/decisions/**`);

/**
 * Changed paths that steer other people's work or the judging itself (CI, owners, Mayday's rules, git's configuration). A change of them
 * must be recorded, unless the task names them.
 */
function touchPoints(changed: readonly string[], owned: readonly string[]): string[] {
  return changed.filter((path) => matchesAny(path, TOUCH_POINTS) && !matchesAny(path, owned));
}

/** Reasons that are asked about by default. Where a check passes only with the change, `verification_outdated` says so. */
const ASKED_ABOUT: ReadonlySet<ChangedJudge['why']> = new Set(['protected', 'no_longer_read']);

/** Where the work changed what judges it, the policy says what of that is asked about. What the task owns is only told. */
function judgesChanged({ policy, task }: RunState, judges: readonly ChangedJudge[]): Blocker[] {
  const choice = JUDGE_POLICIES[policy.changed_judges] ?? 'by_reason';
  const asked = judges
    .filter(({ path }) => !matchesAny(path, task.scope))
    .filter(
      ({ why, opinion }) => choice !== 'by_reason' || ASKED_ABOUT.has(why) || opinion?.weakens === true,
    );
  if (choice === 'tell' || asked.length === 0) return [];
  const resolutions = choice === 'refuse' ? (['revise_work', 'abandon'] as const) : undefined;
  return [blocker('touch_point_unrecorded', { source: 'judges', judges: asked }, resolutions)];
}

/** A file or two beside the task are told. An agent that forgot its task writes many. */
const MANY_UNRELATED = 5;

function filesUnrelated({ policy, task }: RunState, all: readonly UnrelatedFile[]): Blocker[] {
  const choice = UNRELATED_POLICIES[policy.unrelated] ?? 'by_number';
  const unrelated = all.filter(({ path }) => !matchesAny(path, task.scope));
  const isAsked = choice === 'ask' ? unrelated.length > 0 : unrelated.length >= MANY_UNRELATED;
  if (choice === 'tell' || !isAsked) return [];
  return [blocker('touch_point_unrecorded', { source: 'unrelated', unrelated })];
}

/** The repository's own git configuration and hooks: the person's git would run them next. They are never part of a task. */
function gitTouched({ attempts }: RunState): Blocker[] {
  const { configChanged = [], configUndo = [] } = attempts.at(-1)?.examination ?? {};
  if (configChanged.length === 0) return [];
  return [blocker('touch_point_unrecorded', { source: 'git', files: configChanged, undo: configUndo })];
}
