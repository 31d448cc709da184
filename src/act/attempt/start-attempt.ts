/**
 * `startAttempt`: the act that starts an agent, at most once per attempt. The claim in the attempt's directory decides
 * whether it has started, so that a keeper after a crash does not start it twice.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { findAdapter } from '../../agents/registry.ts';
import type { AgentAdapter, LaunchContext, McpServerCommand } from '../../agents/adapter.ts';
import { adapterName, type Fact } from '../../core/vocabulary/events/event.ts';
import { withNotePaths } from '../../core/view/brief/note-paths.ts';
import { findAttempt, startContained } from '../../platform/container/container.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { settingsEnvironment } from '../../platform/git/git.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import type { Act, ActContext } from '../act.ts';
import { bringBackWorkspace } from '../bring-back-workspace.ts';
import { agentUser, hiddenFrom } from '../hidden-from.ts';
import { openDoors } from '../../platform/process/outside-programs.ts';
import { type LaunchFiles, launchFilesPath, readLaunchFiles } from './launch-files.ts';
import { runEnvironment } from '../run-environment.ts';
import { resumableSession } from './resumable-session.ts';
import { placeRescueFiles } from './rescue-files.ts';
import { agentDir, agentFiles, attemptDir } from '../run-files.ts';
import { UNKNOWN_SESSION } from './session-files.ts';
import { agentLayers } from '../tool-caches.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { preflight } from './preflight.ts';

export const startAttempt: Act<'start_attempt'> = async (context, command) => {
  const { home, state, signal, now } = context;
  const env = runEnvironment(context);
  const { attempt, agent, brief } = command;
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
  const broughtBack = isNew ? await bringBackWorkspace(context, workspace) : [];
  if (isNew) placeRescueFiles(home, state.runId, workspace.path);
  // After a crash the start uses the same session and files again, to fit the claim of the first start.
  const known = readLaunchFiles(directory);
  const version =
    known === null
      ? (
          await preflight(
            adapter,
            agent.command,
            env,
            signal,
            hiddenFrom(context, neededFiles(agent.command, {}), { owns: [] }),
          )
        ).version
      : known.agentVersion;
  const files = agentFiles(directory);
  const resumed = known === null ? await sessionFor(adapter, command, workspace.cwd, env) : known;
  const { damage } = resumed;
  const text = `${withNotePaths(brief, files)}${damage?.isKept === false ? newConversation(damage.why) : ''}`;
  const isExploring = state.explore === 'looking';
  const launchContext: LaunchContext = {
    mode: (damage?.isKept ?? command.resume !== null) ? 'resume' : 'fresh',
    agentSession: resumed.agentSession ?? (adapter.capabilities.sessionIdUpFront ? randomUUID() : null),
    brief: { path: files.brief, text },
    workspace: workspace.cwd,
    attemptDir: agentDir(directory),
    permissions: {
      checks: state.task.checks,
      allowedTools: state.options.permissions,
      skipAll: state.options.permissions.includes('all'),
    },
    noteFiles: [files.checkpoint, files.blocker, ...(isExploring ? [files.proposal] : [])],
    model: agent.model,
    maxTurns: state.budget.turns,
    command: agent.command,
    version,
    env,
    mcpServer: mcpServer(files),
  };
  const plan = adapter.launch(launchContext);
  const launched: LaunchFiles = known ?? {
    agentSession: launchContext.agentSession,
    agentVersion: version,
    ...(damage === undefined ? {} : { damage }),
    hookFiles: plan.hookFiles,
    sessionFiles: adapter.sessionFiles({
      ...launchContext,
      agentSession: launchContext.agentSession ?? UNKNOWN_SESSION,
    }),
  };
  await writeFileDurably(files.brief, text);
  await writeFileDurably(
    files.context,
    JSON.stringify({ scope: state.scope.allowed, lessons: (await context.lessons?.()) ?? [] }),
  );
  for (const { path, content } of plan.files) await writeFileDurably(path, content);
  if (known === null) await writeFileDurably(launchFilesPath(directory), JSON.stringify(launched));
  const agentEnv = {
    ...agentEnvironment(env, [...state.options.environment, ...(agent.env ?? []), ...plan.passEnv]),
    ...plan.env,
    MAYDAY_RUN: state.runId,
    MAYDAY_ATTEMPT: String(attempt),
    MAYDAY_BRIEF: files.brief,
    ...toolFiles(files),
    ...(isExploring ? { MAYDAY_PROPOSAL: files.proposal } : {}),
    // Git refuses a repository of another user unless it is told that this one is meant.
    ...(state.options.asUser === undefined ? {} : settingsEnvironment([['safe.directory', workspace.path]])),
  };
  const owns = [workspace.path, agentDir(directory)];
  const show = [...owns, ...neededFiles(plan.argv, agentEnv)];
  const handle = await startContained(
    {
      attemptDir: directory,
      argv: plan.argv,
      cwd: workspace.cwd,
      env: agentEnv,
      ...hiddenFrom(context, show, {
        blocker: files.blocker,
        owns: [...owns, ...launched.sessionFiles],
        layers: await agentLayers(context, workspace),
      }),
      ...(context.leaseFile === undefined
        ? {}
        : { lease: { file: context.leaseFile, stopMs: state.policy.lease_stop_ms } }),
      stdinFile: plan.stdin === 'brief' ? files.brief : null,
      marker: `${state.runId}.${attempt}.${randomBytes(8).toString('hex')}`,
    },
    signal,
  );
  const doors = openDoors(agentUser(state), env);
  const session = adapter.capabilities.resume ? launched.agentSession : null;
  const started: Fact = {
    type: 'attempt_started',
    at: now(),
    attempt,
    agent: agent.name,
    agentVersion: version,
    agentSession: session,
    level: handle.level,
    handle,
    homeHidden: handle.hiding?.type === 'hidden',
    ...(handle.hiding?.type === 'shown' ? { homeShown: handle.hiding.why } : {}),
    ...(handle.hiding?.type === 'hidden' && handle.hiding.closed === true ? { homeClosed: true } : {}),
    ...(adapter.capabilities.nudges ? { takesNudges: true } : {}),
    ...(handle.hiding?.type === 'hidden' && handle.hiding.isUnlayered === true ? { cachesShared: true } : {}),
    ...(handle.hiding?.type === 'hidden' && handle.hiding.isUnscoped !== true ? { scoped: true } : {}),
    ...(doors.length === 0 ? {} : { doors }),
    asRoot: process.getuid?.() === 0 && state.options.asUser === undefined,
    ...(damage === undefined ? {} : { damage }),
  };
  return [...broughtBack, started];
};

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
