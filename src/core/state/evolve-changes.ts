/** `evolveChanges`: copies the new values that an answer or a policy gave the run into its state. */
import type { Changes } from '../vocabulary/questions/consequence.ts';
import type { RunState } from './run-state.ts';

export function evolveChanges(state: RunState, changes: Changes): RunState {
  const { permissions, environment, checks, approval, accepted, judgments = [] } = changes;
  const { abandonAsked: abandon } = changes;
  return {
    ...state,
    budget: changes.budget ?? state.budget,
    scope: changes.scope ?? state.scope,
    staleScope: changes.staleScope ?? state.staleScope,
    explore: changes.explore ?? state.explore,
    sink: changes.sink ?? state.sink,
    holds: changes.holds ?? state.holds,
    holdsOverruledAt: changes.holdsOverruledAt ?? state.holdsOverruledAt,
    delivery: accepted === undefined ? state.delivery : { ...state.delivery, accepted },
    asked: abandon === undefined ? state.asked : { ...state.asked, abandon },
    options: {
      ...state.options,
      permissions: permissions ?? state.options.permissions,
      environment: environment ?? state.options.environment,
      ...(changes.setup === undefined ? {} : { setup: changes.setup }),
    },
    task: { ...state.task, checks: checks ?? state.task.checks },
    approvals: approval === undefined ? state.approvals : [...state.approvals, approval],
    judgments: [...state.judgments, ...judgments],
  };
}
