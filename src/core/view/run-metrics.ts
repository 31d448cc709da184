/** `runMetrics`: the few numbers of a run that reports need, small enough to read a hundred thousand runs at once. */
import { contextUpdatesOf, isEnriched, type Mission } from '../vocabulary/mission.ts';
import type { Attempt, Incident, RunState } from '../state/run-state.ts';
import { stops } from '../vocabulary/signal.ts';
import { totalUsage } from '../state/usage.ts';
import { stateWord } from './state-word.ts';
import { isProven } from '../gates/delivery-proof.ts';
import { type OpinionMetrics, opinionMetrics } from './opinion-metrics.ts';
import { firstLine } from '../text/first-line.ts';

const MAX_CAUSE_CHARS = 160;

/**
 * The fields of each kind, in the order of their places in the stored row, with what a row without them gets. The order never changes; new
 * fields go to the end.
 */
// biome-ignore format: a table
export const INCIDENT = {
  id: '', class: '', category: null as string | null, fingerprint: null as string | null, agent: '', attempt: 0,
  /** When the trouble began: the last sign of life, the real end. */
  began: 0, detected: 0, diagnosed: null as number | null, decided: null as number | null,
  resumed: null as number | null, verified: null as number | null, phase: null as number | null,
  strategy: null as string | null, outcome: null as string | null, cause: '',
  /** How the attempt ended: `exit 1`, `SIGINT`. */
  end: null as string | null,
  /** Still open. */
  hypotheses: 0,
  /** A person was asked in it. */
  asked: false,
  /** The last attempt that ended in it; 0: only the first one did. */
  again: 0,
};
// biome-ignore format: a table
export const MISSION = {
  id: '', incident: null as string | null, owner: '', category: null as string | null, detected: 0,
  resumed: null as number | null, outcome: null as string | null,
  /** Context updates that it made. */
  updates: 0,
  /** A lesson, a changed specification, or the reason why neither. */
  enriched: false,
  /** By when that is owed, once there is an outcome. */
  due: null as number | null,
};
// biome-ignore format: a table
export const RUN = {
  id: '', title: '', agent: '', model: null as string | null, repository: '', created: 0, ended: null as number | null,
  state: 'unverified',
  /** From the task, otherwise from the number of files changed. */
  size: null as 'simple' | 'complex' | null,
  files: 0, attempts: 0, tokens: 0, cost: 0,
  /** Of attempts that ended in an incident without having moved anything. */
  stuckTokens: 0, stuckCost: 0, result: null as string | null,
  /** Ended and given back: nothing of it is left on the machine. */
  released: true,
  /** Delivered on a person's word, without a proof. */
  byWord: false,
  /** The agents that worked on it, in order of their first attempt, where a fallback took over; empty: `agent` alone. */
  workers: [] as readonly { readonly agent: string; readonly attempts: number }[],
  /** Attempts whose agent was told that it loops. */
  nudged: 0,
  /** Attempts that got out of trouble without a stop and finished: after a nudge, and after a warning alone. */
  recoveredAfterNudge: 0, recoveredAfterWarning: 0,
};

export type IncidentMetrics = Readonly<typeof INCIDENT>;
export type MissionMetrics = Readonly<typeof MISSION>;
export type WorkerMetrics = RunMetrics['workers'][number];
export type RunMetrics = Readonly<typeof RUN> & {
  readonly incidents: readonly IncidentMetrics[];
  readonly missions: readonly MissionMetrics[];
  readonly shown: readonly {
    readonly id: string;
    readonly hash: string;
    readonly attempt: number;
    readonly match: string;
  }[];
  readonly proposed: readonly string[];
  readonly opinions: readonly OpinionMetrics[];
};

/** Fewer files than this make a task simple. */
export const COMPLEX_FILES = 5;

export function runMetrics(state: RunState): RunMetrics {
  const { tokens, costUsd } = totalUsage(state);
  const { created, changed, deleted } = state.partialWork;
  const files = state.delivered?.files.length ?? created.length + changed.length + deleted.length;
  const wasted = state.attempts.filter((attempt) => attempt.progressAt === null && failed(state, attempt));
  const stuck = totalUsage({ attempts: wasted });
  const ended = state.life.type === 'ended' ? state.life : null;
  const alone = state.attempts.filter((attempt) => recoveredByItself(state, attempt));
  return {
    id: state.runId,
    title: firstLine(state.task.text).slice(0, 80),
    agent: state.agent.name,
    model: state.agent.model,
    repository: state.repository,
    created: state.createdAt,
    ended: ended?.at ?? null,
    state: stateWord(state),
    size:
      state.task.size ??
      (ended !== null && files > 0 ? (files < COMPLEX_FILES ? 'simple' : 'complex') : null),
    files,
    attempts: state.attempts.length,
    tokens,
    cost: costUsd,
    stuckTokens: stuck.tokens,
    stuckCost: stuck.costUsd,
    result: state.delivered?.ref ?? null,
    released: ended?.released === true,
    byWord: ended?.state === 'delivered' && !isProven(state),
    workers: workersOf(state),
    nudged: state.attempts.filter(wasNudged).length,
    recoveredAfterNudge: alone.filter(wasNudged).length,
    recoveredAfterWarning: alone.filter((attempt) => !wasNudged(attempt)).length,
    incidents: state.incidents.map((incident) => incidentMetrics(state, incident)),
    missions: state.missions.map((mission) => missionMetrics(mission, state.policy.mission_deadline_ms)),
    shown: state.attempts.flatMap(({ number, lessons }) =>
      lessons.map(({ id, hash, match }) => ({ id, hash, match, attempt: number })),
    ),
    proposed: state.proposed,
    opinions: opinionMetrics(state),
  };
}

function missionMetrics(mission: Mission, deadlineMs: number): MissionMetrics {
  const { id, incident, owner, plan, outcome, resolvedAt } = mission;
  return {
    id,
    incident,
    owner,
    category: plan.category,
    detected: mission.detectedAt,
    resumed: mission.resumedAt,
    outcome,
    updates: contextUpdatesOf(mission).length,
    enriched: isEnriched(mission),
    due: resolvedAt === null ? null : resolvedAt + deadlineMs,
  };
}

function incidentMetrics(state: RunState, incident: Incident): IncidentMetrics {
  const attempt = state.attempts.find(({ number }) => number === incident.attempt);
  const recovery = incident.recoveries.at(-1);
  const { diagnosis } = incident;
  return {
    id: incident.id,
    class: incident.class,
    category: diagnosis?.category ?? null,
    fingerprint: diagnosis?.fingerprint ?? null,
    agent: attempt?.agent.name ?? state.agent.name,
    attempt: incident.attempt,
    began: beganAt(incident, attempt),
    detected: incident.detectedAt,
    diagnosed: incident.diagnosedAt,
    decided: decidedAt(state, incident),
    resumed: incident.resumedAt,
    verified: incident.verifiedAt,
    phase: recovery?.phase ?? null,
    strategy: recovery?.strategy ?? null,
    outcome: incident.outcome,
    cause: (diagnosis?.rootCause ?? '').slice(0, MAX_CAUSE_CHARS),
    end: attempt === undefined ? null : endOf(attempt),
    hypotheses: diagnosis?.hypotheses.length ?? 0,
    asked: state.questions.some((asked) => asked.incident === incident.id),
    again: lastFailed(state, incident),
  };
}

/** The attempt after which an incident was resolved did not end in it. */
function lastFailed({ attempts }: RunState, { id, outcome }: Incident): number {
  const rescues = attempts.filter(({ incident, endedAt }) => incident === id && endedAt !== null);
  return rescues.at(outcome === 'resolved' ? -2 : -1)?.number ?? 0;
}

/** A question counts as decided only when it is answered. */
function decidedAt(state: RunState, incident: Incident): number | null {
  if (incident.decidedAt === null) return null;
  const answers = state.questions.filter((asked) => asked.incident === incident.id);
  return Math.max(incident.decidedAt, ...answers.flatMap(({ answer }) => answer?.at ?? []));
}

function beganAt(incident: Incident, attempt: Attempt | undefined): number {
  const signal = attempt?.signals.find(
    ({ severity, at }) => severity === 'critical' && at <= incident.detectedAt,
  );
  const began = signal?.sinceAt ?? attempt?.exitedAt ?? incident.detectedAt;
  return Math.min(began, incident.detectedAt);
}

function endOf(attempt: Attempt): string | null {
  if (attempt.signal !== null) return attempt.signal;
  return attempt.exitCode === null ? null : `exit ${attempt.exitCode}`;
}

function failed(state: RunState, attempt: Attempt): boolean {
  return state.incidents.some((incident) => incident.attempt === attempt.number);
}

function wasNudged({ nudge }: Attempt): boolean {
  return nudge !== null && nudge.heardAt !== null;
}

/** It showed a sign of trouble for which it could have been stopped, was not, and finished. */
function recoveredByItself(state: RunState, attempt: Attempt): boolean {
  const { signals, endedBy, examination } = attempt;
  return (
    signals.some(stops) && endedBy === 'itself' && examination?.claimsDone === true && !failed(state, attempt)
  );
}

function workersOf({ agent, attempts }: RunState): readonly WorkerMetrics[] {
  if (attempts.every((attempt) => attempt.agent.name === agent.name)) return [];
  return [...Map.groupBy(attempts, (attempt) => attempt.agent.name)].map(([name, lives]) => ({
    agent: name,
    attempts: lives.length,
  }));
}
