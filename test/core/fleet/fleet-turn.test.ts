import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { causeKey, FLEET_KEY, keysOf, type Place } from '../../../src/core/fleet/concerns.ts';
import { fleetTurn, sightingsOf } from '../../../src/core/fleet/fleet-turn.ts';
import {
  changedHold,
  claimed,
  type Hold,
  type HoldChange,
  placed,
  PROBE_TTL_MS,
} from '../../../src/core/vocabulary/hold.ts';
import { RESTART_SIGHTING, recoveredFrom } from '../../../src/core/fleet/shared-cause.ts';
import type { MatchedLesson } from '../../../src/core/vocabulary/lesson.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, ENDED, EXAMINATION, Story } from '../story.ts';

const PLACE: Place = { host: 'laptop', account: 'a1' };
const BROKEN = observedDiagnosis('session_corrupt', 'the store is unreadable', ['400']);
const LESSON: MatchedLesson = {
  id: 'l1',
  hash: 'h',
  title: 'unreadable store',
  guidance: 'remove the lock',
  source: 'r0',
  match: 'class',
  why: 'its class',
  fingerprints: [],
  classes: ['session_corrupt', 'crashed'],
};

function failing(lessons: readonly MatchedLesson[] = []): Story {
  const story = new Story().prepared().started();
  if (lessons.length > 0) story.tell({ type: 'lessons_matched', lessons });
  return story.ended({}, { diagnosis: BROKEN });
}
/** Two others met what this run met; it is the third. */
function alike({ state, now }: Story) {
  const key = causeKey(state) ?? '';
  return ['r2', 'r3', 'r1'].map((runId) => ({ runId, key, at: now }));
}

describe('three runs that fail alike', () => {
  it('the third places one hold for all and is told to ask', () => {
    const story = failing();
    const { changes, shared } = fleetTurn(
      story.state,
      PLACE,
      { holds: [], sightings: alike(story) },
      story.now,
      2,
    );
    expect(changes).toMatchObject([
      { type: 'place', hold: { kind: 'shared_cause', until: null, holder: 'r1' } },
    ]);
    expect(shared).toMatchObject({ runs: ['r2', 'r3', 'r1'], cause: 'the store is unreadable' });
  });

  it('where somebody asks already, nothing is asked again and the run is told that it is held', () => {
    const story = failing();
    const key = causeKey(story.state) ?? '';
    const asked = placed(null, {
      key,
      kind: 'shared_cause',
      until: null,
      reason: 'alike',
      holder: 'r2',
      at: 1,
    });
    const turn = fleetTurn(story.state, PLACE, { holds: [asked], sightings: alike(story) }, story.now, 2);
    expect(turn).toMatchObject({
      changes: [],
      shared: null,
      facts: [{ type: 'held', hold: { holder: 'r2' } }],
    });
  });

  it('a run that makes progress after its restart leaves word that the cause is not shared', () => {
    const story = new Story().prepared().started().ended().waited();
    const key = causeKey(story.state) ?? '';
    story.started().tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a.txt' });
    expect(sightingsOf(story.state, story.last.decisions, story.now)).toEqual([
      { runId: 'r1', key: recoveredFrom(key), at: story.now },
    ]);
  });

  it('a run that failed alike is counted also where its own budget is used up and it asks about that', () => {
    const budget = { tokens: null, usd: null, turns: null, wallClockMs: 60_000 };
    const spent = new Story({ task: { budget } }).prepared().started();
    spent.now += 120_000;
    spent.ended({}, { diagnosis: BROKEN });
    expect(spent.state.incidents.at(-1)?.class).toBe('budget_exhausted');
    expect(sightingsOf(spent.state, spent.last.decisions, spent.now)).toEqual([
      { runId: 'r1', key: causeKey(failing().state), at: spent.now },
    ]);
  });

  it.each([
    ['a healthy run', () => new Story().prepared().started()],
    ['a run that failed before', () => failing()],
  ])('a person who takes over %s is no failure that others share', (_, before) => {
    const story = before();
    const plan = { category: null, rootCause: null, evidence: [], filesAdded: [], specChanges: [] };
    story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: 'look there' } });
    expect(story.last.decisions.map(({ type }) => type)).toContain('recovery_decided');
    expect(sightingsOf(story.state, story.last.decisions, story.now)).toEqual([]);
  });

  it('where only the end of the process is known, two different command lines share no cause', () => {
    const ended = (line: string) => {
      const story = new Story({ agent: { name: 'command', command: ['sh', '-c', line], model: null } });
      return causeKey(story.prepared().started().ended().state);
    };
    expect(ended('make a')).not.toBe(ended('make b'));
    expect(ended('make a')).toBe(ended('make a'));
  });

  it('what an agent wrote or claims is its own and never a shared cause', () => {
    const story = new Story().prepared().started();
    story.ended({}, { diagnosis: observedDiagnosis('test_failure', '3 failed', ['3 failed']) });
    expect(causeKey(story.state)).toBeNull();
    expect(sightingsOf(story.state, story.last.decisions, story.now)).toEqual([]);
  });
});

describe('a run that was to try first and failed alike again', () => {
  it('asks again, and is not told that its own new question holds it', () => {
    const story = new Story().prepared().started().ended();
    const key = causeKey(story.state) ?? '';
    const asked = placed(null, { key, kind: 'shared_cause', until: null, reason: '', holder: 'r1', at: 1 });
    // Its answer came long ago: by now its time to try first is over.
    const answered = changedHold(asked, { type: 'open', key, runId: 'r1', now: 2 }) as Hold;
    const late = story.now + PROBE_TTL_MS;
    const turn = fleetTurn(story.state, PLACE, { holds: [answered], sightings: [] }, late, null);
    expect(turn.shared).toMatchObject({ key, runs: ['r1'] });
    expect(turn.facts).toEqual([]);
  });

  it('holds the others while it asks about its own used-up restarts, until that question is answered', () => {
    const story = new Story().prepared();
    for (let crash = 0; openQuestion(story.state) === undefined; crash += 1) {
      if (crash > 0) story.waited();
      story.started().ended();
    }
    const key = causeKey(story.state) ?? '';
    const asked = placed(null, { key, kind: 'shared_cause', until: null, reason: '', holder: 'r2', at: 1 });
    const due = changedHold(asked, { type: 'open', key, runId: 'r2', now: 2 }) as Hold;
    const probing = { ...due, probe: 'r1', probeUntil: story.now - 1 + PROBE_TTL_MS };
    const { changes, shared } = fleetTurn(
      story.state,
      PLACE,
      { holds: [probing], sightings: [] },
      story.now,
      null,
    );
    expect(openQuestion(story.state)?.question.kind).toBe('crashed');
    expect(shared).toBeNull();
    expect(changes).toMatchObject([{ type: 'place', hold: { key, until: null, holder: 'r1' } }]);
    const held = changedHold(probing, changes[0] as HoldChange) as Hold;
    expect(claimed(held, 'r3', story.now + PROBE_TTL_MS)).toBeNull();
    expect(fleetTurn(story.state, PLACE, { holds: [held], sightings: [] }, story.now, null).changes).toEqual(
      [],
    );

    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({ type: 'question_answered', question, option: 'retry', note: '', by: 'ann' });
    const after = fleetTurn(story.state, PLACE, { holds: [held], sightings: [] }, story.now, null);
    expect(after.changes).toMatchObject([{ type: 'open', key, runId: 'r1' }]);
  });

  it('says so, and does not speak of several runs', () => {
    const story = failing();
    const key = causeKey(story.state) ?? '';
    story.tell({ type: 'shared_cause_found', key, runs: ['r1'], cause: 'the store is unreadable' });
    expect(story.state.questions.at(-1)?.question.text).toMatch(/^Run r1 tried first and failed alike again/);
  });
});

describe('a run that asked for all and is abandoned', () => {
  const asked = (key: string) =>
    placed(null, { key, kind: 'shared_cause', until: null, reason: 'alike', holder: 'r2', at: 1 });

  it('leaves its question to the next run that was held: nothing is restarted into the same failure', () => {
    const story = failing();
    const key = causeKey(story.state) ?? '';
    const look = (hold: Hold, ended: readonly string[]) =>
      fleetTurn(story.state, PLACE, { holds: [hold], sightings: [], ended }, story.now, null);
    story.tell({ type: 'held', hold: asked(key), attempt: 2 });
    const { changes, shared, facts } = look(asked(key), ['r2']);
    expect(changes).toMatchObject([
      { type: 'lift', key, isUnanswered: true },
      { type: 'place', hold: { key, until: null, holder: 'r1' } },
    ]);
    if (shared !== null) story.tell(shared);
    for (const fact of facts) story.tell(fact);
    expect(openQuestion(story.state)?.question).toMatchObject({ kind: 'shared_cause' });
    expect(openQuestion(story.state)?.question.text).toMatch(
      /^Run r1 failed like run r2, which asked and has ended/,
    );
    expect(story.state.attempts.at(-1)?.startedAt).toBeNull();
  });

  it('a third run is told whose question it waits for now', () => {
    const story = failing();
    const key = causeKey(story.state) ?? '';
    story.tell({ type: 'held', hold: asked(key), attempt: 2 });
    const holds = [{ ...asked(key), holder: 'r3' }];
    expect(fleetTurn(story.state, PLACE, { holds, sightings: [] }, story.now, null).facts).toMatchObject([
      { type: 'held', hold: { holder: 'r3' } },
    ]);
  });

  it('does so while its work is still being kept: "abandon" does not say that the cause is mended', () => {
    const checkpoint = CHECKPOINT;
    const left = { checkpoint, partialWork: { ...EXAMINATION.partialWork, changed: ['a'] } };
    const story = new Story()
      .prepared()
      .started()
      .ended({}, { diagnosis: BROKEN, ...left });
    story.checked('gate', 't1', false, ['a']);
    const key = causeKey(story.state) ?? '';
    story.tell({ type: 'shared_cause_found', key, runs: ['r1', 'r2', 'r3'], cause: 'unreadable' });
    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({ type: 'question_answered', question, option: 'abandon', note: '', by: 'ann' });
    expect(story.state.life.type).toBe('delivering');
    const holds = [{ ...asked(key), holder: 'r1' }];
    expect(fleetTurn(story.state, PLACE, { holds, sightings: [] }, story.now, null).changes).toMatchObject([
      { type: 'lift', key, isUnanswered: true },
    ]);
  });
});

describe('a cause that an approved lesson speaks of', () => {
  it('holds nobody and is not counted: each run gets the lesson instead', () => {
    const story = failing([LESSON]);
    expect(causeKey(story.state)).toBeNull();
    expect(sightingsOf(story.state, story.last.decisions, story.now)).toEqual([]);
    const sightings = alike(failing());
    expect(fleetTurn(story.state, PLACE, { holds: [], sightings }, story.now, 2)).toEqual({
      changes: [],
      facts: [],
      shared: null,
    });
    expect(story.state.attempts.at(-1)?.brief).toContain('remove the lock');
  });

  it('not even by a hold that others placed before it was approved', () => {
    const key = causeKey(failing().state) ?? '';
    const asked = placed(null, {
      key,
      kind: 'shared_cause',
      until: null,
      reason: 'alike',
      holder: 'r2',
      at: 1,
    });
    const { state, now } = failing([LESSON]);
    expect(fleetTurn(state, PLACE, { holds: [asked], sightings: [] }, now, 2).facts).toEqual([]);
  });

  it('once it was tried and did not help, the cause is shared like any other', () => {
    const story = failing([LESSON]);
    story.started().ended({}, { diagnosis: BROKEN });
    expect(causeKey(story.state)).toBe(causeKey(failing().state));
    expect(sightingsOf(story.state, story.last.decisions, story.now)).toHaveLength(1);
  });
});

describe('the fleet’s cap', () => {
  const full = (now: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ runId: `x${index}`, key: RESTART_SIGHTING, at: now }));

  it('parks a restart that does not fit, and lets a first start and an uncounted one through', () => {
    const story = new Story().prepared().started().ended().waited();
    expect(story.state.attempts.at(-1)?.counted).toBe(true);
    const { fleet_restarts, fleet_window_ms } = story.state.policy;
    const board = { holds: [], sightings: full(story.now, fleet_restarts) };
    expect(fleetTurn(story.state, PLACE, board, story.now, 2).changes).toMatchObject([
      { type: 'place', hold: { key: FLEET_KEY, until: story.now + fleet_window_ms } },
    ]);
    const fresh = new Story().prepared();
    expect(fleetTurn(fresh.state, PLACE, board, fresh.now, 1).changes).toEqual([]);
    expect(keysOf(fresh.state, PLACE)).not.toContain(FLEET_KEY);
  });

  it('with one place left nothing is parked', () => {
    const story = new Story().prepared().started().ended().waited();
    const sightings = full(story.now, story.state.policy.fleet_restarts - 1);
    expect(fleetTurn(story.state, PLACE, { holds: [], sightings }, story.now, 2).changes).toEqual([]);
  });
});

describe('whom an outage holds', () => {
  const lostBy = (line: string) => {
    const story = new Story().prepared().started();
    const lost = observedDiagnosis('network_failure', 'refused', [line]);
    story.ended({}, { diagnosis: lost });
    const [placing] = fleetTurn(story.state, PLACE, { holds: [], sightings: [] }, story.now, null).changes;
    return placing === undefined ? null : changedHold(null, placing);
  };
  /** Another run, about to start its first attempt. */
  const told = (hold: Hold | null, place = PLACE) => {
    const story = new Story().prepared();
    const board = {
      holds: hold === null ? [] : [{ ...hold, holder: 'r7', key: hold.key.replace('r1', 'r7') }],
    };
    return fleetTurn(story.state, place, { ...board, sightings: [] }, story.now, 1).facts.map(
      ({ type }) => type,
    );
  };

  it('the runs of the same agent and account on this host', () => {
    expect(told(lostBy('connect ECONNREFUSED 203.0.113.9:443'))).toEqual(['held']);
  });

  it('not a run of another account or another program', () => {
    const hold = lostBy('connect ECONNREFUSED 203.0.113.9:443');
    expect(told(hold, { host: 'laptop', account: 'a2' })).toEqual([]);
  });

  it.each(['127.0.0.1:4321', 'localhost:4321'])(
    'a port of this machine (%s): nobody but the run itself',
    (to) => {
      const hold = lostBy(`connect ECONNREFUSED ${to}`);
      expect(hold).toMatchObject({ kind: 'network', endpoint: { port: 4321 } });
      expect(told(hold)).toEqual([]);
    },
  );
});

describe('the course of a hold', () => {
  const abandoned = () => {
    const story = new Story().prepared();
    story.state = { ...story.state, life: { ...ENDED, state: 'abandoned' } };
    return story;
  };
  const network = (change: Partial<Hold>): Hold => ({
    ...placed(null, { key: 'k', kind: 'network', until: 5, reason: '', holder: 'r2', at: 1 }),
    ...change,
  });

  it('ends with its owner, of whatever kind it is and though its end is known', () => {
    const { state, now } = abandoned();
    const board = { holds: [network({ holder: 'r1', until: now + 60_000 })], sightings: [] };
    expect(fleetTurn(state, PLACE, board, now, null).changes).toEqual([{ type: 'lift', key: 'k', now }]);
  });

  it('an ended run gives its probe back: the next may try at once', () => {
    const { state, now } = abandoned();
    const probed = network({ probe: 'r1', probeUntil: now + PROBE_TTL_MS });
    const { changes } = fleetTurn(state, PLACE, { holds: [probed], sightings: [] }, now, null);
    expect(changes).toEqual([{ type: 'leave', key: 'k', runId: 'r1' }]);
    expect(changedHold(probed, changes[0] as never)).toMatchObject({ probe: null, probeUntil: null });
  });

  it('so does a run that a person stopped', () => {
    const story = new Story().prepared();
    story.state = {
      ...story.state,
      life: { type: 'waiting', for: 'person', until: null, reason: '', question: null, failed: null },
    };
    const { state, now } = story;
    const probed = network({ probe: 'r1', probeUntil: now + PROBE_TTL_MS });
    const { changes } = fleetTurn(state, PLACE, { holds: [probed], sightings: [] }, now, null);
    expect(changes).toEqual([{ type: 'leave', key: 'k', runId: 'r1' }]);
  });

  it('an owner that ended without a last look holds nobody: the next run that looks lifts it and starts', () => {
    const story = new Story().prepared();
    const key = 'network:laptop:rehearsal:a1';
    const board = { holds: [network({ key, until: story.now + 60_000 })], sightings: [] };
    const look = (ended: readonly string[]) =>
      fleetTurn(story.state, PLACE, { ...board, ended }, story.now, 1);
    expect(look([]).facts).toMatchObject([{ type: 'held' }]);
    expect(look(['r2'])).toMatchObject({ changes: [{ type: 'lift', key }], facts: [] });
  });

  it('released by a person, it lets everybody go at once', () => {
    const story = new Story().prepared();
    const key = 'network:laptop:rehearsal:a1';
    const held = network({ key, until: story.now + 60_000 });
    const look = (hold: Hold) =>
      fleetTurn(story.state, PLACE, { holds: [hold], sightings: [] }, story.now, 1).facts;
    for (const fact of look(held)) story.tell(fact);
    const released = changedHold(held, { type: 'lift', key, now: story.now, releasedBy: 'ann' }) as Hold;
    expect(look(released)).toMatchObject([{ type: 'hold_lifted', key }]);
  });

  it('who asked for all and ended leaves the cause to the next', () => {
    const story = new Story().prepared();
    story.tell({ type: 'abandon_requested', by: 'ann', reason: '' });
    story.state = { ...story.state, life: { ...ENDED, state: 'abandoned' } };
    const asked = placed(null, { key: 'k', kind: 'login', until: null, reason: '', holder: 'r1', at: 1 });
    expect(fleetTurn(story.state, PLACE, { holds: [asked], sightings: [] }, story.now, null).changes).toEqual(
      [{ type: 'lift', key: 'k', now: story.now }],
    );
  });

  it('who was answered, tried first and ended keeps nobody waiting for its probe', () => {
    const story = new Story().prepared();
    story.state = { ...story.state, life: ENDED };
    const asked = placed(null, {
      key: 'k',
      kind: 'shared_cause',
      until: null,
      reason: '',
      holder: 'r1',
      at: 1,
    });
    const answered = changedHold(asked, { type: 'open', key: 'k', runId: 'r1', now: 2 });
    if (answered === null) throw new Error('its own question can be answered');
    const { changes } = fleetTurn(story.state, PLACE, { holds: [answered], sightings: [] }, story.now, null);
    expect(changes).toEqual([{ type: 'lift', key: 'k', now: story.now }]);
  });

  it('a network that was seen to be back ends the pause of the run that met it first', () => {
    const story = new Story({ policy: { backoff_ms: 300_000 } }).prepared().started();
    const lost = observedDiagnosis('network_failure', 'refused', ['connect ECONNREFUSED 203.0.113.9:4321']);
    story.ended({}, { diagnosis: lost });
    const look = (holds: readonly Hold[], now: number) =>
      fleetTurn(story.state, PLACE, { holds, sightings: [] }, now, null);
    const [placing] = look([], story.now).changes;
    const held = placing === undefined ? null : changedHold(null, placing);
    expect(held).toMatchObject({ key: 'network:laptop:rehearsal:a1', endpoint: { port: 4321 } });
    for (const fact of look([held as Hold], story.now).facts) story.tell(fact);
    const lifted = changedHold(held, {
      type: 'lift',
      key: 'network:laptop:rehearsal:a1',
      now: story.now,
    }) as Hold;
    for (const fact of look([lifted], story.now + story.state.policy.wake_stagger_ms).facts) story.tell(fact);
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)).toMatchObject({ number: 2, counted: false });
    expect(story.last.timers.cancel).toContain('retry');
  });
});

it('who tries first and was kept from it for long renews its claim with the start: nobody else tries meanwhile', () => {
  const story = new Story().prepared();
  const row = placed(null, {
    key: 'account:rehearsal:a1',
    kind: 'limit',
    until: 5,
    reason: '',
    holder: 'r2',
    at: 1,
  });
  const claimed = { ...row, probe: 'r1', probeUntil: story.now + 1 };
  const { changes } = fleetTurn(story.state, PLACE, { holds: [claimed], sightings: [] }, story.now, 1);
  expect(changes).toEqual([{ type: 'claim', key: row.key, runId: 'r1', now: story.now }]);
  expect(changedHold(claimed, changes[0] as never)).toMatchObject({
    probe: 'r1',
    probeUntil: story.now + PROBE_TTL_MS,
  });
});
