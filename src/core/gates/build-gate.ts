/** The exit of the build stage: is the change inside scope, not empty, and proven by records that Mayday made? */
import { blocker, type Blocker } from '../blocker.ts';
import { matchesAny } from '../glob.ts';
import type { RecordedCheck, RunState } from '../run-state.ts';

const MAX_PATHS = 20;

/** `at`: the round of checks that answers; an older round is about an older tree. */
export function buildGate(state: RunState, at: number, changed: readonly string[]): readonly Blocker[] {
  const outside = changed.filter((path) => !matchesAny(path, state.scope.allowed));
  const records = state.checks.filter((check) => check.purpose === 'gate' && check.at === at);
  return [
    ...(outside.length > 0 ? [blocker('scope_exceeded', outside.slice(0, MAX_PATHS))] : []),
    ...(changed.length === 0 ? [blocker('empty_change', [])] : []),
    ...state.task.checks.flatMap((command) =>
      checkBlockers(
        command,
        records.filter((record) => record.command === command),
      ),
    ),
  ];
}

function checkBlockers(command: string, records: readonly RecordedCheck[]): Blocker[] {
  const candidate = records.findLast(({ variant }) => variant === 'candidate');
  if (candidate === undefined) return [blocker('check_not_recorded', [command])];
  if (!candidate.passed) return [blocker('check_failed', failureEvidence(candidate))];
  const base = records.findLast(({ variant }) => variant === 'base');
  return base !== undefined && !base.passed ? [blocker('verification_outdated', failureEvidence(base))] : [];
}

function failureEvidence(check: RecordedCheck): string[] {
  const status = check.timedOut ? 'timed out' : `exit ${check.exitCode}`;
  return [`${check.command}: ${status}`, ...lastLines(check.outputTail)];
}

function lastLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-5);
}
