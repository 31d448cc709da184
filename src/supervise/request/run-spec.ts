/** `runSpec`: makes the first fact of a run from what a person typed and configured. It refuses all doubtful input before any write. */
import type { ProjectProposal } from '../../act/project/detect-project.ts';
import type { AgentChoice, RunOptions, FactOf } from '../../core/vocabulary/events/event.ts';
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../core/vocabulary/policy.ts';
import type { Task } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { chooseAgent, namedAgent } from './choose-agent.ts';
import { classPolicies } from './class-policies.ts';
import type { Config } from './read-config.ts';
import { agentPolicyOf, policyOf } from './config.ts';
import { assertSink } from './parse-sink.ts';
import { opinionOf } from './opinion-choice.ts';
import { parseSink } from './parse-sink.ts';
import { type BudgetRequest, runBudget } from './run-budget.ts';

/** Far more than any brief can use; a longer text comes from the wrong file. */
export const MAX_TASK_CHARS = 1_000_000;
const MAX_GLOB_CHARS = 1_000;

/** What a person asks for, by command line, library or drill. What is left out comes from the configuration or has a default. */
export interface RunWish extends BudgetRequest {
  readonly task: string;
  /** The person gave a task, even an empty one: then the command is not used as the task. */
  readonly taskGiven?: boolean;
  /** The person's current folder; relative paths begin there. */
  readonly cwd: string;
  readonly agent?: string | undefined;
  readonly command?: readonly string[];
  /** The name of the agent behind the command; left out: `command`. */
  readonly commandName?: string;
  readonly checks?: readonly string[];
  readonly scope?: readonly string[];
  readonly scopeAt?: string | undefined;
  readonly decisions?: Task['decisions'] | undefined;
  readonly expectedMs?: number | null;
  readonly size?: string | undefined;
  readonly timeoutMs?: number | null;
  /** The command that makes a fresh workspace usable; `none`: there is none. */
  readonly setup?: string | undefined;
  readonly sink?: string | undefined;
  /** Where those of these wishes come from that the person at the terminal did not type: a sink from there must stay in the repository. */
  readonly saidIn?: { readonly place: string; readonly names: readonly ('check' | 'scope' | 'sink')[] };
  readonly explore?: boolean;
  readonly inPlace?: boolean;
  /** The user of this machine that agent and checks are to be. */
  readonly asUser?: string | undefined;
  readonly includeDirty?: boolean;
  /** Who is asked for opinions: NAME, `command:LINE` or `none`. */
  readonly opinion?: string | undefined;
  readonly autoResume?: boolean;
  readonly policy?: Partial<Policy>;
}

export interface RunRequest extends RunWish {
  readonly runId: string;
  readonly repository: string;
  /** False for a plain folder: there is no branch to deliver to. */
  readonly isGit: boolean;
  /** The person's current folder inside the repository; empty at its top. */
  readonly folder?: string;
  /** The configurations of the person and of the repository together; the repository's values win. */
  readonly config: Config;
  readonly project: ProjectProposal;
  /** A person allowed the set-up that the project suggests. */
  readonly trustsSetup: boolean;
  /** Path of the rehearsal agent's script. */
  readonly script?: string | null;
  /** Names of agents; drills give scripted ones as they are. */
  readonly fallbacks?: readonly (string | AgentChoice)[];
  /** Names of variables that the person passes with this run. */
  readonly environment?: readonly string[];
  readonly by: string;
  readonly now: number;
}

export type RunCreated = FactOf<'run_created'>;

export async function runSpec(request: RunRequest): Promise<RunCreated> {
  const { config, runId, project, inPlace = false, timeoutMs = null } = request;
  const asUser = request.asUser ?? config.as_user;
  const agent = chooseAgent(request);
  const fallbacks = orConfigured(request.fallbacks, config.fallbacks).map((one) =>
    typeof one === 'string' ? namedAgent(one, config) : one,
  );
  const text = taskText(request, agent);
  const checks = orConfigured(request.checks, config.checks);
  for (const check of checks) {
    if (check.trim() === '' || check.includes('\0'))
      throw usageError('WRONG_CHECK', `${told(request, 'check', check)} is not a command`, [
        ['do', 'give what proves the work in a shell, e.g. --check "npm test"'],
      ]);
  }
  const scope = orConfigured(request.scope, config.scope);
  for (const glob of scope) assertGlob(glob, told(request, 'scope', glob));
  const overrides = {
    ...policyOf(config),
    ...request.policy,
    ...(timeoutMs === null ? {} : { timeout_ms: timeoutMs }),
  };
  // In place the work already lies where the person wants it.
  const sink = request.sink ?? config.sink ?? (inPlace || !request.isGit ? 'none' : 'branch');
  const from = request.sink === undefined ? request.repository : request.cwd;
  const isNamed = request.sink !== undefined && request.saidIn?.names.includes('sink') !== true;
  const where = parseSink(sink, runId, from, isNamed, told(request, 'sink', sink));
  await assertSink(where, request);
  const opinion = opinionOf(request.opinion, config, agent);
  return {
    type: 'run_created',
    at: request.now,
    task: {
      text,
      checks,
      scope,
      budget: runBudget(request, config.budget, [agent, ...fallbacks]),
      expectedMs: request.expectedMs ?? null,
      size: size(request.size),
      ...(request.decisions === undefined ? {} : { decisions: request.decisions }),
      ...(request.scopeAt === undefined ? {} : { scopeAt: request.scopeAt }),
      sink: where,
    },
    policy: withPolicy(DEFAULT_POLICY, overrides),
    agent,
    options: {
      inPlace,
      includeDirty: request.includeDirty ?? false,
      ...(asUser === undefined ? {} : { asUser }),
      ...(request.explore === true ? { explore: true } : {}),
      // Checks of the configuration run at the top of the repository; checks that a person types run in the person's folder.
      ...(request.folder ? { folder: request.folder } : {}),
      ...(request.folder && (request.checks ?? []).length > 0 ? { checkFolder: request.folder } : {}),
      autoResume: request.autoResume ?? true,
      fallbacks,
      permissions: config.permissions ?? [],
      ...setupOf(request),
      ignoredToCopy: config.copy ?? project.ignoredToCopy,
      nodeModules: config.node_modules ?? project.nodeModules,
      environment: [...new Set([...(config.environment ?? []), ...(request.environment ?? [])])],
      ...(config.protect === undefined ? {} : { protects: config.protect }),
      script: request.script ?? null,
      ...(config.delivery?.commits === undefined ? {} : { commits: config.delivery.commits }),
      ...(config.classes === undefined ? {} : { classes: classPolicies(config.classes) }),
      ...(config.agent_policy === undefined ? {} : { agentPolicy: agentPolicyOf(config) }),
      ...(config.patterns === undefined ? {} : { patterns: config.patterns }),
      ...(opinion.type === 'none' ? {} : { opinion }),
    },
    repository: request.repository,
    by: request.by,
  };
}

/** The files of a repository only suggest a set-up: it runs where a person allowed it. */
function setupOf({
  setup,
  config,
  project,
  trustsSetup,
}: RunRequest): Pick<RunOptions, 'setup' | 'setupLeft'> {
  const given = setup ?? config.setup;
  if (given !== undefined && (given.trim() === '' || given.includes('\0')))
    throw usageError('WRONG_SETUP', `${JSON.stringify(given.slice(0, 80))} is not a set-up command`, [
      ['do', 'give what makes a fresh workspace usable, e.g. --setup "npm ci", or --setup none'],
    ]);
  if (given !== undefined) return { setup: given.trim() === 'none' ? null : given };
  const { lacks } = project;
  if (project.setup === null || trustsSetup)
    return { setup: project.setup, ...(lacks.length === 0 ? {} : { setupLeft: { untrusted: null, lacks } }) };
  return { setup: null, setupLeft: { untrusted: project.setup, lacks } };
}

function orConfigured<T>(asked: readonly T[] = [], configured: readonly T[] = []): readonly T[] {
  return asked.length > 0 ? asked : configured;
}

function taskText({ task, taskGiven = false, command = [] }: RunRequest, agent: AgentChoice): string {
  if (task.length > MAX_TASK_CHARS)
    throw usageError(
      'TASK_TOO_LONG',
      `the task has ${task.length} characters; at most ${MAX_TASK_CHARS} make sense`,
      [['do', 'say what should be done, and name the files that hold the rest']],
    );
  if (task.includes('\0'))
    throw usageError('WRONG_TASK', 'the task contains a NUL byte', [
      ['do', 'give plain text; is --task-file a binary file?'],
    ]);
  if (task.trim() !== '') return task;
  if (agent.name === 'command' && !taskGiven) return command.join(' ');
  throw usageError('EMPTY_TASK', 'there is no task', [
    ['do', 'mayday run --agent NAME "what should be done"    or    --task-file FILE'],
  ]);
}

/** Scopes are paths inside the repository; one that points elsewhere would never match and silently allow nothing. */
function assertGlob(glob: string, what: string): void {
  const broken =
    glob.trim() === '' ||
    glob.length > MAX_GLOB_CHARS ||
    /[\0\n\r]/.test(glob) ||
    glob.startsWith('/') ||
    glob.split('/').includes('..');
  if (broken)
    throw usageError('WRONG_SCOPE', `${what} is no path in this repository`, [
      ['do', 'give a glob relative to the top of the repository, e.g. --scope "src/**"'],
    ]);
}

/** A wrong value with the place that it comes from. */
function told(
  { saidIn, checks = [], scope = [], sink }: RunRequest,
  name: 'check' | 'scope' | 'sink',
  value: string,
): string {
  const quoted = JSON.stringify(value.slice(0, 80));
  const isAsked = { check: checks.length > 0, scope: scope.length > 0, sink: sink !== undefined }[name];
  if (!isAsked) return `${name} ${quoted} of mayday.yaml`;
  return saidIn?.names.includes(name) === true
    ? `${name} ${quoted} of ${saidIn.place}`
    : `--${name} ${quoted}`;
}

function size(text: string | undefined): 'simple' | 'complex' | null {
  if (text === undefined) return null;
  if (text === 'simple' || text === 'complex') return text;
  throw usageError('WRONG_SIZE', `--size is simple or complex, not ${JSON.stringify(text)}`, [
    ['do', 'simple: fewer than 5 files change; complex: everything else; or leave it out'],
  ]);
}
