/** The exit of the build stage: inside scope, not empty, complete, and proven by records that Mayday made? */
import { blocker, type Blocker } from '../blocker.ts';
import type { Fact } from '../event.ts';
import { matchesAny } from '../glob.ts';
import type { RecordedCheck, RunState } from '../run-state.ts';
import { gitTouched, touchPoints } from './touch-points.ts';
import { unsavedBlockers } from './unsaved-work.ts';

/** An answer widens the scope by what it was shown; beyond this the scope itself is wrong. */
const MAX_PATHS = 500;
const SHOWN_LINES = 5;

type ChecksFinished = Extract<Fact, { type: 'checks_finished' }>;

/** The round of checks in `fact` answers; an older round is about an older tree. */
export function buildGate(state: RunState, { at, changed, compose }: ChecksFinished): readonly Blocker[] {
  const foreign = compose?.submodules ?? [];
  const outside = changed.filter((path) => !matchesAny(path, state.scope.allowed) && !foreign.includes(path));
  const records = state.checks.filter((check) => check.purpose === 'gate' && check.at === at);
  const touched = touchPoints(changed, state.task.scope);
  const unsaved = unsavedBlockers(state);
  const { markers = [], leaving = [], findings = [] } = compose ?? {};
  return [
    ...(foreign.length > 0 ? [inSubmodule(foreign, foreign.length < changed.length)] : []),
    ...(outside.length > 0 ? [blocker('scope_exceeded', outside.slice(0, MAX_PATHS))] : []),
    ...unsaved,
    // What changed may be all that could not be saved.
    ...(changed.length === 0 && unsaved.length === 0 ? [blocker('empty_change', [])] : []),
    ...(markers.length > 0
      ? [blocker('work_too_vague', ['conflict markers are left in the work', ...markers])]
      : []),
    ...state.task.checks.flatMap((command) => checkBlockers(state, command, records)),
    ...findings
      .filter(({ kind }) => kind === 'not_changed')
      .map(({ rule, says, evidence }) =>
        blocker('missing_verification', [
          `policy ${rule}: ${says}`,
          `nothing that matches ${evidence.join(', ')} changed along`,
        ]),
      ),
    ...findings
      .filter(({ kind, evidence }) => kind === 'check' && !state.task.checks.includes(evidence[0] ?? ''))
      .map(({ rule, says, evidence }) =>
        blocker('check_not_recorded', [evidence[0] ?? '', `policy ${rule}: ${says}`]),
      ),
    ...(touched.length > 0 ? [blocker('touch_point_unrecorded', [`changed: ${touched.join(', ')}`])] : []),
    ...gitTouched(state),
    ...(leaving.length > 0
      ? [blocker('touch_point_unrecorded', [`links that leave the tree: ${leaving.join(', ')}`])]
      : []),
    ...findings
      .filter(({ kind }) => kind === 'touch_point')
      .map(({ rule, says, evidence }) =>
        blocker('touch_point_unrecorded', [`policy ${rule}: ${says}`, `changed: ${evidence.join(', ')}`]),
      ),
  ];
}

/** No scope can be widened to another repository. */
function inSubmodule(paths: readonly string[], hasMore: boolean): Blocker {
  return {
    ...blocker('scope_exceeded', paths.slice(0, MAX_PATHS)),
    resolutions: [...(hasMore ? (['split_work'] as const) : []), 'revise_work', 'abandon'],
  };
}

function checkBlockers(state: RunState, command: string, all: readonly RecordedCheck[]): Blocker[] {
  const records = all.filter((record) => record.command === command);
  const runs = records.filter(({ variant }) => variant === 'candidate');
  const failed = runs.find(({ passed }) => !passed);
  const before = state.checks.findLast((check) => check.purpose === 'baseline' && check.command === command);
  if (runs.length === 0) return [blocker('check_not_recorded', [command])];
  if (failed !== undefined) return [blocker('check_failed', failureEvidence(failed, runs, before))];
  const base = records.find(({ variant, passed }) => variant === 'base' && !passed);
  if (base !== undefined) return [blocker('verification_outdated', judgeChanged(base))];
  const disturbed = records.flatMap((record) => strangeChanges(record, before));
  if (disturbed.length > 0)
    return [
      blocker('check_not_recorded', [
        command,
        `its tree was disturbed while it ran: ${list(disturbed)}; the result does not count`,
        'that was not so before the work; look for a process that outlived the agent, or for a check that rewrites its own files',
      ]),
    ];
  return fewerTests(command, runs[0]?.tests?.total, before?.tests?.total);
}

/** A runner that counted before and says nothing now was ended, replaced or told to be silent. */
function fewerTests(command: string, now: number | undefined, earlier: number | undefined): Blocker[] {
  if (earlier === undefined || (now !== undefined && now >= earlier)) return [];
  return [
    blocker('missing_verification', [
      `${command}: ${now === undefined ? 'the runner does not say how many tests ran' : `${now} tests ran`}, ${earlier} before the work`,
      'fewer tests than before prove less than before',
    ]),
  ];
}

/** Files that changed under a passing check and did not do so before the work, when no agent had run yet. */
function strangeChanges(
  { passed, disturbed = [] }: RecordedCheck,
  before: RecordedCheck | undefined,
): string[] {
  const habit = new Set(before?.disturbed);
  return passed ? disturbed.filter((path) => !habit.has(path)) : [];
}

function judgeChanged(base: RecordedCheck): string[] {
  const [status = '', ...lines] = failureEvidence(base, [], undefined);
  const what = list(base.asBefore ?? ['the test files']);
  return [status, `it passes only with what the work changed in ${what}`, ...lines];
}

function list(paths: readonly string[]): string {
  const shown = [...new Set(paths)];
  const more = shown.length > SHOWN_LINES ? ` and ${shown.length - SHOWN_LINES} more` : '';
  return `${shown.slice(0, SHOWN_LINES).join(', ')}${more}`;
}

function failureEvidence(
  check: RecordedCheck,
  runs: readonly RecordedCheck[],
  before: RecordedCheck | undefined,
): string[] {
  const status = check.timedOut ? 'timed out' : `exit ${check.exitCode}`;
  const passes = runs.filter(({ passed }) => passed).length;
  return [
    `${check.command}: ${status}`,
    ...(passes > 0 ? [`flaky: ${passes} of ${runs.length} runs on the same tree passed`] : []),
    ...(before !== undefined && !before.passed ? [redBefore(check, before)] : []),
    ...lastLines(check.outputTail),
  ];
}

/** Still required, but not the agent's doing. */
function redBefore(check: RecordedCheck, before: RecordedCheck): string {
  return check.outputHash === before.outputHash
    ? 'it failed before the work with exactly the same output: not caused by this change'
    : 'it failed before the work too';
}

function lastLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-SHOWN_LINES);
}
