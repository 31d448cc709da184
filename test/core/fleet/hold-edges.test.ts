/** Holds at their edges: who is told, who may try, what counts as health, and what ends a hold. */
import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { causeKey, FLEET_KEY, type Place } from '../../../src/core/fleet/concerns.ts';
import { type Board, fleetTurn } from '../../../src/core/fleet/fleet-turn.ts';
import { holdNews, isProbe } from '../../../src/core/fleet/hold-news.ts';
import {
  asksAbout,
  desiredHold,
  holdToWrite,
  isAnswered,
  sawHealth,
} from '../../../src/core/fleet/hold-rules.ts';
import { RESTART_SIGHTING } from '../../../src/core/fleet/shared-cause.ts';
import type { Attempt, RunState } from '../../../src/core/state/run-state.ts';
import type { FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import { type Hold, type HoldKind, placed, PROBE_TTL_MS } from '../../../src/core/vocabulary/hold.ts';
import type { Waiting } from '../../../src/core/vocabulary/life.ts';
import { EXAMINATION, Story } from '../story.ts';

const PLACE: Place = { host: 'laptop', account: 'a1' };
const ACCOUNT = 'account:rehearsal:a1';
const hold = (kind: HoldKind, change: Partial<Hold> = {}): Hold => ({
  ...placed(null, { key: ACCOUNT, kind, until: 5_000, reason: 'why', holder: 'r2', at: 1 }),
  ...change,
});
const failed = (name: FailureClass, policy = {}) =>
  new Story({ policy })
    .prepared()
    .started()
    .ended({}, { diagnosis: observedDiagnosis(name, `${name} happened`, ['x']) });
const look = (state: RunState, board: Partial<Board>, now: number, starting: number | null = null) =>
  fleetTurn(state, PLACE, { holds: [], sightings: [], ...board }, now, starting);
const WAITS: Waiting = {
  type: 'waiting',
  for: 'time',
  until: null,
  reason: '',
  question: null,
  failed: null,
};

describe('the hold that trouble calls for', () => {
  it('is none while the run does something', () => {
    const { state } = failed('rate_limited');
    expect(desiredHold(state, PLACE)).not.toBeNull();
    expect(desiredHold({ ...state, life: { type: 'working', attempt: 1 } }, PLACE)).toBeNull();
    expect(desiredHold({ ...state, life: { type: 'examining', attempt: 1 } }, PLACE)).toBeNull();
  });

  it('is none without an incident, or before something was decided about it', () => {
    const { state } = failed('rate_limited');
    expect(desiredHold({ ...state, incidents: [] }, PLACE)).toBeNull();
    const undecided = state.incidents.map((one) => ({ ...one, lastDecidedAt: null }));
    expect(desiredHold({ ...state, incidents: undecided }, PLACE)).toBeNull();
  });

  it('is none where the run pauses before a restart of its own, or waits without an end', () => {
    const { state } = failed('rate_limited');
    const recovered = (change: object): RunState => ({
      ...state,
      incidents: state.incidents.map((one) => ({
        ...one,
        recoveries: one.recoveries.map((recovery) => ({ ...recovery, ...change })),
      })),
    });
    expect(desiredHold(recovered({}), PLACE)).not.toBeNull();
    expect(desiredHold(recovered({ strategy: 'resume' }), PLACE)).toBeNull();
    expect(desiredHold(recovered({ notBefore: null }), PLACE)).toBeNull();
    expect(
      desiredHold({ ...state, incidents: state.incidents.map((one) => ({ ...one, recoveries: [] })) }, PLACE),
    ).toBeNull();
  });

  it('names its cause, and carries an endpoint only where the network is down', () => {
    expect(desiredHold(failed('rate_limited').state, PLACE)).toMatchObject({
      reason: 'the account is at its limit (rate_limited happened)',
    });
    expect(desiredHold(failed('rate_limited').state, PLACE)).not.toHaveProperty('endpoint');
    expect(desiredHold(failed('network_failure').state, PLACE)).toMatchObject({
      endpoint: null,
      reason: 'the network is down (network_failure happened)',
    });
    const { state } = failed('rate_limited');
    const undiagnosed = state.incidents.map((one) => ({ ...one, diagnosis: null }));
    expect(desiredHold({ ...state, incidents: undiagnosed }, PLACE)?.reason).toContain('(rate_limited)');
  });

  it('quotes what the program said itself, and says what it means once', () => {
    const { state } = failed('overloaded');
    const incidents = state.incidents.map((one) => ({
      ...one,
      diagnosis: one.diagnosis && {
        ...one.diagnosis,
        rootCause: 'The service is overloaded or down: API Error: 529 “overloaded”.',
        evidence: [{ line: 3, text: '  API Error: 529 “overloaded”' }],
      },
    }));
    expect(desiredHold({ ...state, incidents }, PLACE)?.reason).toBe(
      'the model is overloaded: “API Error: 529 "overloaded"”',
    );
  });

  it('is none for a question that only this run can use', () => {
    expect(desiredHold(failed('crashed', { restarts: 0 }).state, PLACE)).toBeNull();
    expect(desiredHold(failed('model_refusal').state, PLACE)).toBeNull();
  });
});

describe('writing a hold', () => {
  const desired = { key: ACCOUNT, kind: 'limit', until: 9_000, reason: '', holder: 'r1', at: 500 } as const;

  it('trouble of the very moment of health does not bring it back', () => {
    const lifted = { ...placed(null, desired), liftedAt: 500 };
    expect(holdToWrite(lifted, desired)).toBeNull();
    expect(holdToWrite({ ...lifted, liftedAt: 499 }, desired)).toMatchObject({ liftedAt: null });
  });

  it('trouble of the very moment at which the probe set out says nothing about the probe', () => {
    const probing = { ...placed(null, desired), probe: 'r1', probeUntil: 500 + PROBE_TTL_MS };
    expect(holdToWrite(probing, desired)).toBeNull();
    expect(holdToWrite({ ...probing, probeUntil: 499 + PROBE_TTL_MS }, desired)).not.toBeNull();
  });
});

describe('health', () => {
  const running = new Story({ policy: { probe_ms: 20_000 } }).prepared().started();
  const { state, now } = running;
  const startedAt = state.attempts[0]?.startedAt ?? 0;
  const withLast = (more: Partial<Attempt>, run: Partial<RunState> = {}): RunState => ({
    ...state,
    ...run,
    attempts: state.attempts.map((attempt) => ({ ...attempt, ...more })),
  });
  const well = { endedAt: now, exitCode: 0, examination: { ...EXAMINATION, claimsDone: true } };

  it.each<[string, RunState, Hold, boolean]>([
    ['progress is health', withLast({ progressAt: now }), hold('limit'), true],
    ['spent tokens are health', withLast({ usage: {} as never }), hold('limit'), true],
    ['but say nothing about the disk', withLast({ progressAt: now }), hold('disk'), false],
    [
      'an attempt that did not start saw nothing',
      withLast({ startedAt: null, progressAt: now }),
      hold('limit'),
      false,
    ],
    ['no attempt saw nothing', { ...state, attempts: [] }, hold('limit'), false],
    [
      'one that started with the hold saw nothing',
      withLast({ progressAt: now }),
      hold('limit', { since: startedAt }),
      false,
    ],
    [
      'one that started after it did',
      withLast({ progressAt: now }),
      hold('limit', { since: startedAt - 1 }),
      true,
    ],
    ['finished work is health', withLast(well), hold('limit'), true],
    ['an end without a claim is not', withLast({ ...well, examination: EXAMINATION }), hold('limit'), false],
    ['a failed end with a claim is not', withLast({ ...well, exitCode: 1 }), hold('limit'), false],
    ['an end that nobody looked at is not', withLast({ ...well, examination: null }), hold('limit'), false],
  ])('%s', (_, from, about, isHealthy) => {
    expect(sawHealth(from, about, now)).toBe(isHealthy);
  });

  it('a failure behind the hold got past it; one from before the attempt did not', () => {
    const limited = failed('rate_limited').state;
    const [met] = limited.incidents;
    if (met === undefined) throw new Error('it has failed');
    const last = limited.attempts[0] as Attempt;
    const seen = (decidedAt: number | null, detectedAt: number) =>
      sawHealth(
        { ...limited, incidents: [{ ...met, lastDecidedAt: decidedAt, detectedAt }] },
        hold('network'),
        now,
      );
    const began = last.startedAt ?? 0;
    expect(seen(began, 0)).toBe(true);
    expect(seen(began - 1, began + 1)).toBe(false);
    expect(seen(null, began)).toBe(true);
    expect(sawHealth({ ...limited, incidents: [] }, hold('network'), now)).toBe(false);
    expect(sawHealth(limited, hold('limit'), now)).toBe(false);
  });

  it('a person who let the run go in spite of the hold is enough for living on', () => {
    const let_ = withLast({}, { holdsOverruledAt: 1 });
    expect(sawHealth(let_, hold('login'), startedAt + 20_000)).toBe(true);
    expect(sawHealth(let_, hold('login'), startedAt + 19_999)).toBe(false);
    expect(sawHealth(let_, hold('login', { since: 2 }), startedAt + 20_000)).toBe(false);
  });
});

describe('a question for all', () => {
  const asking = failed('auth_failure');
  const login = hold('login', { holder: 'r1', until: null });

  it('is open while the run asks it, and answered when it does not', () => {
    expect(asksAbout(asking.state, login)).toBe(true);
    expect(isAnswered(asking.state, login)).toBe(false);
    const on = { ...asking.state, life: WAITS };
    expect(asksAbout(on, login)).toBe(false);
    expect(isAnswered(on, login)).toBe(true);
  });

  it('is about its own hold only', () => {
    expect(asksAbout(asking.state, hold('shared_cause', { key: 'cause:other' }))).toBe(false);
    expect(asksAbout(asking.state, hold('limit'))).toBe(false);
    expect(asksAbout({ ...asking.state, life: { type: 'working', attempt: 1 } }, login)).toBe(false);
  });

  it.each<[string, Partial<Hold>]>([
    ['of another run', { holder: 'r2' }],
    ['with an end', { until: 9 }],
    ['that is lifted', { liftedAt: 3 }],
    ['about the disk', { kind: 'disk' }],
  ])('a hold %s has no answer', (_, change) => {
    expect(isAnswered({ ...asking.state, life: WAITS }, { ...login, ...change })).toBe(false);
  });

  it('that names a thing of this machine is a shared cause; one about the work is not', () => {
    const key = causeKey(failed('environment').state) ?? '';
    expect(asksAbout(failed('environment').state, hold('shared_cause', { key }))).toBe(true);
    expect(asksAbout(failed('environment').state, hold('shared_cause', { key: 'cause:other' }))).toBe(true);
    expect(asksAbout(failed('model_refusal').state, hold('shared_cause', { key: 'cause:other' }))).toBe(
      false,
    );
  });
});

describe('the run that tries first', () => {
  it('is so until its time is over', () => {
    const probing = hold('limit', { probe: 'r1', probeUntil: 10 });
    expect([isProbe(probing, 'r1', 9), isProbe(probing, 'r1', 10), isProbe(probing, 'r3', 9)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isProbe(hold('limit', { probe: 'r1' }), 'r1', 0)).toBe(false);
  });

  it('is not told of the hold, and claims it again with its start', () => {
    const { state, now } = new Story().prepared();
    const probing = hold('limit', { probe: 'r1', probeUntil: now + 1 });
    expect(look(state, { holds: [probing] }, now, 1)).toMatchObject({
      facts: [],
      changes: [{ type: 'claim', key: ACCOUNT, runId: 'r1', now }],
    });
    expect(look(state, { holds: [probing] }, now, null).changes).toEqual([]);
    expect(look(state, { holds: [{ ...probing, liftedAt: 3 }] }, now, 1).changes).toEqual([]);
  });

  it('gives back what it was to try while it waits for a person, but for a shared cause or after a failed start', () => {
    const { state, now } = new Story().prepared();
    const probing = (change: Partial<Hold> = {}) =>
      hold('limit', { key: 'k', probe: 'r1', probeUntil: now + 9, ...change });
    const given = (life: Partial<Waiting>, change: Partial<Hold> = {}) =>
      look({ ...state, life: { ...WAITS, for: 'person', ...life } }, { holds: [probing(change)] }, now)
        .changes.length;
    expect(given({})).toBe(1);
    expect(given({ for: 'time' })).toBe(0);
    expect(given({ failed: { command: 'start_attempt', life: WAITS } })).toBe(0);
    expect(given({}, { kind: 'shared_cause' })).toBe(0);
    expect(given({}, { probe: 'r3' })).toBe(0);
    expect(given({}, { liftedAt: 3 })).toBe(0);
  });
});

describe('news', () => {
  const parkedBy = (notice: Hold) => {
    const story = new Story().prepared();
    const { key, kind, until, reason, holder } = notice;
    story.tell({ type: 'held', hold: { key, kind, until, reason, holder }, attempt: 1 });
    return story.state;
  };

  it('a hold that is gone from the board holds no more', () => {
    expect(holdNews(parkedBy(hold('limit')), [ACCOUNT], [], 0, null).facts).toMatchObject([
      { type: 'hold_lifted' },
    ]);
  });

  it('the cap of the fleet is over at its end, not before; a limit needs a run that tries', () => {
    const told = (kind: HoldKind, now: number) =>
      holdNews(parkedBy(hold(kind)), [ACCOUNT], [hold(kind)], now, null).facts.length;
    expect([told('fleet', 4_999), told('fleet', 5_000), told('limit', 5_000)]).toEqual([0, 1, 0]);
  });

  it('a run whose agent lives is told nothing', () => {
    const working = new Story().prepared().started();
    expect(look(working.state, { holds: [hold('limit')] }, working.now, null).facts).toEqual([]);
    expect(look(working.state, { holds: [hold('limit')] }, working.now, 1).facts).toHaveLength(1);
  });

  it.each([
    ['preparing', { type: 'preparing' }, 0],
    ['checking', { type: 'checking', tree: 't' }, 0],
    ['examining', { type: 'examining', attempt: 1 }, 1],
    ['waiting', WAITS, 1],
    ['stopping', { type: 'stopping', attempt: 1, why: '', by: 'mayday' }, 0],
  ] as const)('a run that is %s is told of %i holds', (_, life, count) => {
    const { state, now } = new Story().prepared();
    expect(look({ ...state, life }, { holds: [hold('limit')] }, now).facts).toHaveLength(count);
  });

  it('a person’s "go on" overrules the holds of that moment', () => {
    const { state } = new Story().prepared();
    const told = (holdsOverruledAt: number) =>
      holdNews({ ...state, holdsOverruledAt }, [ACCOUNT], [hold('limit')], 0, 1).facts.length;
    expect([told(0), told(1)]).toEqual([1, 0]);
  });
});

describe('what ends a hold', () => {
  const { state, now } = new Story().prepared();

  it.each<[string, Partial<Hold>, readonly string[], object[]]>([
    ['the end of its holder', {}, ['r2'], [{ type: 'lift', key: 'k', now }]],
    ['not the end of another run', {}, ['r9'], []],
    ['nothing where it is lifted', { liftedAt: 3 }, ['r2'], []],
    ['nothing but time for the cap of the fleet', { kind: 'fleet' }, ['r2'], []],
    [
      'the end of the run that tries for a shared cause',
      { kind: 'shared_cause', probe: 'r3' },
      ['r3'],
      [{ type: 'lift', key: 'k', now }],
    ],
    [
      'the end of the run that tries only frees the place',
      { probe: 'r3' },
      ['r3'],
      [{ type: 'leave', key: 'k', runId: 'r3' }],
    ],
  ])('%s', (_, change, ended, changes) => {
    expect(look(state, { holds: [hold('limit', { key: 'k', ...change })], ended }, now).changes).toEqual(
      changes,
    );
  });

  it('health that this run saw, for a hold that concerns it', () => {
    const well = new Story().prepared().started();
    well.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'x' });
    const lifts = (change: Partial<Hold>) =>
      look(well.state, { holds: [hold('limit', change)] }, well.now).changes;
    expect(lifts({})).toEqual([{ type: 'lift', key: ACCOUNT, now: well.now }]);
    expect(lifts({ key: 'account:codex:a1' })).toEqual([]);
    expect(lifts({ liftedAt: 3 })).toEqual([]);
  });

  it('the answer to its own question, once the run was told of it', () => {
    const own = (since: number) => hold('login', { key: 'k', holder: 'r1', until: null, since });
    expect(look(state, { holds: [own(state.updatedAt - 1)] }, now).changes).toEqual([
      { type: 'open', key: 'k', runId: 'r1', now },
    ]);
    expect(look(state, { holds: [own(state.updatedAt)] }, now).changes).toEqual([]);
  });
});

describe('the cap of the fleet', () => {
  const restarted = new Story().prepared().started().ended().waited();
  const { state, now } = restarted;
  const { fleet_restarts, fleet_window_ms } = state.policy;
  const sightings = Array.from({ length: fleet_restarts }, (_, index) => ({
    runId: `x${index}`,
    key: RESTART_SIGHTING,
    at: now,
  }));
  const capped = (rows: readonly Hold[], starting: number | null = 2) =>
    look(state, { holds: rows, sightings }, now, starting).changes.filter(({ type }) => type === 'place')
      .length;
  const cap = (change: Partial<Hold>) =>
    hold('fleet', { key: FLEET_KEY, until: now + fleet_window_ms, ...change });

  it('is placed for a start, once', () => {
    expect(capped([])).toBe(1);
    expect(capped([], null)).toBe(0);
    expect(capped([], 3)).toBe(0);
    expect(capped([cap({})])).toBe(0);
    expect(capped([cap({ until: now + fleet_window_ms + 1 })])).toBe(0);
  });

  it('is placed again when the old one is over or ends too early', () => {
    expect(capped([cap({ liftedAt: 3 })])).toBe(1);
    expect(capped([cap({ until: now + fleet_window_ms - 1 })])).toBe(1);
    expect(capped([cap({ until: null })])).toBe(1);
  });
});

describe('a cause that several runs share', () => {
  const story = failed('session_corrupt');
  const key = causeKey(story.state) ?? '';
  const at = story.now;
  const sightings = ['r2', 'r3', 'r1'].map((runId) => ({ runId, key, at }));
  const shared = (state: RunState, rows: readonly Hold[] = [], seen = sightings) =>
    look(state, { holds: rows, sightings: seen }, at).shared !== null;
  const row = (change: Partial<Hold> = {}) => hold('shared_cause', { key, until: null, ...change });
  const decidedAt = story.state.incidents[0]?.lastDecidedAt ?? 0;

  it('is found by a run that pauses, and by one whose attempt has not started', () => {
    const pausing = { ...story.state, life: WAITS };
    expect(shared(pausing)).toBe(true);
    expect(shared({ ...pausing, life: { ...WAITS, for: 'person' } })).toBe(false);
    expect(shared({ ...pausing, life: { type: 'checking', tree: 't' } })).toBe(false);
    const working = { ...story.state, life: { type: 'working', attempt: 2 } as const };
    expect(shared(working)).toBe(true);
    const started = working.attempts.map((attempt) => ({ ...attempt, startedAt: at }));
    expect(shared({ ...working, attempts: started })).toBe(false);
  });

  it('is found by a run that met it itself', () => {
    const others = ['r2', 'r3', 'r4'].map((runId) => ({ runId, key, at }));
    expect(shared(story.state, [], others)).toBe(false);
  });

  it('is not asked about twice, unless this failure came after the hold was lifted', () => {
    expect(shared(story.state, [row()])).toBe(false);
    expect(shared(story.state, [row({ liftedAt: decidedAt })])).toBe(false);
    expect(shared(story.state, [row({ liftedAt: decidedAt - 1 })])).toBe(true);
  });

  it('is asked about again by the run that tried first and failed after that', () => {
    const probing = (probeUntil: number | null, probe = 'r1') => row({ until: 5, probe, probeUntil });
    expect(shared(story.state, [probing(decidedAt - 1 + PROBE_TTL_MS)], [])).toBe(true);
    expect(shared(story.state, [probing(decidedAt + PROBE_TTL_MS)], [])).toBe(false);
    expect(shared(story.state, [probing(decidedAt - 1 + PROBE_TTL_MS, 'r3')], [])).toBe(false);
    expect(shared(story.state, [probing(null)], [])).toBe(true);
  });

  it('says how many and what', () => {
    const { changes, shared: fact } = look(story.state, { sightings }, at);
    expect(changes).toMatchObject([{ hold: { reason: '3 runs fail alike (session_corrupt happened)', at } }]);
    expect(fact).toMatchObject({ cause: 'session_corrupt happened', key, at });
  });
});
