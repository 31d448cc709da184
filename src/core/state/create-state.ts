/** `createState`: makes the state of a new run from its first event. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { NO_RULES } from '../vocabulary/rules.ts';
import { NO_WORK } from './evolve-work.ts';
import { NO_DELIVERY, NOTHING_ASKED, type RunState } from './run-state.ts';

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
    workspace: null,
    attempts: [],
    incidents: [],
    checkpoints: [],
    checks: [],
    judges: [],
    unrelated: [],
    proof: [],
    questions: [],
    waits: [],
    scope:
      task.scope.length > 0
        ? { allowed: task.scope, by }
        : { allowed: ['**'], by: 'default policy: the whole workspace' },
    partialWork: NO_WORK,
    delivered: null,
    sink: task.sink,
    approvals: [],
    restored: null,
    deliveries: [],
    delivery: NO_DELIVERY,
    rules: NO_RULES,
    staleScope: [],
    explore: options.explore === true ? 'looking' : 'off',
    proposal: null,
    judgments: [],
    asked: NOTHING_ASKED,
    holds: [],
    holdsOverruledAt: 0,
    loginLiftedAt: 0,
    missions: [],
    forgivenAt: 0,
    budget: task.budget,
    progressAt: at,
    notes: [],
    lessons: [],
    proposed: [],
    opinions: [],
    nonces: [],
    forgeries: [],
  };
}
