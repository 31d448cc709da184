/** `planRun`: turns a wish into the first fact of a run. Everything doubtful is refused here, before anything is written. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { agentUser } from '../../act/hidden-from.ts';
import { preflight } from '../../act/attempt/preflight.ts';
import { detectProject } from '../../act/project/detect-project.ts';
import { assertHomeOutside } from '../../act/workspace/home-outside.ts';
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import type { PreflightProblem } from '../../agents/adapter.ts';
import { likelyNeeded } from '../../agents/credentials.ts';
import { findAdapter } from '../../agents/registry.ts';
import type { RehearsalScript } from '../../agents/rehearsal/script.ts';
import { type AgentChoice, adapterName } from '../../core/vocabulary/events/event.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { assertReaches } from '../../platform/process/agent-user.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { assertStartable } from '../../platform/container/startable.ts';
import { assertPersonHere } from '../../supervise/mail/assert-person.ts';
import { assertLabels } from '../../supervise/request/assert-labels.ts';
import { loadConfig } from '../../supervise/request/config.ts';
import type { Config } from '../../supervise/request/read-config.ts';
import { loadRunConfig, trustsSetup } from '../../supervise/request/config-trust.ts';
import { assertSet, type GivenEnvironment } from '../../supervise/request/given-environment.ts';
import { assertRunName, newRunId } from '../../supervise/request/run-name.ts';
import { type RunCreated, runSpec, type RunWish } from '../../supervise/request/run-spec.ts';
import { rehearsalScriptPath } from '../../supervise/request/store-rehearsal-script.ts';

export interface NewRun extends RunWish {
  /** In place of a drawn one. */
  readonly name?: string | undefined;
  readonly script?: RehearsalScript | null;
  readonly fallbacks?: readonly string[];
  /** Fallbacks that play scripts of their own, by name. */
  readonly scriptedFallbacks?: Readonly<Record<string, RehearsalScript>>;
  readonly given?: GivenEnvironment;
  /** The person trusts the commands in the repository's configuration and the set-up that it suggests, from now on. */
  readonly trust?: boolean;
  /** In place of the configuration files. */
  readonly config?: Config;
  readonly queued?: boolean;
  /** Which hosts of a fleet may take it, and how soon. */
  readonly labels?: readonly string[];
  readonly priority?: number;
}

export interface Planner {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly by: string;
}

export interface RunPlan {
  readonly planner: Planner;
  readonly wish: NewRun;
  readonly runId: string;
  readonly fact: RunCreated;
  /** The folder that no other run may work in meanwhile; null for a worktree. */
  readonly folder: string | null;
  /** What the person should know, and no reason to refuse. */
  readonly notes: PlanNotes;
}

export interface PlanNotes {
  /** Variables that are set and look needed, and that the agent will not see. */
  readonly withheld: readonly string[];
  readonly warnings: readonly PreflightProblem[];
  /** No check was given, and the project has this one. */
  readonly checkAtHand: string | null;
  /** The repository suggests this set-up, the workspace needs it, and no person allowed it. */
  readonly setupAtHand: string | null;
}

export async function planRun(
  planner: Planner,
  wish: NewRun,
  runId = wish.name ?? newRunId(),
): Promise<RunPlan> {
  if (wish.name !== undefined) assertRunName(wish.name);
  assertLabels(wish.labels ?? []);
  const { home, env, by } = planner;
  const { given = NOTHING_GIVEN, inPlace = false, includeDirty = false, trust = false } = wish;
  if (trust) await assertPersonHere(home, env, '`--trust`');
  // A worker takes a queued run: the value of a name is looked up there.
  if (wish.queued !== true) assertSet(given, env);
  // The configuration is read while git looks at the repository.
  const [repository, own] = await Promise.all([
    inspectRepository(wish.cwd, { home, env }),
    wish.config ?? loadConfig(home),
  ]);
  await assertHomeOutside(repository, { home, env, savesAll: inPlace || includeDirty });
  const { root } = repository;
  const isGit = repository.kind === 'git';
  const config = wish.config ?? (await loadRunConfig({ home, own, repository: root, trust }));
  const project = await detectProject(root, agentEnvironment(env)['PATH'] ?? '');
  // A repository is known by its git folder, which its worktrees share.
  const place = { home, repository: repository.commonDir ?? root, trust };
  const scripted = Object.keys(wish.scriptedFallbacks ?? {}).map((name) => ({
    name,
    adapter: 'rehearsal',
    command: [rehearsalScriptPath(home, runId, name)],
    model: null,
  }));
  const fact = await runSpec({
    ...wish,
    runId,
    repository: root,
    isGit,
    folder: repository.prefix,
    command: isGit && !inPlace ? await meantHere(wish, root, env) : (wish.command ?? []),
    config,
    project,
    trustsSetup: await trustsSetup(place, project.setup),
    script: wish.script ? rehearsalScriptPath(home, runId) : null,
    fallbacks: [...(wish.fallbacks ?? []), ...scripted],
    environment: given.names,
    by,
    now: Date.now(),
  });
  const user = agentUser(fact);
  if (user !== null) {
    if (!isGit || inPlace)
      throw usageError(
        'USER_NEEDS_WORKTREE',
        `--as-user ${user.name}: this folder is yours and stays yours`,
        [['do', 'run it in a git repository and leave out --in-place']],
      );
    assertReaches(user, [dirname(home), root, repository.commonDir ?? root]);
  }
  const agents = [fact.agent, ...fact.options.fallbacks];
  const warnings: PreflightProblem[] = [];
  for (const agent of agents) warnings.push(...(await assertReady(agent, env, wish.cwd)));
  const withheld = agents
    .filter((agent) => adapterName(agent) === 'command')
    .flatMap((agent) =>
      likelyNeeded(env, agent, [...fact.options.environment, ...(agent.env ?? []), ...given.names]),
    );
  const [check = null] = fact.task.checks.length === 0 ? project.checks : [];
  const { setupLeft, nodeModules } = fact.options;
  // Installed modules are copied: without changed dependencies nothing is missing. In place no set-up runs.
  const setup = nodeModules === 'setup' && isGit && !inPlace ? (setupLeft?.untrusted ?? null) : null;
  const notes = { withheld: [...new Set(withheld)], warnings, checkAtHand: check, setupAtHand: setup };
  return { planner, wish, runId, fact, folder: isGit && !inPlace ? null : root, notes };
}

/** A program by its path that the worktree will not have, because git does not, is the one that the person sees. */
async function meantHere(
  { command = [], cwd }: NewRun,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const [program = '', ...args] = command;
  const path = resolve(cwd, program);
  if (!program.includes('/') || isAbsolute(program) || !existsSync(path)) return command;
  const inside = relative(root, path);
  const listed = inside.startsWith('..')
    ? ''
    : (await guardedGit({ args: ['ls-files', '-z', '--', inside], cwd: root, env })).stdout;
  return listed.length === 0 ? [path, ...args] : command;
}

const NOTHING_GIVEN: GivenEnvironment = { names: [], values: {} };

/** Refuses before anything is written what would later be a puzzling failure. */
async function assertReady(
  agent: AgentChoice,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<readonly PreflightProblem[]> {
  const name = adapterName(agent);
  if (name === 'command')
    assertStartable({ argv: agent.command, cwd, env: agentEnvironment(env), stdinFile: null });
  const adapter = name === 'command' ? null : findAdapter(name);
  if (adapter === null) return [];
  return (await preflight(adapter, agent.command, env, new AbortController().signal)).warnings;
}
