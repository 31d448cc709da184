/** Running the task's checks in a prepared tree that the agent never touched. */
import type { CheckResult } from '../core/event.ts';
import { agentEnvironment } from '../platform/environment.ts';
import { rawToText } from '../platform/raw-path.ts';
import type { Act } from './act.ts';
import { verifyTree } from './checks/run-checks.ts';
import { treeChanges } from './workspace/tree-changes.ts';
import { openWorkspace } from './workspace/workspace.ts';

export const runChecksAct: Act<'run_checks'> = async (
  { home, state, env, signal, now },
  { purpose, tree },
) => {
  const { runId, options, policy, task } = state;
  const workspace = await openWorkspace({ home, runId });
  const outcomes =
    task.checks.length === 0
      ? []
      : await verifyTree({
          runId,
          home,
          tree,
          commands: task.checks,
          ownedPaths: task.scope,
          setup: options.setup,
          ignoredToCopy: options.ignoredToCopy,
          nodeModules: options.nodeModules,
          env: agentEnvironment(env, { named: options.environment }),
          timeoutMs: policy.check_timeout_ms,
          signal,
        });
  const changes = await treeChanges(workspace.shadow, workspace.baseTree, tree, signal);
  const results: CheckResult[] = outcomes.map(
    ({ command, exitCode, passed, timedOut, durationMs, outputHash, outputTail, tree: ranIn, variant }) => ({
      command,
      exitCode,
      passed,
      timedOut,
      durationMs,
      outputHash,
      outputTail,
      tree: ranIn,
      variant,
    }),
  );
  return [
    {
      type: 'checks_finished',
      at: now(),
      purpose,
      tree,
      results,
      changed: changes.map(({ rawPath }) => rawToText(rawPath)),
    },
  ];
};
