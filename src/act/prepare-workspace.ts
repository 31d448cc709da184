/**
 * `prepareWorkspaceAct`, `workspaceSpec`: the act that makes the run's workspace before any agent starts. Called again, it returns the
 * workspace that is there.
 */
import { join } from 'node:path';
import { agentEnvironment } from '../platform/process/environment.ts';
import { runEnvironment } from './run-environment.ts';
import type { Act, ActContext } from './act.ts';
import { readRules } from './compose/read-rules.ts';
import { staleScope } from './compose/stale-scope.ts';
import { keepUserSettings } from './checks/user-settings.ts';
import { hiddenFrom } from './hidden-from.ts';
import { runRepository } from './run-repository.ts';
import { prepareWorkspace, type WorkspaceSpec } from './workspace/prepare-workspace.ts';

export const prepareWorkspaceAct: Act<'prepare_workspace'> = async (context) => {
  const { now, signal, state } = context;
  const workspace = await prepareWorkspace(workspaceSpec(context));
  await keepUserSettings(context.home, state.runId, runEnvironment(context)['HOME']);
  const rules = await readRules(workspace.shadow, workspace.baseTree, signal);
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
    setupTimeoutMs: state.policy.setup_timeout_ms,
    nodeModules: options.nodeModules,
    env: agentEnvironment(runEnvironment(context), { named: options.environment }),
    ...hiddenFrom(context, []),
    signal,
  };
}
