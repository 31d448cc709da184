/**
 * `ROLES_OF_CLASS`, `WORDS_OF_CLASS`: what bears out a class that a model names: which program ran, plain words of the quoted line.
 * `WORK_CLASSES_ALIKE`: the classes that only the program tells apart; the same is done about each.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Role } from './programs.ts';

/** What a program of a kind fails with by itself. */
export const ROLES_OF_CLASS: Readonly<Partial<Record<FailureClass, readonly Role[]>>> = {
  test_failure: ['test'],
  build_failure: ['build', 'lint', 'check'],
  runtime_error: ['runtime', 'shell', 'database'],
  git_error: ['git'],
  git_conflict: ['git'],
};

export const WORK_CLASSES_ALIKE: ReadonlySet<string> = new Set<FailureClass>([
  'test_failure',
  'build_failure',
  'runtime_error',
]);

/**
 * Plain words of the cause, in any program. They confirm what a model says of its own quotation, and are no finding: alone they stand in
 * too many lines that say something else.
 */
export const WORDS_OF_CLASS: Readonly<Partial<Record<FailureClass, RegExp>>> = {
  missing_dependency:
    /\b(?:not (?:be |currently |yet )?(?:found|installed)|no (?:such )?(?:module|package|library) )/i,
  network_failure:
    /\b(?:connect(?:ion)? (?:refused|reset|closed|error)|name resolution|resolve host|unreachable|certificate)\b/i,
  auth_failure:
    /\b(?:unauthori[sz]ed|authenticat\w+|not logged in|log ?in|api key|access key|credentials?|publickey)\b/i,
  rate_limited: /\b(?:too many requests|rate.?limit\w*|(?:usage|session|weekly) limit|quota will reset)\b/i,
  overloaded: /\b(?:overloaded|service unavailable|bad gateway|no capacity|maintenance)\b/i,
  budget_exhausted:
    /\b(?:credits?|billing|insufficient.quota|spend\w* (?:cap|limit)|max\w* (?:turns|iterations|reflections))\b/i,
  context_overflow: /\b(?:context (?:length|window)|prompt is too long|too many tokens)\b/i,
  timeout: /\b(?:timed? ?out|timeout|deadline)\b/i,
  resource_exhausted: /\b(?:out of memory|no space left|too many open files|disk quota|oom)\b/i,
  permission_denied: /\b(?:permission denied|not permitted|read-only|EACCES|EPERM)\b/i,
  interrupted: /\b(?:interrupted|cancell?ed|SIG(?:INT|TERM|HUP))\b/i,
  git_conflict: /\b(?:conflict|unmerged)\b/i,
};
