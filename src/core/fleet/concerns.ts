/** `keysOf`: the keys of all holds that concern a run: its credential, its model, its host, the cause it met, the fleet's own cap. */
import { ruleOf } from '../vocabulary/classes/incident-class.ts';
import { lessonFor } from '../vocabulary/lesson.ts';
import { isLocal, LOCALHOST } from './outage-endpoint.ts';
import type { Endpoint } from '../vocabulary/hold.ts';
import { type Incident, openIncident, readyAttempt, type RunState } from '../state/run-state.ts';

/** Where a run works. The machine tells it, never the run. */
export interface Place {
  readonly host: string;
  /** Which credential the agent uses, as a hash or a name; never the credential itself. */
  readonly account: string;
}

export const FLEET_KEY = 'fleet';

export function accountKey(state: RunState, { account }: Place): string {
  return `account:${agentOf(state).name}:${account}`;
}

export function loginKey(state: RunState, { account }: Place): string {
  return `login:${agentOf(state).name}:${account}`;
}

export function modelKey(state: RunState, { account }: Place): string {
  const { name, model } = agentOf(state);
  return `model:${name}:${model ?? 'default'}:${account}`;
}

/**
 * An outage concerns the runs that talk to the same provider: those of one agent and account on this host. A port of this
 * machine that does not answer belongs to something that one task should have started: it concerns that run alone.
 */
export function networkKey(state: RunState, { host, account }: Place, endpoint: Endpoint | null): string {
  return endpoint !== null && isLocal(endpoint)
    ? `network:${host}:run:${state.runId}`
    : `network:${host}:${agentOf(state).name}:${account}`;
}

export function diskKey({ host }: Pick<Place, 'host'>): string {
  return `host:${host}:disk`;
}

/** The cause of the open incident. Null: other runs cannot share it, or the run has a lesson about it that it has not tried yet. */
export function causeKey(state: RunState): string | null {
  const incident = openIncident(state);
  return incident === undefined ? null : untaughtCause(state, incident);
}

/** The cause of one incident, as `sharedCauseOf` gives it; null also while the run has a lesson about it to try. */
export function untaughtCause(state: RunState, incident: Incident): string | null {
  return hasUntriedLesson(state, incident) ? null : sharedCauseOf(state, incident);
}

/** The cause of one incident, open or resolved, as a key that other runs may share; null: it cannot be shared. */
export function sharedCauseOf(state: RunState, incident: Incident): string | null {
  if (incident.diagnosis === null || ruleOf(incident.class).isShareable !== true) return null;
  const { fingerprint, rootCause, origin } = incident.diagnosis;
  const attempt = state.attempts.find(({ number }) => number === incident.attempt);
  // All runs of a lost host fail alike, and that host is the whole cause.
  if (attempt?.endedBy === 'host') return null;
  const agent = attempt?.agent ?? state.agent;
  const isObserved = origin === 'observed';
  // Where only the end of the process is known, two different command lines share no cause.
  const program = isObserved && agent.name === 'command' ? `${agent.command.join(' ').slice(0, 100)}:` : '';
  // A module that is missing here says nothing about another repository.
  const where = incident.class === 'missing_dependency' ? `${state.repository.slice(-100)}:` : '';
  // A fingerprint is the same for different paths; what one path denies says nothing about another.
  const cause = isObserved || ruleOf(incident.class).isSharedByName === true ? rootCause : fingerprint;
  return `cause:${incident.class}:${agent.name}:${program}${where}${cause}`.slice(0, 300);
}

/** A lesson tells what to do about the incident. Each run may try it once before all runs are held and a person is asked again. */
function hasUntriedLesson({ attempts, lessons }: RunState, incident: Incident): boolean {
  const lesson = lessonFor(lessons, incident);
  if (lesson === undefined) return false;
  const tried = attempts.some(
    (attempt) =>
      attempt.incident === incident.id &&
      attempt.endedAt !== null &&
      attempt.lessons.some(({ id }) => id === lesson.id),
  );
  return !tried;
}

export function keysOf(state: RunState, place: Place): readonly string[] {
  const cause = causeKey(state);
  return [
    accountKey(state, place),
    loginKey(state, place),
    modelKey(state, place),
    networkKey(state, place, null),
    networkKey(state, place, LOCALHOST),
    diskKey(place),
    ...(cause === null ? [] : [cause]),
    ...(next(state)?.counted ? [FLEET_KEY] : []),
  ];
}

function agentOf(state: RunState) {
  return state.attempts.at(-1)?.agent ?? state.agent;
}

function next(state: RunState) {
  const last = state.attempts.at(-1);
  return readyAttempt(state) ?? (last?.startedAt === null ? last : undefined);
}
