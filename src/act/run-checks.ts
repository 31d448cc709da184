/**
 * `runChecksAct`: the act that runs the task's checks in a tree that the agent never touched. Before a delivery it also looks at the
 * target, the other runs and the rules.
 */
import type { CheckResult } from '../core/vocabulary/events/event.ts';
import type { RunState } from '../core/state/run-state.ts';
import { isolationOf } from '../core/vocabulary/isolation.ts';
import { countTests } from '../core/gates/test-counts.ts';
import type { LeftProcess } from '../core/vocabulary/events/compose-facts.ts';
import type { ContainerHandle } from '../platform/container/container-handle.ts';
import { bootId } from '../platform/process/process-identity.ts';
import type { Held, HiddenHome } from '../platform/container/hide-home.ts';
import { rawToText } from '../platform/git/raw-path.ts';
import { strangersIn } from '../platform/container/strangers-in.ts';
import type { Act, ActContext } from './act.ts';
import { askBelongs } from './ask-belongs.ts';
import { checkEnvironment } from './checks/check-environment.ts';
import { agentUser, hiddenFrom } from './hidden-from.ts';
import { runEnvironment } from './run-environment.ts';
import { missingProgram } from './checks/missing-program.ts';
import { type CheckOutcome, checkTree } from './checks/verify-tree.ts';
import { verifyWork } from './checks/verify-work.ts';
import { compose } from './compose/compose.ts';
import { proofOfMoves } from './compose/submodule-changes.ts';
import { checkLayers } from './tool-caches.ts';
import { checkPath } from './workspace/home-layout.ts';
import { treeChanges } from './checkpoint/tree-changes.ts';
import { treePaths } from './checkpoint/tree-entries.ts';
import { packPaths } from '../core/judge/read-paths.ts';
import { openWorkspace, type Workspace } from './workspace/workspace.ts';

/** A fork bomb leaves many processes; the first ones are enough to name it. */
const MAX_PROCESSES = 5;
/** Work that changes more files than this is read by its folders. */
const MAX_NAMED = 1_000;
/** As `diagnose` says it to people: below this, a blocker of the machine may be a mistake of the work. */
const SURE = 0.9;

export const runChecksAct: Act<'run_checks'> = async (context, { purpose, tree }) => {
  const { home, state, signal, now } = context;
  const workspace = await openWorkspace({ home, runId: state.runId });
  const spec = specOf(context, workspace, tree);
  const { commands } = spec;
  const verified = await verifyWork(spec);
  const outcomes = [...verified.outcomes];
  const changes = await treeChanges(workspace.shadow, workspace.baseTree, tree, signal);
  const changed = changes.map(({ rawPath }) => rawToText(rawPath));
  if (purpose === 'baseline') {
    const results: CheckResult[] = [];
    const all = (await treePaths(workspace.shadow, tree, signal)).map(rawToText);
    for (const outcome of outcomes) {
      const cannotRun = await missingProgram({
        ...outcome,
        folder: spec.folder,
        repository: workspace.repository,
        tree: checkPath(home, state.runId),
        allowed: state.scope.allowed,
        env: spec.env,
        user: agentUser(state),
      });
      const read = outcome.opened && packPaths(outcome.opened, all);
      results.push({
        ...resultOf(outcome),
        ...(read === null ? {} : { read }),
        ...(cannotRun === null ? {} : { cannotRun }),
      });
    }
    return [{ type: 'checks_finished', at: now(), purpose, tree, results, changed }];
  }
  const others = (await context.others?.()) ?? [];
  const { deliveries } = context;
  const seen = await compose({ state, workspace, tree, changes, others, deliveries, at: now(), signal });
  const ontoTarget = state.sink.type === 'merge' || state.sink.type === 'pull_request';
  if (
    seen.mergedTree !== null &&
    ontoTarget &&
    outcomes.every(({ passed }) => passed) &&
    commands.length > 0
  ) {
    outcomes.push(...(await checkTree({ ...spec, tree: seen.mergedTree, reruns: 0, variant: 'composed' })));
  }
  const results = await Promise.all(outcomes.map(withCause));
  const facts = { ...seen.facts, leftProcesses: await leftProcesses(context, workspace) };
  const { judges, fileProof } = verified;
  const belongs = await askBelongs(context, {
    workspace,
    tree,
    changes,
    verified: { ...verified, outcomes },
  });
  return [
    {
      type: 'checks_finished',
      at: now(),
      purpose,
      tree,
      results,
      changed,
      compose: facts,
      judges: [...judges.slice(0, MAX_NAMED), ...belongs.judges],
      fileProof: proofOfMoves(fileProof, seen.moves).slice(0, MAX_NAMED),
      unrelated: belongs.unrelated,
    },
  ];
};

/** In place, the person's own programs run in the same folder and were not left by the agent. */
async function leftProcesses({ home, state }: ActContext, { kind, path }: Workspace): Promise<LeftProcess[]> {
  const { attendant, leader } = (state.attempts.at(-1)?.handle ?? {}) as Partial<ContainerHandle>;
  if (kind !== 'worktree' || attendant === undefined || attendant.bootId !== bootId()) return [];
  // The attendant may have served a check before.
  const { startTicks } = leader ?? attendant;
  const found = await strangersIn([path, checkPath(home, state.runId)], { sinceTicks: startTicks });
  return found.slice(0, MAX_PROCESSES);
}

/** A check without network runs with the home hidden in any case: both need the same namespace. */
function hidingOf(context: ActContext, workspace: Workspace): { readonly hidden?: HiddenHome } {
  const { home, state } = context;
  const { policy, runId } = state;
  const withoutNetwork = policy.check_network === 0;
  const hides = withoutNetwork ? { ...state, policy: { ...policy, hide_home: 1 } } : state;
  const layers = checkLayers(context, workspace);
  const { hidden } = hiddenFrom({ home, state: hides }, [checkPath(home, runId)], { layers });
  return hidden === undefined
    ? {}
    : {
        hidden: {
          ...hidden,
          withoutNetwork,
          ownTemporary: [workspace.repository, workspace.commonDir ?? workspace.repository],
          required: required(state),
        },
      };
}

/** As much as the agent had: otherwise an agent that uses up the machine's namespaces would have its checks run without. */
function required({ attempts }: Pick<RunState, 'attempts'>): readonly Held[] {
  const isolation = isolationOf(attempts);
  if (isolation === null || !isolation.homeHidden) return [];
  return [
    'hidden',
    ...(isolation.cachesShared === true ? [] : ['layered' as const]),
    ...(isolation.scoped === true ? ['scoped' as const] : []),
  ];
}

function specOf(context: ActContext, workspace: Workspace, tree: string) {
  const { home, state, signal } = context;
  const { runId, options, policy, task, checks } = state;
  return {
    runId,
    home,
    tree,
    commands: task.checks,
    folder: options.checkFolder ?? '',
    ownedPaths: task.scope,
    protects: options.protects ?? [],
    // A failed check is no question: what changed under it is reported again.
    asked: checks.flatMap(({ passed, disturbed = [] }) => (passed ? disturbed : [])),
    before: checks.filter((check) => check.purpose === 'baseline'),
    setup: options.setup,
    setupTimeoutMs: state.policy.setup_timeout_ms,
    ignoredToCopy: options.ignoredToCopy,
    nodeModules: options.nodeModules,
    env: checkEnvironment(runEnvironment(context), options.environment, [workspace.path, home]),
    ...hidingOf(context, workspace),
    timeoutMs: policy.check_timeout_ms,
    reruns: policy.check_reruns,
    signal,
  };
}

function resultOf({ output, opened: _opened, ...result }: CheckOutcome): CheckResult {
  return { ...result, tests: countTests(output) };
}

/** At the gate; before the work a check mostly fails, and its cause is told to no one. */
async function withCause(outcome: CheckOutcome): Promise<CheckResult> {
  return { ...resultOf(outcome), ...(outcome.passed ? {} : await causeIn(outcome)) };
}

async function causeIn(outcome: CheckOutcome): Promise<Pick<CheckResult, 'causeLine' | 'needsPerson'>> {
  const { diagnose } = await import('../core/diagnose/diagnose.ts');
  const { outputTail: output, exitCode, command } = outcome;
  const diagnosis = diagnose({ output, exitCode, command });
  const { failureType, evidence, scope, recoverable, confidence } = diagnosis;
  const causeLine = failureType === 'unknown' ? undefined : evidence[0]?.text.trimEnd();
  const isOfMachine = scope === 'host' && !recoverable && confidence >= SURE;
  return {
    ...(causeLine === undefined ? {} : { causeLine }),
    ...(isOfMachine ? { needsPerson: diagnosis } : {}),
  };
}
