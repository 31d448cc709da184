/** The life of an incident and of its mission: when trouble is the same, when it is past, and who closed it. */
import { describe, expect, it } from 'vitest';
import { closeMission, endMission, missionToInject } from '../../../../src/core/decide/close-mission.ts';
import {
  changedInto,
  incidentFor,
  resolve,
  resolveByProgress,
} from '../../../../src/core/decide/recovery/incident.ts';
import { Turn } from '../../../../src/core/decide/turn.ts';
import type { Attempt, Incident, RunState } from '../../../../src/core/state/run-state.ts';
import type { Mission } from '../../../../src/core/vocabulary/mission.ts';
import { START, Story } from '../../story.ts';

const { state } = new Story().prepared().started().ended();
const [attempt] = state.attempts as [Attempt];
const [crash] = state.incidents as [Incident];
const open = (more: Partial<Incident> = {}): Partial<RunState> => ({ incidents: [{ ...crash, ...more }] });
const mission = (more: Partial<Mission> = {}): Mission => ({
  id: 'r1-m1',
  incident: crash.id,
  owner: 'ann',
  plan: { category: null, rootCause: null, evidence: [], injection: 'x', filesAdded: [], specChanges: [] },
  detectedAt: 1,
  diagnosedAt: 1,
  injectedAt: 2,
  resumedAt: 3,
  resolvedAt: null,
  enrichedAt: null,
  outcome: null,
  contextUpdates: [],
  enrichmentReason: null,
  ...more,
});

function turned(from: Partial<RunState>, act: (turn: Turn) => void) {
  const turn = new Turn({ ...state, ...from }, { at: START });
  act(turn);
  return turn.state;
}
const outcomes = ({ incidents }: RunState) => incidents.map((one) => `${one.class} ${one.outcome}`);

describe('new trouble', () => {
  const met = (name: Incident['class'], number: number, from: Partial<RunState>) =>
    outcomes(turned(from, (turn) => void incidentFor(turn, name, number, START)));

  it.each<[string, Incident['class'], number, Partial<RunState>, readonly string[]]>([
    ['of the same class is the same incident', 'crashed', 2, open(), ['crashed null']],
    ['of the same attempt is the same incident', 'timeout', 1, open(), ['crashed null']],
    [
      'names one that was unknown',
      'timeout',
      1,
      open({ class: 'unknown' }),
      ['unknown re-escalated', 'timeout null'],
    ],
    [
      'of a later attempt takes its place',
      'timeout',
      2,
      { ...open(), attempts: [attempt, { ...attempt, number: 2 }] },
      ['crashed re-escalated', 'timeout null'],
    ],
    [
      'without an open incident is a new one',
      'crashed',
      2,
      open({ outcome: 'resolved' }),
      ['crashed resolved', 'crashed null'],
    ],
  ])('%s', (_, name, number, from, expected) => {
    expect(met(name, number, from)).toEqual(expected);
  });

  it('after an attempt that got on proves that the old trouble is past, unless a gate has to say so', () => {
    const useful = { attempts: [attempt, { ...attempt, number: 2, progressAt: 9 }] };
    const worked = { resumedAt: 9, lastDecidedAt: 5 };
    expect(met('timeout', 2, { ...useful, ...open(worked) })).toEqual(['crashed resolved', 'timeout null']);
    expect(met('timeout', 2, { ...useful, ...open({ ...worked, class: 'false_success' }) })).toEqual([
      'false_success re-escalated',
      'timeout null',
    ]);
  });

  it('has the next number and says when it was seen', () => {
    const after = turned({ incidents: [] }, (turn) => void incidentFor(turn, 'timeout', 1, 77));
    expect(after.incidents).toMatchObject([{ id: 'r1-i1', detectedAt: 77, attempt: 1 }]);
  });
});

describe('an incident is past', () => {
  const resolved = (more: Partial<Incident>) =>
    turned(open(more), (turn) => resolve(turn, 'proof')).incidents[0]?.outcome;

  it.each<[string, Partial<Incident>, Incident['outcome']]>([
    ['if an attempt has worked since the last decision', { resumedAt: 6, lastDecidedAt: 5 }, 'resolved'],
    ['also if it was in the same moment', { resumedAt: 5, lastDecidedAt: 5 }, 'resolved'],
    ['not if it worked before it', { resumedAt: 4, lastDecidedAt: 5 }, null],
    ['not if none has worked', { resumedAt: null, lastDecidedAt: 5 }, null],
    ['not if nothing was decided', { resumedAt: 6, lastDecidedAt: null }, null],
  ])('%s', (_, more, outcome) => {
    expect(resolved(more)).toBe(outcome);
  });

  it('by progress only where it kept the work from moving', () => {
    const moved = (name: Incident['class']) =>
      turned(open({ class: name, resumedAt: 6, lastDecidedAt: 5 }), (turn) =>
        resolveByProgress(turn, 'moved'),
      ).incidents[0]?.outcome;
    expect([moved('stalled'), moved('false_success')]).toEqual(['resolved', null]);
  });

  it('with its mission; what changed into other trouble closes both as failed', () => {
    const both = { ...open({ resumedAt: 6, lastDecidedAt: 5 }), missions: [mission()] };
    expect(turned(both, (turn) => resolve(turn, '')).missions[0]?.outcome).toBe('resolved');
    const changed = turned(both, (turn) => changedInto(turn, 'timeout'));
    expect([
      changed.missions[0]?.outcome,
      changed.incidents[0]?.outcome,
      changed.incidents[0]?.proof,
    ]).toEqual(['re-escalated', 're-escalated', 'changed into timeout']);
  });

  it('nothing happens where none is open', () => {
    const none = { incidents: [], missions: [mission()] };
    for (const act of [(turn: Turn) => resolve(turn, ''), (turn: Turn) => changedInto(turn, 'x')])
      expect(turned(none, act).missions[0]?.outcome).toBeNull();
  });
});

describe('a mission', () => {
  const closed = (more: Partial<Mission>, outcome: 'resolved' | 're-escalated' | 'abandoned') =>
    turned({ missions: [mission(more)] }, (turn) => closeMission(turn, outcome)).missions[0]?.outcome;
  const ended = (more: Partial<Mission>) =>
    turned({ missions: [mission(more)] }, (turn) => endMission(turn, 'resolved')).missions[0]?.outcome;

  it('has an outcome only once its words reached an agent; it can always be given up', () => {
    expect(closed({}, 'resolved')).toBe('resolved');
    expect(closed({ injectedAt: null }, 'resolved')).toBeNull();
    expect(closed({ resumedAt: null }, 're-escalated')).toBeNull();
    expect(closed({ resumedAt: null }, 'abandoned')).toBe('abandoned');
  });

  it('that never reached an agent ends as abandoned with the run', () => {
    expect([ended({}), ended({ injectedAt: null }), ended({ resumedAt: null })]).toEqual([
      'resolved',
      'abandoned',
      'abandoned',
    ]);
  });

  it('waits to be injected until it was', () => {
    expect(missionToInject({ ...state, missions: [mission({ injectedAt: null })] })?.id).toBe('r1-m1');
    expect(missionToInject({ ...state, missions: [mission()] })).toBeNull();
    expect(missionToInject({ ...state, missions: [] })).toBeNull();
  });
});
