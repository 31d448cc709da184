/** Bugs planted on purpose: tests of the tests. Each is a way to sabotage the core, a supervisor or the fleet's rules; the share of seeds that catches it is a figure we watch. */
import type { Decision, Fact } from '../../src/core/vocabulary/events/event.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import type { HoldKind } from '../../src/core/vocabulary/hold.ts';
import type { Policy } from '../../src/core/vocabulary/policy.ts';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { type Step, step } from '../../src/core/step.ts';

type StepFunction = (state: RunState, fact: Fact) => Step | null;

export interface PlantedBug {
  readonly step: StepFunction;
  readonly bootsWithoutLooking: boolean;
  readonly checksNoFence: boolean;
  readonly assumesDeadAfterKill: boolean;
  readonly wakesTheHerd: boolean;
  /** Holds of this kind are not heeded. */
  readonly blindTo: HoldKind | null;
  readonly killsOnOneProbe: boolean;
  readonly savesNothing: boolean;
  readonly ignoresSharedCause: boolean;
  readonly ignoresFleetCap: boolean;
  readonly blamesLostAgent: boolean;
}

export const NO_BUG: PlantedBug = {
  step,
  bootsWithoutLooking: false,
  checksNoFence: false,
  assumesDeadAfterKill: false,
  wakesTheHerd: false,
  blindTo: null,
  killsOnOneProbe: false,
  savesNothing: false,
  ignoresSharedCause: false,
  ignoresFleetCap: false,
  blamesLostAgent: false,
};

export const PLANTED_BUGS = {
  off_by_one_restarts: { ...NO_BUG, step: withPolicy(({ restarts }) => ({ restarts: restarts + 1 })) },
  no_sustained_budget: { ...NO_BUG, step: withPolicy(() => ({ restarts_total: Infinity })) },
  no_futility_breaker: { ...NO_BUG, step: withPolicy(() => ({ futile_rescues: Infinity })) },
  no_half_limit_rule: {
    ...NO_BUG,
    step: onlyFor(
      'attempt_examined',
      withPolicy(() => ({ timeout_ms: 1e15 })),
    ),
  },
  escalation_without_question: { ...NO_BUG, step: withoutQuestion },
  trusts_a_claim: { ...NO_BUG, step: trusting },
  stale_message_hits_new_attempt: { ...NO_BUG, step: withoutFreshness },
  counts_outages: { ...NO_BUG, step: countingAll },
  starts_in_spite_of_stop: { ...NO_BUG, step: deafToStop },
  sleep_counts: { ...NO_BUG, step: deafToSleep },
  answers_what_was_not_asked: { ...NO_BUG, step: anyAnswer },
  grants_a_new_ladder: { ...NO_BUG, step: forgettingGrants },
  kills_on_one_probe: { ...NO_BUG, killsOnOneProbe: true },
  restarts_without_checkpoint: { ...NO_BUG, savesNothing: true },
  boots_without_looking: { ...NO_BUG, bootsWithoutLooking: true },
  no_fence_check: { ...NO_BUG, checksNoFence: true },
  assumes_dead_after_kill: { ...NO_BUG, assumesDeadAfterKill: true },
  wakes_the_herd_without_probe: { ...NO_BUG, wakesTheHerd: true },
  every_run_asks_for_login: { ...NO_BUG, blindTo: 'login' },
  no_limit_ledger: { ...NO_BUG, blindTo: 'limit' },
  no_host_gate: { ...NO_BUG, blindTo: 'network' },
  every_run_tries_the_overloaded_model: { ...NO_BUG, blindTo: 'overload' },
  no_shared_cause_rule: { ...NO_BUG, ignoresSharedCause: true },
  no_fleet_cap: { ...NO_BUG, ignoresFleetCap: true },
  blames_the_agent_of_a_lost_host: { ...NO_BUG, blamesLostAgent: true },
} as const satisfies Readonly<Record<string, PlantedBug>>;

export type BugName = keyof typeof PLANTED_BUGS;

function withPolicy(change: (policy: Policy) => Partial<Policy>): StepFunction {
  return (state, fact) => {
    const next = step({ ...state, policy: { ...state.policy, ...change(state.policy) } }, fact);
    return next === null ? null : { ...next, state: { ...next.state, policy: state.policy } };
  };
}

function onlyFor(type: Fact['type'], sabotaged: StepFunction): StepFunction {
  return (state, fact) => (fact.type === type ? sabotaged(state, fact) : step(state, fact));
}

function withoutQuestion(state: RunState, fact: Fact): Step | null {
  const next = step(state, fact);
  if (next === null || !next.decisions.some(({ type }) => type === 'question_asked')) return next;
  const decisions = next.decisions.map(
    (decision): Decision =>
      decision.type === 'question_asked'
        ? { type: 'waiting', at: decision.at, for: 'person' as 'host', until: null, reason: 'asked nobody' }
        : decision,
  );
  return refolded(state, fact, next, decisions);
}

function trusting(state: RunState, fact: Fact): Step | null {
  const next = step(state, fact);
  if (next === null || fact.type !== 'attempt_examined' || !fact.examination.claimsDone) return next;
  if (next.state.life.type !== 'checking') return next;
  const { tree } = next.state.life;
  const { sink } = state.task;
  const decision: Decision = {
    type: 'delivery_decided',
    at: fact.at,
    sink,
    tree,
    unverified: false,
    salvage: null,
  };
  const sabotaged = refolded(state, fact, next, [...next.decisions, decision]);
  const command = { type: 'deliver' as const, sink, tree, salvage: false };
  return { ...sabotaged, commands: [{ key: `${state.runId}.${next.state.seq}.0.deliver`, command }] };
}

function withoutFreshness(state: RunState, fact: Fact): Step | null {
  if (fact.type !== 'signal_raised' || fact.attempt === state.attempts.length) return step(state, fact);
  return step(state, { ...fact, attempt: state.attempts.length });
}

function countingAll(state: RunState, fact: Fact): Step | null {
  const next = step(state, fact);
  if (next === null) return null;
  const decisions = next.decisions.map((decision) =>
    decision.type === 'attempt_planned' && decision.incident !== null
      ? { ...decision, counted: true }
      : decision,
  );
  return refolded(state, fact, next, decisions);
}

function deafToStop(state: RunState, fact: Fact): Step | null {
  const preparing = fact.type === 'checks_finished' && fact.purpose === 'baseline';
  if (!preparing && fact.type !== 'workspace_prepared') return step(state, fact);
  return step({ ...state, asked: { ...state.asked, stop: null } }, fact);
}

function deafToSleep(state: RunState, fact: Fact): Step | null {
  return fact.type === 'clock_jumped' ? null : step(state, fact);
}

/** A late answer to a question that is closed is taken for the one that is open. */
function anyAnswer(state: RunState, fact: Fact): Step | null {
  const open = openQuestion(state)?.question.id;
  if (fact.type !== 'question_answered' || open === undefined) return step(state, fact);
  const next = step(state, { ...fact, question: open });
  return next === null ? null : refolded(state, fact, next, next.decisions);
}

/** An answer lets all restarts begin anew: what was asked about is forgotten. */
function forgettingGrants(state: RunState, fact: Fact): Step | null {
  if (fact.type === 'question_answered') return step(state, fact);
  const questions = state.questions.map((one) => (one.answer === null ? one : { ...one, incident: null }));
  const next = step({ ...state, questions }, fact);
  return next === null ? null : refolded(state, fact, next, next.decisions);
}

function refolded(state: RunState, fact: Fact, next: Step, decisions: readonly Decision[]): Step {
  let folded = evolve(state, fact);
  for (const decision of decisions) folded = evolve(folded, decision);
  return { ...next, decisions, state: folded };
}
