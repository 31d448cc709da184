/**
 * `desiredHold`, `sawHealth`, `isAnswered`, `asksAbout`: what a run's own state says about holds: which hold it must place, whether it
 * saw that the trouble is over, whether its question is open or answered. They are computed from the state each time, so that a crash
 * loses nothing.
 */
import type { ClassRule } from '../vocabulary/classes/class-rule.ts';
import { FAILURE_CLASSES, isFailureClass } from '../vocabulary/classes/failure-class.ts';
import { ruleOf } from '../vocabulary/classes/incident-class.ts';
import { type Incident, type RunState, openIncident, openQuestion } from '../state/run-state.ts';
import { accountKey, causeKey, loginKey, modelKey, networkKey, type Place } from './concerns.ts';
import {
  type Hold,
  type HoldKind,
  type NewHold,
  placed,
  PROBE_TTL_MS,
  type Endpoint,
} from '../vocabulary/hold.ts';
import { literalEnd } from '../text/literal-end.ts';
import { oneLine } from '../text/quote-fenced.ts';
import { outageEndpoint } from './outage-endpoint.ts';

export function desiredHold(state: RunState, place: Place): NewHold | null {
  const incident = openIncident(state);
  if (incident === undefined || incident.lastDecidedAt === null || state.life.type !== 'waiting') return null;
  const kind = kindOf(state, incident);
  const endpoint = kind === 'network' ? outageEndpoint(incident.diagnosis) : null;
  const key = kind === null ? null : keyFor(kind, state, place, endpoint);
  if (kind === null || key === null) return null;
  const asks = state.life.for === 'person';
  const cause = incident.diagnosis?.rootCause ?? incident.class;
  return {
    key,
    kind,
    until: asks ? null : (incident.recoveries.at(-1)?.notBefore ?? null),
    reason: REASONS[kind](saidWords(cause, incident.diagnosis?.evidence ?? []), endpoint),
    holder: state.runId,
    at: incident.lastDecidedAt,
    ...(kind === 'network' ? { endpoint } : {}),
  };
}

/** The row as it should become, or null when it already says so. */
export function holdToWrite(row: Hold | null, desired: NewHold): Hold | null {
  if (row !== null && row.liftedAt !== null && row.liftedAt >= desired.at) return null;
  // A probe has started to try since then: trouble from before says nothing about its result.
  if (row !== null && row.probe !== null && desired.at <= (row.probeUntil ?? 0) - PROBE_TTL_MS) return null;
  const next = placed(row, desired);
  const same =
    row !== null && row.liftedAt === next.liftedAt && row.until === next.until && row.probe === next.probe;
  return same ? null : next;
}

/** This run did, after the hold began, what the hold said cannot be done. */
export function sawHealth(state: RunState, hold: Hold, now: number): boolean {
  const attempt = state.attempts.at(-1);
  // An agent that works says nothing about how much room is left.
  if (hold.kind === 'disk') return false;
  if (attempt === undefined || attempt.startedAt === null || attempt.startedAt <= hold.since) return false;
  if (attempt.progressAt !== null || attempt.usage !== null) return true;
  if (attempt.endedAt === null) return livesOn(state, hold, now - attempt.startedAt);
  if (attempt.examination === null) return false;
  if (attempt.exitCode === 0 && attempt.examination.claimsDone) return true;
  const failed = openIncident(state);
  if (failed === undefined || (failed.lastDecidedAt ?? failed.detectedAt) < attempt.startedAt) return false;
  // A crash of the probe says nothing.
  return ruleOf(failed.class).disproves?.includes(hold.kind) === true;
}

/** A run that started before it was told of the hold may be slow to fail. So only the probe counts, or a run that a person let go. */
function livesOn({ runId, holdsOverruledAt, policy }: RunState, hold: Hold, livedMs: number): boolean {
  return (hold.probe === runId || hold.since <= holdsOverruledAt) && livedMs >= policy.probe_ms;
}

export function isAnswered(state: RunState, hold: Hold): boolean {
  if (hold.holder !== state.runId || hold.until !== null || hold.liftedAt !== null) return false;
  return hold.kind !== 'disk' && !asksAbout(state, hold);
}

export function asksAbout(state: RunState, { kind, key }: Hold): boolean {
  const { life } = state;
  const asked = openQuestion(state)?.question.kind;
  if (life.type !== 'waiting' || life.for !== 'person' || asked === undefined) return false;
  return askedForAll(asked) === kind || (kind === 'shared_cause' && causeKey(state) === key);
}

/**
 * Questions whose answer serves every run that met the same trouble: a login, a shared cause, and what is wrong with this host.
 * A person is asked once, however many runs are stopped.
 */
function askedForAll(kind: string | undefined): HoldKind | null {
  if (kind === 'login' || kind === 'shared_cause') return kind;
  if (kind === undefined || !isFailureClass(kind)) return null;
  const { scope, hold, isSharedByName } = FAILURE_CLASSES[kind] as ClassRule;
  return (scope === 'host' || isSharedByName === true) && hold === undefined ? 'shared_cause' : null;
}

function kindOf(state: RunState, incident: Incident): HoldKind | null {
  const { life } = state;
  if (life.type !== 'waiting') return null;
  if (life.for === 'person') return askedForAll(openQuestion(state)?.question.kind);
  if (incident.recoveries.at(-1)?.strategy !== 'wait' || incident.recoveries.at(-1)?.notBefore === null)
    return null;
  return ruleOf(incident.class).hold ?? null;
}

function keyFor(kind: HoldKind, state: RunState, place: Place, endpoint: Endpoint | null): string | null {
  switch (kind) {
    case 'limit':
      return accountKey(state, place);
    case 'login':
      return loginKey(state, place);
    case 'overload':
      return modelKey(state, place);
    case 'network':
      return networkKey(state, place, endpoint);
    case 'shared_cause':
      return causeKey(state);
    case 'disk':
    case 'fleet':
      return null;
  }
}

/** Where the cause ends with the output word for word, that alone: what it means is said before it. */
function saidWords(cause: string, evidence: readonly { readonly text: string }[]): string {
  const line = oneLine(cause).replace(/[.\s]+$/, '');
  const said = literalEnd(line, evidence);
  return said === null ? ` (${line})` : `: “${said.replaceAll(/[“”]/g, '"')}”`;
}

/** `cause`: after the words that say what is held, with its own sign before it. */
const REASONS: Readonly<Record<HoldKind, (cause: string, endpoint: Endpoint | null) => string>> = {
  limit: (cause) => `the account is at its limit${cause}`,
  login: (cause) => `the login of this account is refused${cause}`,
  network: (cause, endpoint) =>
    `${endpoint === null ? 'the network is down' : `${endpoint.host}:${endpoint.port} does not answer`}${cause}`,
  overload: (cause) => `the model is overloaded${cause}`,
  disk: (cause) => `the disk is full${cause}`,
  shared_cause: (cause) => `a person is asked once for all runs that meet it${cause}`,
  fleet: (cause) => cause,
};
