/** `policyLine`, `listedPaths`, `checkStatus`, `checkFails`, `failureLines`: parts of sentences that several blockers share. */
import type { FailedCheck } from './blocker-rule.ts';

/** Sentences show at most this many names. */
const SHOWN = 5;
const SHOWN_PATHS = 8;

export function policyLine({ rule, says }: { readonly rule: string; readonly says: string }): string {
  return `policy ${rule}: ${says}`;
}

export function changedLine({ paths }: { readonly paths: readonly string[] }): string {
  return `changed: ${paths.join(', ')}`;
}

export function listed(names: readonly string[]): string {
  return cutList([...new Set(names)], SHOWN);
}

export function listedPaths(paths: readonly string[], more = 0): string {
  return cutList(paths, SHOWN_PATHS, more);
}

/** For example `big.bin, core.1 and 3 more`. `more`: names beyond `names`. */
function cutList(names: readonly string[], shown: number, more = 0): string {
  const left = names.length - shown + more;
  return `${names.slice(0, shown).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

export function checkStatus({ command, timedOut, exitCode }: FailedCheck): string {
  return `${command}: ${timedOut ? 'timed out' : `exit ${exitCode}`}`;
}

export function checkFails({ command, timedOut, exitCode }: FailedCheck): string {
  return `${command} ${timedOut ? 'timed out' : `fails (exit ${exitCode})`}`;
}

export function failureLines({ flaky, before, output }: FailedCheck): readonly string[] {
  return [
    ...(flaky === null ? [] : [`flaky: ${flaky.passed} of ${flaky.runs} runs on the same tree passed`]),
    ...(before === null ? [] : [BEFORE[before]]),
    ...output,
  ];
}

/** The check is still required, but the agent did not cause the failure. */
const BEFORE = {
  same_output: 'it failed before the work with exactly the same output: not caused by this change',
  other_output: 'it failed before the work too',
} as const;
