/** `fleetTurn`: decides, purely, which holds one run must place, lift or claim, and what it must be told about the fleet. */
import type { Decision, Fact, FactOf } from '../vocabulary/events/event.ts';
import { type Incident, openIncident, readyAttempt, type RunState } from '../state/run-state.ts';
import { causeKey, sharedCauseOf, FLEET_KEY, keysOf, type Place, untaughtCause } from './concerns.ts';
import {
  changedHold,
  type Hold,
  type HoldChange,
  keyOf,
  type NewHold,
  placed,
  PROBE_TTL_MS,
} from '../vocabulary/hold.ts';
import { holdNews, isProbe } from './hold-news.ts';
import { asksAbout, desiredHold, holdToWrite, isAnswered, sawHealth } from './hold-rules.ts';
import { fleetFreeAt, recoveredFrom, sharedCause, type Sighting } from './shared-cause.ts';

export interface Board {
  readonly holds: readonly Hold[];
  readonly sightings: readonly Sighting[];
  /** Runs named in the holds that have ended, or are gone from the record. */
  readonly ended?: readonly string[];
}

export interface FleetTurn {
  readonly changes: readonly HoldChange[];
  readonly facts: readonly Fact[];
  /** To be told to the core once this run has placed the hold for it. */
  readonly shared: FactOf<'shared_cause_found'> | null;
}

/** `starting`: the attempt whose start is about to be carried out, or null. */
export function fleetTurn(
  state: RunState,
  place: Place,
  seen: Board,
  now: number,
  starting: number | null,
): FleetTurn {
  const left = leftBehind(
    seen,
    [...(seen.ended ?? []), ...(state.life.type === 'ended' ? [state.runId] : [])],
    now,
  );
  if (state.life.type === 'ended') return { changes: left, facts: [], shared: null };
  const board = { ...seen, holds: seen.holds.map((hold) => changedBy(hold, left)) };
  const keys = keysOf(state, place);
  const rows = new Map(board.holds.map((hold) => [hold.key, hold]));
  const desired = desiredHold(state, place);
  const shared = sharedBy(state, board, rows, now);
  const asker = heldByAsker(state, rows, now);
  const capped = cappedUntil(state, board, rows, now, starting);
  const places = [
    ...(desired !== null && holdToWrite(rows.get(desired.key) ?? null, desired) !== null ? [desired] : []),
    ...(shared === null ? [] : [shared.hold]),
    ...(asker === null ? [] : [asker]),
    ...(capped === null ? [] : [capped]),
  ];
  // The holds that this turn places count already: a run is not told that the question it is about to ask holds it.
  const told = canBeTold(state, starting);
  const news = told
    ? holdNews(state, keys, withPlaced(board.holds, places), now, starting)
    : { facts: [], claim: null };
  const { runId } = state;
  const changes: HoldChange[] = [
    ...left,
    ...givenBack(state, board),
    ...places.map((hold) => ({ type: 'place' as const, hold })),
    ...board.holds
      .filter((hold) => isAnswered(state, hold) && hold.since < state.updatedAt)
      .map(({ key }) =>
        state.asked.abandon === null && state.life.type !== 'delivering' && state.life.type !== 'checking'
          ? { type: 'open' as const, key, runId, now }
          : { type: 'lift' as const, key, now, isUnanswered: true as const },
      ),
    ...board.holds
      .filter((hold) => hold.liftedAt === null && keys.includes(hold.key) && sawHealth(state, hold, now))
      .map(({ key }) => ({ type: 'lift' as const, key, now })),
    ...(news.claim === null ? [] : [{ type: 'claim' as const, key: news.claim, runId, now }]),
    // The probe may have waited so long for its start that its time is used up: it claims the hold again.
    ...board.holds
      .filter((hold) => starting !== null && hold.liftedAt === null && isProbe(hold, runId, now))
      .map(({ key }) => ({ type: 'claim' as const, key, runId, now })),
  ];
  return { changes, facts: news.facts, shared: shared?.fact ?? null };
}

function changedBy(hold: Hold, changes: readonly HoldChange[]): Hold {
  const change = changes.find((one) => keyOf(one) === hold.key);
  return change === undefined ? hold : (changedHold(hold, change) ?? hold);
}

function withPlaced(holds: readonly Hold[], places: readonly NewHold[]): readonly Hold[] {
  return holds.map((hold) => {
    const own = places.find(({ key }) => key === hold.key);
    return own === undefined ? hold : placed(hold, own);
  });
}

export function sightingsOf(
  state: RunState,
  decisions: readonly Decision[],
  at: number,
): readonly Sighting[] {
  const { runId } = state;
  const failed = failuresIn(state, decisions)
    .map((incident) => untaughtCause(state, incident))
    .filter((key) => key !== null);
  const past = decisions.flatMap((decision) =>
    decision.type === 'incident_resolved' && decision.outcome === 'resolved' ? [decision.incident] : [],
  );
  // Progress tells it before the incident is past: others must not wait for the end of a long attempt.
  const isMoving = state.attempts.at(-1)?.progressAt === state.updatedAt;
  const recovered = state.incidents
    .filter(({ id, outcome }) => past.includes(id) || (isMoving && outcome === null))
    .filter((incident) => gotPast(state, incident))
    .flatMap((incident) => sharedCauseOf(state, incident) ?? [])
    .map((cause) => ({ runId, key: recoveredFrom(cause), at }));
  return [...recovered, ...failed.map((key) => ({ runId, key, at }))];
}

/**
 * The incidents that this turn decided about, and those that it diagnosed before a used-up budget replaced them. A rescue mission
 * is no new failure: a person started it, and the failure before it was counted when it happened.
 */
function failuresIn({ incidents }: RunState, decisions: readonly Decision[]): readonly Incident[] {
  const types = decisions.map(({ type }) => type);
  if (!types.includes('recovery_decided') || types.includes('mission_started')) return [];
  const named = decisions.flatMap((decision) =>
    decision.type === 'recovery_decided' || decision.type === 'incident_diagnosed' ? [decision.incident] : [],
  );
  return incidents.filter(({ id }) => named.includes(id));
}

/** A later attempt did what the failed one could not. Work that was complete in spite of the failure proves nothing. */
function gotPast({ attempts }: RunState, { attempt }: Incident): boolean {
  const last = attempts.at(-1);
  return last !== undefined && last.number > attempt && (last.progressAt !== null || last.exitCode === 0);
}

/** While the agent's process lives or is being ended, holds change nothing for the run. */
function canBeTold({ life }: RunState, starting: number | null): boolean {
  if (life.type === 'working' || life.type === 'stopping') return starting !== null;
  return life.type === 'waiting' || life.type === 'examining';
}

function sharedBy(state: RunState, board: Board, rows: ReadonlyMap<string, Hold>, now: number) {
  const { life, runId, policy } = state;
  const key = causeKey(state);
  const incident = openIncident(state);
  const pausing = life.type === 'waiting' ? life.for !== 'person' : life.type === 'working';
  const last = state.attempts.at(-1);
  const unstarted = life.type !== 'working' || last?.startedAt === null;
  if (key === null || incident === undefined || incident.lastDecidedAt === null || !pausing || !unstarted)
    return null;
  const row = rows.get(key);
  const failedProbe = row !== undefined && failedAsProbe(row, runId, incident.lastDecidedAt);
  const isHeir = row?.isUnanswered === true && state.holds.some((held) => held.key === key);
  const isSettled = row?.liftedAt === null || (row?.liftedAt ?? 0) >= incident.lastDecidedAt;
  if (isSettled && !failedProbe && !isHeir) return null;
  const runs = failedProbe || isHeir ? [runId] : sharedCause(board.sightings, key, now, policy);
  if (runs === null || !runs.includes(runId)) return null;
  const cause = incident.diagnosis?.rootCause ?? incident.class;
  const reason = runs.length === 1 ? notMended(cause) : `${runs.length} runs fail alike (${cause})`;
  const hold: NewHold = { key, kind: 'shared_cause', until: null, reason, holder: runId, at: now };
  const asker = isHeir ? { asker: row.holder } : {};
  const fact = { type: 'shared_cause_found' as const, at: now, key, runs, cause, ...asker };
  return { hold, fact };
}

/** A probe that failed alike and already asks a person about it asks for all: no other run tries what it could not do. */
function heldByAsker(state: RunState, rows: ReadonlyMap<string, Hold>, now: number): NewHold | null {
  const { runId } = state;
  const key = causeKey(state);
  const row = key === null ? undefined : rows.get(key);
  const incident = openIncident(state);
  if (row === undefined || row.until === null || incident === undefined || !asksAbout(state, row))
    return null;
  if (!failedAsProbe(row, runId, incident.lastDecidedAt ?? incident.detectedAt)) return null;
  const reason = notMended(incident.diagnosis?.rootCause ?? incident.class);
  return { key: row.key, kind: 'shared_cause', until: null, reason, holder: runId, at: now };
}

function failedAsProbe({ probe, probeUntil, liftedAt }: Hold, runId: string, failedAt: number): boolean {
  return probe === runId && liftedAt === null && failedAt > (probeUntil ?? 0) - PROBE_TTL_MS;
}

function notMended(cause: string): string {
  return `it is not mended: runs fail alike (${cause})`;
}

function cappedUntil(
  state: RunState,
  board: Board,
  rows: ReadonlyMap<string, Hold>,
  now: number,
  starting: number | null,
): NewHold | null {
  const attempt = readyAttempt(state) ?? state.attempts.at(-1);
  if (starting === null || attempt?.number !== starting || !attempt.counted) return null;
  const until = fleetFreeAt(board.sightings, now, state.policy);
  const row = rows.get(FLEET_KEY);
  if (until === null || (row !== undefined && row.liftedAt === null && (row.until ?? 0) >= until))
    return null;
  const reason = `${state.policy.fleet_restarts} restarts of all runs together are the cap; waiting for a free place`;
  return { key: FLEET_KEY, kind: 'fleet', until, reason, holder: state.runId, at: now };
}

/**
 * A run that waits for a person gives back the holds that it was to probe, because it tries nothing. It keeps a shared cause,
 * because it asks about it. After a start that could not be carried out, the agent may live all the same: then it keeps all.
 */
function givenBack({ life, runId }: RunState, { holds }: Board): HoldChange[] {
  if (life.type !== 'waiting' || life.for !== 'person' || life.failed !== null) return [];
  return holds
    .filter(({ probe, kind, liftedAt }) => probe === runId && kind !== 'shared_cause' && liftedAt === null)
    .map(({ key }) => ({ type: 'leave', key, runId }));
}

/** A hold is lifted when its holder has ended; a probe that has ended leaves its hold. The fleet's cap has no holder: time ends it. */
function leftBehind({ holds }: Board, ended: readonly string[], now: number): HoldChange[] {
  return holds
    .filter(({ liftedAt, kind }) => liftedAt === null && kind !== 'fleet')
    .flatMap(({ key, kind, holder, probe, until }): HoldChange[] => {
      const probeEnded = probe !== null && ended.includes(probe);
      if (ended.includes(holder) && kind === 'shared_cause' && until === null)
        return [{ type: 'lift', key, now, isUnanswered: true }];
      if (ended.includes(holder) || (probeEnded && kind === 'shared_cause'))
        return [{ type: 'lift', key, now }];
      return probeEnded ? [{ type: 'leave', key, runId: probe }] : [];
    });
}
