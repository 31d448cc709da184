/**
 * From a diagnosed incident to the next step. Order of limits: hard budget (a class of its own), restart budget, futility
 * (rungs used up), then a person. What is nobody's fault here is waited for and never counted.
 */
import type { AgentChoice, Recovery } from '../event.ts';
import type { Incident, RunState } from '../run-state.ts';
import { backoffMs } from './backoff.ts';
import { ruleOf } from './incident-diagnosis.ts';
import { lessonFor } from '../lesson.ts';
import { isWaitedFor, rungs, type Rung } from './ladder.ts';

export type Way =
  | { readonly type: 'recover'; readonly recovery: Recovery }
  | { readonly type: 'ask'; readonly why: string };

export function chooseWay(state: RunState, incident: Incident, at: number): Way {
  if (isWaitedFor(incident.class) && incident.diagnosis?.recoverable !== false)
    return waitFor(state, incident, at);
  const tried = countedSince(incident, state.forgivenAt, state);
  const rung = rungs(incident.class)[tried] ?? (tried === 0 ? lessonRung(state, incident) : undefined);
  const budget = restartBudget(state, at);
  if (budget !== null) return { type: 'ask', why: budget };
  if (rung !== undefined) return { type: 'recover', recovery: climb(state, incident, rung, tried, at) };
  const other = unusedFallback(state);
  if (other !== undefined && rungs(incident.class).length > 0) {
    return { type: 'recover', recovery: reassign(incident, other, at) };
  }
  return {
    type: 'ask',
    why:
      tried === 0
        ? `${incident.class} needs a person's decision`
        : `${tried} ${tried === 1 ? 'try' : 'tries'} did not help`,
  };
}

/**
 * A class that goes to a person by default is tried once with the lesson that a person approved for it. Never where the
 * answer is not the agent's to give: a spent budget and a refusal stay a person's decision.
 */
function lessonRung(state: RunState, incident: Incident): Rung | undefined {
  if (incident.class === 'budget_exhausted' || incident.class === 'model_refusal') return undefined;
  return lessonFor(state.lessons, incident) && { phase: 2, strategy: 'resume', fresh: false };
}

/** Why no further restart may be spent, or null. */
export function restartBudget(state: RunState, at: number): string | null {
  const { restarts, restart_window_ms, restarts_total } = state.policy;
  const counted = state.attempts.filter(
    ({ counted: counts, plannedAt }) => counts && plannedAt > state.forgivenAt,
  );
  const recent = counted.filter(({ plannedAt }) => plannedAt > at - restart_window_ms);
  if (recent.length >= restarts)
    return `${recent.length} restarts in ${minutes(restart_window_ms)} are the budget`;
  if (counted.length >= restarts_total) return `${counted.length} restarts in all are the budget`;
  return null;
}

function waitFor(state: RunState, incident: Incident, at: number): Way {
  const { reset_skew_ms, unknown_reset_ms, wait_horizon_ms, limit_horizon_ms } = state.policy;
  if (!state.options.autoResume) return { type: 'ask', why: 'automatic resuming is off (--auto-resume no)' };
  const waits = incident.recoveries.length;
  const limited = incident.class === 'rate_limited';
  const told = incident.diagnosis?.retryAt ?? null;
  const horizon = limited ? limit_horizon_ms : wait_horizon_ms;
  // A past reset may just be late: fall back to asking again after a pause.
  const notBefore =
    told !== null && told > at - reset_skew_ms && limited
      ? told + reset_skew_ms
      : told !== null && told > at
        ? told
        : at + (limited ? Math.max(unknown_reset_ms, 0) : backoffMs(state.policy, waits, state.runId));
  if (notBefore - incident.detectedAt > horizon) {
    return { type: 'ask', why: `waiting for it would take longer than ${minutes(horizon)}` };
  }
  const reason = limited
    ? `${told === null ? 'the limit tells no reset time; trying again' : 'parked until the reset plus skew'}, nothing is counted against the run`
    : `${incident.class}: not this run's fault; trying again after a pause`;
  return {
    type: 'recover',
    recovery: {
      strategy: 'wait',
      phase: 1,
      returnTo: null,
      reason,
      notBefore,
      counted: false,
      freshSession: false,
      hint: null,
      agent: null,
    },
  };
}

function climb(state: RunState, incident: Incident, rung: Rung, tried: number, at: number): Recovery {
  const { rootCause } = incident.diagnosis ?? { rootCause: incident.class };
  const pause = rung.phase === 1 || tried > 0;
  return {
    strategy: rung.strategy,
    phase: rung.phase,
    returnTo: incident.diagnosis?.returnTo ?? ruleOf(incident.class).returnTo,
    reason: rungReason(rung, incident, rootCause),
    notBefore: pause ? at + backoffMs(state.policy, tried, state.runId) : null,
    counted: true,
    freshSession: rung.fresh,
    hint: rung.phase === 1 ? null : hintWithLesson(state, incident),
    agent: null,
  };
}

function hintWithLesson(state: RunState, incident: Incident): string {
  const lesson = lessonFor(state.lessons, incident);
  const hint = hintFor(incident);
  return lesson === undefined ? hint : `${hint} Follow the lesson "${lesson.title}" below first.`;
}

function reassign(incident: Incident, agent: AgentChoice, at: number): Recovery {
  return {
    strategy: 'reassign',
    phase: 2,
    returnTo: ruleOf(incident.class).returnTo,
    reason: `this agent did not get past ${incident.class}; ${agent.name} takes over from the checkpoint`,
    notBefore: at,
    counted: true,
    freshSession: true,
    hint: hintFor(incident),
    agent,
  };
}

function rungReason(rung: Rung, incident: Incident, rootCause: string): string {
  if (rung.fresh) return `a fresh agent session with a brief, because ${rootCause}`;
  if (rung.phase === 1) return `${incident.class} is usually transient: resumed from the checkpoint`;
  return 'resumed with what failed, what not to repeat and where to start';
}

function hintFor(incident: Incident): string {
  const { diagnosis } = incident;
  if (incident.class === 'looping') {
    return `The same step was repeated without progress (${diagnosis?.rootCause ?? 'looping'}). Do not repeat it; find out why it fails and try another way.`;
  }
  return diagnosis?.recoveryPlan ?? diagnosis?.rootCause ?? incident.class;
}

function countedSince(incident: Incident, forgivenAt: number, state: RunState): number {
  return state.attempts.filter(
    (attempt) => attempt.incident === incident.id && attempt.counted && attempt.plannedAt > forgivenAt,
  ).length;
}

function unusedFallback(state: RunState): AgentChoice | undefined {
  const used = new Set(state.attempts.map(({ agent }) => agent.name));
  return state.options.fallbacks.find(({ name }) => !used.has(name));
}

function minutes(ms: number): string {
  return ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`;
}
