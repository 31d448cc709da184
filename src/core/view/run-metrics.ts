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

export interface IncidentMetrics {
  readonly id: string;
  readonly class: string;
  readonly category: string | null;
  readonly fingerprint: string | null;
  readonly agent: string;
  readonly attempt: number;
  /** When the trouble began: the last sign of life, the real end. */
  readonly began: number;
  readonly detected: number;
  readonly diagnosed: number | null;
  readonly decided: number | null;
  readonly resumed: number | null;
  readonly verified: number | null;
  readonly phase: number | null;
  readonly strategy: string | null;
  readonly outcome: string | null;
  readonly cause: string;
  /** How the attempt ended: `exit 1`, `SIGINT`. */
  readonly end: string | null;
  /** Hypotheses still open. */
  readonly hypotheses: number;
  /** A person was asked in it. */
  readonly asked: boolean;
  /** The last attempt that ended in it; 0: only the first one did. */
  readonly again: number;
}

export interface LessonMetrics {
  readonly id: string;
  readonly hash: string;
  readonly attempt: number;
  readonly match: string;
}

export interface MissionMetrics {
  readonly id: string;
  readonly incident: string | null;
  readonly owner: string;
  readonly category: string | null;
  readonly detected: number;
  readonly resumed: number | null;
  readonly outcome: string | null;
  /** Context updates that it made. */
  readonly updates: number;
  /** A lesson, a changed specification, or the reason why neither. */
  readonly enriched: boolean;
  /** By when that is owed, once there is an outcome. */
  readonly due: number | null;
}

export interface WorkerMetrics {
  readonly agent: string;
  readonly attempts: number;
}

export interface RunMetrics {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly model: string | null;
  readonly repository: string;
  readonly created: number;
  readonly ended: number | null;
  readonly state: string;
  /** From the task, otherwise from the number of files changed. */
  readonly size: 'simple' | 'complex' | null;
  readonly files: number;
  readonly attempts: number;
  readonly tokens: number;
  readonly cost: number;
  /** Of attempts that ended in an incident without having moved anything. */
  readonly stuckTokens: number;
  readonly stuckCost: number;
  readonly result: string | null;
  /** Ended and given back: nothing of it is left on the machine. */
  readonly released: boolean;
  /** Delivered on a person's word, without a proof. */
  readonly byWord: boolean;
  /** The agents that worked on it, in order of their first attempt, where a fallback took over; empty: `agent` alone. */
  readonly workers: readonly WorkerMetrics[];
  /** Attempts whose agent was told that it loops. */
  readonly nudged: number;
  /** Attempts that got out of trouble without a stop and finished: after a nudge, and after a warning alone. */
  readonly recoveredAfterNudge: number;
  readonly recoveredAfterWarning: number;
  readonly incidents: readonly IncidentMetrics[];
  readonly missions: readonly MissionMetrics[];
  readonly shown: readonly LessonMetrics[];
  readonly proposed: readonly string[];
  readonly opinions: readonly OpinionMetrics[];
}

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
