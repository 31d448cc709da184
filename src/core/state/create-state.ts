/** `createState`: makes the state of a new run from its first event. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { NO_RULES } from '../vocabulary/rules.ts';
import { NO_WORK } from './evolve-work.ts';
import { NO_DELIVERY, NOTHING_ASKED, type RunState } from './run-state.ts';

// biome-ignore format: a table
const NOTHING_YET = {
  workspace: null, delivered: null, restored: null, proposal: null, holdsOverruledAt: 0, loginLiftedAt: 0, forgivenAt: 0,
  attempts: [], incidents: [], checkpoints: [], checks: [], judges: [], unrelated: [], proof: [], questions: [], waits: [],
  approvals: [], deliveries: [], staleScope: [], judgments: [], holds: [], missions: [], notes: [], lessons: [], proposed: [],
  opinions: [], nonces: [], forgeries: [],
};

export function createState(runId: string, event: Extract<RunEvent, { type: 'run_created' }>): RunState {
  const { task, policy, agent, options, repository, by, at } = event;
  return {
    runId,
    task,
    policy,
    agent,
    options,
    repository,
    createdAt: at,
    updatedAt: at,
    seq: 1,
    stage: 'explore',
    life: { type: options.queued === true ? 'queued' : 'preparing' },
    scope:
      task.scope.length > 0
        ? { allowed: task.scope, by }
        : { allowed: ['**'], by: 'default policy: the whole workspace' },
    partialWork: NO_WORK,
    sink: task.sink,
    delivery: NO_DELIVERY,
    rules: NO_RULES,
    explore: options.explore === true ? 'looking' : 'off',
    asked: NOTHING_ASKED,
    budget: task.budget,
    progressAt: at,
    ...NOTHING_YET,
  };
}
