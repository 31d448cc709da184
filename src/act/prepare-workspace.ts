/**
 * `prepareWorkspace`, `workspaceSpec`: the act that makes the run's workspace before any agent starts. Called again, it returns the
 * workspace that is there.
 */
import { join } from 'node:path';
import { agentEnvironment } from '../platform/process/environment.ts';
import { runEnvironment } from './run-environment.ts';
import type { Act, ActContext } from './act.ts';
import { readRules } from './compose/read-rules.ts';
import { keepUserSettings } from './checks/user-settings.ts';
import { hiddenFrom } from './hidden-from.ts';
import { runRepository } from './run-repository.ts';
import { makeWorkspace, type WorkspaceSpec } from './workspace/make-workspace.ts';
import type { Task } from '../core/vocabulary/task.ts';
import { gitIn } from './deliver/repository-git.ts';
import type { Workspace } from './workspace/workspace.ts';

export const prepareWorkspace: Act<'prepare_workspace'> = async (context) => {
  const { now, signal, state } = context;
  const workspace = await makeWorkspace(workspaceSpec(context));
  const [rules] = await Promise.all([
    readRules(workspace.shadow, workspace.baseTree, signal),
    keepUserSettings(context.home, state.runId, runEnvironment(context)['HOME']),
  ]);
  const { kind, cwd, baseCommit, baseTree, branch, warnings, setup, configHash } = workspace;
  return [
    {
      type: 'workspace_prepared',
      at: now(),
      kind,
      path: cwd,
      baseCommit,
      ...(workspace.includesDirty === true ? { includesDirty: true } : {}),
      baseTree,
      branch,
      warnings: [...warnings, ...rules.broken.map((text) => `not understood, and so not kept: ${text}`)],
      setup,
      configHash,
      rules,
      staleScope: await staleScope(workspace, state.task, signal),
    },
  ];
};

export function workspaceSpec(context: ActContext): WorkspaceSpec {
  const { home, state, signal } = context;
  const { options, runId } = state;
  return {
    runId,
    home,
    cwd: join(runRepository(home, state), options.folder ?? ''),
    inPlace: options.inPlace,
    includeDirty: options.includeDirty,
    ignoredToCopy: options.ignoredToCopy,
    setup: options.setup,
    setupLeft: options.setupLeft,
    setupTimeoutMs: state.policy.setup_timeout_ms,
    nodeModules: options.nodeModules,
    env: agentEnvironment(runEnvironment(context), options.environment),
    ...hiddenFrom(context, []),
    signal,
  };
}

/** Finds the entries of a scope that named a file when the scope was written and name none in the base. */
async function staleScope(
  { commonDir, baseCommit }: Workspace,
  { scope, scopeAt }: Task,
  signal: AbortSignal,
): Promise<string[]> {
  if (commonDir === null || baseCommit === null || scopeAt === undefined) return [];
  const has = async (commit: string, path: string): Promise<boolean> =>
    (await gitIn(commonDir, signal)('cat-file', '-e', `${commit}:${path}`)).exitCode === 0;
  const stale: string[] = [];
  for (const glob of scope) {
    const path = fixedPath(glob);
    if (path !== '' && (await has(scopeAt, path)) && !(await has(baseCommit, path))) stale.push(glob);
  }
  return stale;
}

/** The part of the entry before its first wildcard: a file or folder. */
function fixedPath(glob: string): string {
  const plain = glob.replace(/^\.\//, '');
  const wild = plain.search(/[*?{]/);
  return (wild === -1 ? plain : plain.slice(0, Math.max(0, plain.lastIndexOf('/', wild)))).replace(/\/$/, '');
}
