/**
 * What happened to a run: the fixed vocabulary of failures and the default policy for each.
 * The table is data; `mayday.yaml` may override its policy columns, never its meaning.
 */

export type Strategy = 'wait' | 'resume' | 'restart' | 'reassign' | 'escalate';
export type Phase = 1 | 2 | 3 | 4;
export type Stage = 'explore' | 'build' | 'compose' | 'materialize';
/** Who else is hit by the same cause: it decides whether one run is held or many. */
export type FailureScope = 'session' | 'agent' | 'account' | 'host';
export type Category =
  | 'missing_context'
  | 'ambiguous_spec'
  | 'constraint_conflict'
  | 'capability_gap'
  | 'environment';
export type Concern = 'code' | 'scope' | 'policy' | 'verification' | 'judgment' | 'sink' | 'environment';

export interface ClassRule {
  readonly sign: string;
  readonly transient: boolean;
  /** Recoverable without a person. */
  readonly recoverable: boolean;
  readonly firstPhase: Phase;
  readonly strategy: Strategy;
  readonly returnTo: Stage | null;
  readonly scope: FailureScope;
  readonly category: Category;
  readonly concern: Concern;
}

function rule(
  sign: string,
  transient: boolean,
  recoverable: boolean,
  firstPhase: Phase,
  strategy: Strategy,
  returnTo: Stage | null,
  scope: FailureScope,
  category: Category,
  concern: Concern,
): ClassRule {
  return { sign, transient, recoverable, firstPhase, strategy, returnTo, scope, category, concern };
}

// biome-ignore format: a table is read by its columns
export const FAILURE_CLASSES = {
  test_failure: rule('a test runner reports failing tests', false, true, 2, 'resume', 'build', 'session', 'missing_context', 'code'),
  build_failure: rule('compile, type, lint or bundle errors', false, true, 2, 'resume', 'build', 'session', 'missing_context', 'code'),
  runtime_error: rule('uncaught exception, panic or crash of the program under work', false, true, 2, 'resume', 'build', 'session', 'missing_context', 'code'),
  timeout: rule('a tool or the whole task ran past its limit', true, true, 1, 'resume', 'build', 'session', 'capability_gap', 'code'),
  git_conflict: rule('merge, rebase, apply or stash conflict', false, false, 3, 'escalate', 'compose', 'session', 'constraint_conflict', 'judgment'),
  git_error: rule('lock left behind, push rejected, worktree exists, bad object', false, true, 1, 'resume', 'materialize', 'session', 'environment', 'sink'),
  auth_failure: rule('401, expired login, missing credential', false, false, 3, 'escalate', null, 'account', 'environment', 'environment'),
  permission_denied: rule('EACCES, denied tool, read-only', false, false, 3, 'escalate', 'explore', 'session', 'constraint_conflict', 'scope'),
  network_failure: rule('refused, DNS, reset, dropped stream', true, true, 1, 'wait', null, 'host', 'environment', 'environment'),
  rate_limited: rule('429, usage limit with a reset time', true, true, 1, 'wait', null, 'account', 'environment', 'environment'),
  overloaded: rule('5xx, 529', true, true, 1, 'wait', null, 'account', 'environment', 'environment'),
  context_overflow: rule('prompt too long, compaction failed', false, true, 2, 'restart', 'build', 'session', 'capability_gap', 'code'),
  session_corrupt: rule('the same 400 for ever, unreadable session', false, true, 2, 'restart', 'build', 'session', 'environment', 'environment'),
  budget_exhausted: rule('tokens, money, turns or time used up', false, false, 3, 'escalate', 'build', 'session', 'capability_gap', 'policy'),
  missing_dependency: rule('module, package, command or library not found', false, false, 3, 'escalate', 'build', 'host', 'environment', 'environment'),
  environment: rule('wrong version, missing variable, port taken, sandbox unusable', false, false, 3, 'escalate', null, 'host', 'environment', 'environment'),
  resource_exhausted: rule('out of memory, disk full, too many files', false, false, 1, 'wait', null, 'host', 'environment', 'environment'),
  interrupted: rule('SIGINT, SIGTERM, SIGHUP, 130, 143', true, true, 1, 'resume', 'build', 'session', 'environment', 'environment'),
  crashed: rule('the agent process itself died', true, true, 1, 'resume', 'build', 'session', 'environment', 'environment'),
  frozen: rule('stopped or uninterruptible process', true, true, 1, 'resume', 'build', 'session', 'environment', 'environment'),
  stalled: rule('alive, silent, no progress', false, true, 1, 'resume', 'build', 'session', 'capability_gap', 'code'),
  looping: rule('repeats without progress', false, true, 2, 'resume', 'build', 'session', 'missing_context', 'code'),
  waiting_for_input: rule('a prompt nobody can answer', false, false, 3, 'escalate', null, 'session', 'ambiguous_spec', 'judgment'),
  tool_protocol_error: rule('malformed tool call, MCP or JSON failure', false, true, 1, 'resume', 'build', 'session', 'environment', 'environment'),
  model_refusal: rule('policy refusal of the model', false, false, 3, 'escalate', null, 'session', 'constraint_conflict', 'policy'),
  false_success: rule('claims done; checks, diff or tokens say no', false, true, 2, 'resume', 'build', 'session', 'missing_context', 'verification'),
  unknown: rule('nothing fits', false, true, 1, 'resume', 'build', 'session', 'missing_context', 'code'),
} as const satisfies Record<string, ClassRule>;

export type FailureClass = keyof typeof FAILURE_CLASSES;

export const FAILURE_CLASS_NAMES = Object.keys(FAILURE_CLASSES) as readonly FailureClass[];

export function isFailureClass(name: string): name is FailureClass {
  return Object.hasOwn(FAILURE_CLASSES, name);
}
