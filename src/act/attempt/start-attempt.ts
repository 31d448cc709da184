/**
 * `startAttempt`: the act that starts an agent, at most once per attempt. The claim in the attempt's directory decides
 * whether it has started, so that a keeper after a crash does not start it twice.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findAdapter } from '../../agents/registry.ts';
import type { AgentAdapter, LaunchContext, LaunchPlan, McpServerCommand } from '../../agents/adapter.ts';
import { adapterName, type Fact } from '../../core/vocabulary/events/event.ts';
import { withNotePaths } from '../../core/view/brief/note-paths.ts';
import type { RunState } from '../../core/state/run-state.ts';
import type { ContainerHandle } from '../../platform/container/container-handle.ts';
import { findAttempt, startContained } from '../../platform/container/container.ts';
import { writeFileDurably, writeFileWhole } from '../../platform/file/durable-write.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { settingsEnvironment } from '../../platform/git/git.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import { waitForAll } from '../../platform/wait-for-all.ts';
import type { Act, ActContext } from '../act.ts';
import { bringBackWorkspace } from '../bring-back-workspace.ts';
import { agentUser, hiddenFrom } from '../hidden-from.ts';
import { openDoors } from '../../platform/process/outside-programs.ts';
import { preflight } from './preflight.ts';
import { type LaunchFiles, launchFilesPath, readLaunchFiles } from './launch-files.ts';
import { runEnvironment } from '../run-environment.ts';
import { resumableSession } from './resumable-session.ts';
import { placeRescueFiles } from './rescue-files.ts';
import { agentDir, agentFiles, attemptDir } from '../run-files.ts';
import { UNKNOWN_SESSION } from './session-files.ts';
import { agentLayers } from '../tool-caches.ts';
import { keepDigest } from '../workspace/repository-changes.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

/** What every part of a start works with. */
interface Start {
  readonly context: ActContext;
  readonly command: Parameters<Act<'start_attempt'>>[1];
  readonly adapter: AgentAdapter;
  readonly env: ActContext['env'];
  readonly directory: string;
  readonly marker: string;
  readonly files: ReturnType<typeof agentFiles>;
  readonly workspace: Workspace;
  /** False: an earlier keeper has begun it. */
  readonly isNew: boolean;
}

export const startAttempt: Act<'start_attempt'> = async (context, command) => {
  const { home, state } = context;
  const { attempt, agent } = command;
  const { life } = state;
  // The run was parked, or a person was asked, after this start was planned.
  if ((life.type !== 'working' && life.type !== 'stopping') || life.attempt !== attempt) return [];
  const adapter = findAdapter(adapterName(agent));
  if (adapter === null)
    throw new MaydayError('UNKNOWN_AGENT', `there is no agent called ${JSON.stringify(agent.name)}`, [
      ['do', 'mayday doctor lists the agents'],
    ]);
  const directory = attemptDir(home, state.runId, attempt);
  const workspace = await openWorkspace({ home, runId: state.runId });
  const isNew = (await findAttempt(directory)) === null;
  const [env, files] = [runEnvironment(context), agentFiles(directory)];
  const marker = `${state.runId}.${attempt}.${randomBytes(8).toString('hex')}`;
  const start: Start = { context, command, adapter, env, directory, marker, files, workspace, isNew };
  if (!isNew) return await launch(start);
  const broughtBack = await bringBackWorkspace(context, workspace);
  placeRescueFiles(home, state.runId, workspace.path);
  return [...broughtBack, ...(await launch(start))];
};

async function launch(start: Start): Promise<readonly Fact[]> {
  const { context, directory, marker, files, workspace, isNew } = start;
  const { state, signal } = context;
  const [{ plan, launched }] = await waitForAll([
    prepareLaunch(start),
    isNew ? keepDigest(workspace, 'started', signal) : null,
  ]);
  // Not beside: a cache that the program made when it was asked for its version is the person's.
  const layers = await agentLayers(context, workspace);
  const agentEnv = variablesFor(start, plan);
  const owns = [workspace.path, agentDir(directory)];
  const handle = await startContained(
    {
      attemptDir: directory,
      argv: plan.argv,
      cwd: workspace.cwd,
      env: agentEnv,
      ...hiddenFrom(context, [...owns, ...neededFiles(plan.argv, agentEnv)], {
        blocker: files.blocker,
        owns: [...owns, ...launched.sessionFiles],
        layers,
      }),
      ...(context.leaseFile === undefined
        ? {}
        : { lease: { file: context.leaseFile, stopMs: state.policy.lease_stop_ms } }),
      stdinFile: plan.stdin === 'brief' ? files.brief : null,
      marker,
    },
    signal,
  );
  return [startedFact(start, launched, handle)];
}

/** Decides how the agent is started, and writes the files that it reads. After a crash it uses the session of the first start again. */
async function prepareLaunch(
  start: Start,
): Promise<{ readonly plan: LaunchPlan; readonly launched: LaunchFiles }> {
  const { context, command, adapter, env, directory, files, workspace } = start;
  const { state, signal } = context;
  const known = readLaunchFiles(directory);
  const hiding = hiddenFrom(context, neededFiles(command.agent.command, {}), { owns: [] });
  const version =
    known === null
      ? (await preflight(adapter, command.agent.command, env, signal, hiding)).version
      : known.agentVersion;
  const resumed = known ?? (await sessionFor(adapter, command, workspace.cwd, env));
  const launchContext = launchContextOf(start, resumed, version);
  const plan = adapter.launch(launchContext);
  const agentSession = launchContext.agentSession ?? UNKNOWN_SESSION;
  const launched: LaunchFiles = known ?? {
    ...resumed,
    agentSession: launchContext.agentSession,
    agentVersion: version,
    hookFiles: plan.hookFiles,
    sessionFiles: adapter.sessionFiles({ ...launchContext, agentSession }),
  };
  const shown = { scope: state.scope.allowed, lessons: (await context.lessons?.()) ?? [] };
  await writeFileWhole(files.brief, launchContext.brief.text);
  await writeFileWhole(files.context, JSON.stringify(shown));
  for (const { path, content } of plan.files) await writeFileWhole(path, content);
  if (known === null) await writeFileDurably(launchFilesPath(directory), JSON.stringify(launched));
  return { plan, launched };
}

function launchContextOf(
  { context: { state }, command, adapter, env, directory, files, workspace }: Start,
  { agentSession, damage }: Pick<LaunchFiles, 'agentSession' | 'damage'>,
  version: string | null,
): LaunchContext {
  const { agent, brief, resume } = command;
  const lost = damage?.isKept === false ? newConversation(damage.why) : '';
  return {
    mode: (damage?.isKept ?? resume !== null) ? 'resume' : 'fresh',
    agentSession: agentSession ?? (adapter.capabilities.sessionIdUpFront ? randomUUID() : null),
    brief: { path: files.brief, text: `${withNotePaths(brief, files)}${lost}` },
    workspace: workspace.cwd,
    attemptDir: agentDir(directory),
    permissions: {
      checks: state.task.checks,
      allowedTools: state.options.permissions,
      skipAll: state.options.permissions.includes('all'),
    },
    noteFiles: [files.checkpoint, files.blocker, ...(isExploring(state) ? [files.proposal] : [])],
    model: agent.model,
    maxTurns: state.budget.turns,
    command: agent.command,
    version,
    env,
    mcpServer: mcpServer(files),
  };
}

function isExploring({ explore }: RunState): boolean {
  return explore === 'looking';
}

/** The environment of the agent. */
function variablesFor({ context: { state }, command, env, files, workspace }: Start, plan: LaunchPlan) {
  const { asUser, environment } = state.options;
  return {
    ...agentEnvironment(env, [...environment, ...(command.agent.env ?? []), ...plan.passEnv]),
    ...plan.env,
    MAYDAY_RUN: state.runId,
    MAYDAY_ATTEMPT: String(command.attempt),
    MAYDAY_BRIEF: files.brief,
    ...toolFiles(files),
    ...(isExploring(state) ? { MAYDAY_PROPOSAL: files.proposal } : {}),
    // Git refuses a repository of another user unless it is told that this one is meant.
    ...(asUser === undefined ? {} : settingsEnvironment([['safe.directory', workspace.path]])),
  };
}

function startedFact(
  { context: { state, now }, command, adapter, env }: Start,
  { agentSession, agentVersion, damage }: LaunchFiles,
  handle: ContainerHandle,
): Fact {
  const { hiding } = handle;
  const hidden = hiding?.type === 'hidden' ? hiding : null;
  const doors = openDoors(agentUser(state), env);
  return {
    type: 'attempt_started',
    at: now(),
    attempt: command.attempt,
    agent: command.agent.name,
    agentVersion,
    agentSession: adapter.capabilities.resume ? agentSession : null,
    level: handle.level,
    handle,
    homeHidden: hidden !== null,
    ...(hiding?.type === 'shown' ? { homeShown: hiding.why } : {}),
    ...(hidden?.closed === true ? { homeClosed: true } : {}),
    ...(adapter.capabilities.nudges ? { takesNudges: true } : {}),
    ...(hidden?.isUnlayered === true ? { cachesShared: true } : {}),
    ...(hidden !== null && hidden.isUnscoped !== true ? { scoped: true } : {}),
    ...(doors.length === 0 ? {} : { doors }),
    asRoot: process.getuid?.() === 0 && state.options.asUser === undefined,
    ...(damage === undefined ? {} : { damage }),
  };
}

/** The session to go on with, looked at before the agent starts. */
async function sessionFor(
  adapter: AgentAdapter,
  { resume, mend }: Parameters<Act<'start_attempt'>>[1],
  workspace: string,
  env: ActContext['env'],
): Promise<Pick<LaunchFiles, 'agentSession' | 'damage'>> {
  const agentSession = resume ?? mend ?? null;
  if (agentSession === null) return { agentSession };
  const isRefused = resume === null;
  const found = await resumableSession(adapter, { agentSession, isRefused, workspace, env });
  const damage =
    found.why === undefined ? {} : { damage: { isKept: found.agentSession !== null, why: found.why } };
  return { agentSession: found.agentSession, ...damage };
}

function newConversation(why: string): string {
  return `\n## A new conversation\n\nThis one is new: ${why}. The files in the workspace are as they were left.\n`;
}

/** What `mayday mcp` needs to know of its run. */
function toolFiles({ checkpoint, blocker, notes, context }: ReturnType<typeof agentFiles>) {
  return {
    MAYDAY_CHECKPOINT: checkpoint,
    MAYDAY_BLOCKER: blocker,
    MAYDAY_NOTES: notes,
    MAYDAY_CONTEXT: context,
  };
}

/** Some CLIs start MCP servers without their own environment, so everything is said. */
function mcpServer(files: ReturnType<typeof agentFiles>): McpServerCommand {
  const program = join(PACKAGE_ROOT, 'bin/mayday.js');
  return { command: process.execPath, args: ['--no-warnings', program, 'mcp'], env: toolFiles(files) };
}

/** The files that the command names and the folders that every program needs. Where they are in Mayday's own folder, they stay visible. */
function neededFiles(argv: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const folders = [env['HOME'], env['TMPDIR']].filter((path) => path !== undefined);
  return [...argv.filter((word) => isAbsolute(word) && word.length < MAX_PATH_CHARS), ...folders].filter(
    existsSync,
  );
}

/** A longer word is text, not a path. */
const MAX_PATH_CHARS = 4096;
