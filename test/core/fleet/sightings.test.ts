/** What a turn of one run tells the others: its failures, and what it got past. */
import { describe, expect, it } from 'vitest';
import { causeKey } from '../../../src/core/fleet/concerns.ts';
import { sightingsOf } from '../../../src/core/fleet/fleet-turn.ts';
import { recoveredFrom } from '../../../src/core/fleet/shared-cause.ts';
import type { Attempt, Incident, RunState } from '../../../src/core/state/run-state.ts';
import type { Decision } from '../../../src/core/vocabulary/events/event.ts';
import { Story } from '../story.ts';

const crashed = new Story().prepared().started().ended();
const { state } = crashed;
const key = causeKey(state) ?? '';
const [attempt] = state.attempts as [Attempt];
const [incident] = state.incidents as [Incident];
const told = (more: Partial<RunState>, decisions: readonly Decision[]) =>
  sightingsOf({ ...state, ...more }, decisions, 7).map((seen) => seen.key);
const resolved = (outcome: 'resolved' | 're-escalated' | 'abandoned', id = incident.id): Decision => ({
  type: 'incident_resolved',
  at: 7,
  incident: id,
  outcome,
  proof: '',
});
const decided = (id: string): Decision => ({
  type: 'recovery_decided',
  at: 7,
  incident: id,
  recovery: {} as never,
});
const second = (more: Partial<Attempt>): Attempt => ({
  ...attempt,
  number: 2,
  exitCode: 1,
  progressAt: null,
  ...more,
});
const past = (last: Attempt): Partial<RunState> => ({
  attempts: [attempt, last],
  incidents: [{ ...incident, outcome: 'resolved' }],
});

describe('a failure', () => {
  it('is told when something is decided about it', () => {
    expect(sightingsOf(state, crashed.last.decisions, 7)).toEqual([{ runId: 'r1', key, at: 7 }]);
  });

  it('is told of the incident that was decided about, and of no other', () => {
    const other = { ...incident, id: 'r1-i2' };
    expect(told({ incidents: [incident, other] }, [decided('r1-i2')])).toEqual([key]);
    expect(told({}, [decided('r1-i9')])).toEqual([]);
  });

  it('is not told by a diagnosis alone, nor where a person started a mission', () => {
    const diagnosed = { type: 'incident_diagnosed', at: 7, incident: incident.id, diagnosis: {} } as Decision;
    const mission = { type: 'mission_started', at: 7 } as Decision;
    expect(told({}, [diagnosed])).toEqual([]);
    expect(told({}, [decided(incident.id), mission])).toEqual([]);
    expect(told({}, [])).toEqual([]);
  });
});

describe('a recovery', () => {
  it.each<[string, Attempt, boolean]>([
    ['a later attempt that ended well', second({ exitCode: 0 }), true],
    ['a later attempt that made progress', second({ progressAt: 3 }), true],
    ['a later attempt that did neither', second({}), false],
    ['the attempt that failed', { ...second({ exitCode: 0, progressAt: 3 }), number: 1 }, false],
  ])('is told after %s: %s', (_, last, isTold) => {
    expect(told(past(last), [resolved('resolved')])).toEqual(isTold ? [recoveredFrom(key)] : []);
  });

  it.each(['re-escalated', 'abandoned'] as const)('is not told of an incident that was %s', (outcome) => {
    expect(told(past(second({ exitCode: 0 })), [resolved(outcome)])).toEqual([]);
  });

  it('is not told of another incident than the one that is past', () => {
    expect(told(past(second({ exitCode: 0 })), [resolved('resolved', 'r1-i9')])).toEqual([]);
  });

  it('is told at once when the work moves, of the incident that is open, in that turn alone', () => {
    const moving = (progressAt: number, outcome: Incident['outcome']) =>
      told(
        {
          attempts: [attempt, second({ progressAt })],
          incidents: [{ ...incident, outcome }],
          updatedAt: 9,
        },
        [],
      );
    expect(moving(9, null)).toEqual([recoveredFrom(key)]);
    expect(moving(8, null)).toEqual([]);
    expect(moving(9, 'abandoned')).toEqual([]);
  });

  it('needs an attempt', () => {
    expect(told({ attempts: [] }, [resolved('resolved')])).toEqual([]);
  });
});
