import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import type { Place } from '../../../src/core/fleet/concerns.ts';
import { type Hold, type HoldKind, placed } from '../../../src/core/vocabulary/hold.ts';
import { desiredHold, holdToWrite, isAnswered, sawHealth } from '../../../src/core/fleet/hold-rules.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { EXAMINATION, Story } from '../story.ts';

const PLACE: Place = { host: 'laptop', account: 'a1' };
const failed = (failure: FailureClass, line = 'it says so') =>
  new Story()
    .prepared()
    .started()
    .ended({}, { diagnosis: observedDiagnosis(failure, failure, [line]) });
const hold = (kind: HoldKind, change: Partial<Hold> = {}): Hold => ({
  ...placed(null, { key: 'k', kind, until: 5_000, reason: '', holder: 'r2', at: 1 }),
  ...change,
});

describe('which hold a run’s trouble calls for', () => {
  it.each([
    ['rate_limited', 'limit', 'account:rehearsal:a1'],
    ['overloaded', 'overload', 'model:rehearsal:default:a1'],
    ['network_failure', 'network', 'network:laptop:rehearsal:a1'],
    ['auth_failure', 'login', 'login:rehearsal:a1'],
    ['environment', 'shared_cause', 'cause:environment:rehearsal:environment'],
    ['missing_dependency', 'shared_cause', 'cause:missing_dependency:rehearsal:/repo:missing_dependency'],
  ] as const)('%s', (failure, kind, key) => {
    const { state } = failed(failure);
    expect(desiredHold(state, PLACE)).toMatchObject({ kind, key, holder: 'r1' });
  });

  it('a login waits for a person and so has no end; a limit ends when the run may try again', () => {
    expect(desiredHold(failed('auth_failure').state, PLACE)?.until).toBeNull();
    const { state } = failed('rate_limited');
    expect(desiredHold(state, PLACE)?.until).toBe(state.incidents[0]?.recoveries[0]?.notBefore);
  });

  it('an outage that names its door says where its end can be seen', () => {
    const { state } = failed('network_failure', 'connect ECONNREFUSED 127.0.0.1:4321');
    const hold = desiredHold(state, PLACE);
    expect(hold?.endpoint).toEqual({ host: '127.0.0.1', port: 4321 });
    expect(hold?.reason).toMatch(/^127\.0\.0\.1:4321 does not answer/);
  });

  it('what is the run’s own holds nobody', () => {
    for (const failure of ['crashed', 'test_failure', 'git_conflict'] as const)
      expect(desiredHold(failed(failure).state, PLACE)).toBeNull();
  });
});

describe('writing it', () => {
  const desired = { key: 'k', kind: 'limit', until: 9_000, reason: '', holder: 'r1', at: 500 } as const;

  it('the same is not written twice', () => {
    const row = placed(null, desired);
    expect(holdToWrite(row, desired)).toBeNull();
    expect(holdToWrite(row, { ...desired, until: 9_500 })).toMatchObject({ until: 9_500 });
  });

  it('trouble from before health was observed does not bring the hold back', () => {
    const lifted = { ...placed(null, desired), liftedAt: 600 };
    expect(holdToWrite(lifted, desired)).toBeNull();
    expect(holdToWrite(lifted, { ...desired, at: 601 })).toMatchObject({ liftedAt: null });
  });

  it('a probe that has not failed yet does not renew the hold by its old trouble', () => {
    const probing = { ...placed(null, desired), probe: 'r1', probeUntil: 800 + 300_000 };
    expect(holdToWrite(probing, desired)).toBeNull();
    expect(holdToWrite(probing, { ...desired, at: 801 })).toMatchObject({ probe: null });
  });

  it('nor does another run that asks about the same since before the probe set out', () => {
    const probing = { ...placed(null, desired), holder: 'r2', probe: 'r2', probeUntil: 800 + 300_000 };
    expect(holdToWrite(probing, { ...desired, until: null })).toBeNull();
    expect(holdToWrite(probing, { ...desired, until: null, at: 801 })).toMatchObject({ until: null });
  });
});

describe('health is what a run did after the hold began', () => {
  it('who fails the same way has seen nothing either while its finished work goes through the gate', () => {
    const story = new Story().prepared().started();
    story.ended(
      {},
      {
        diagnosis: observedDiagnosis('overloaded', 'overloaded', ['529']),
        partialWork: { ...EXAMINATION.partialWork, changed: ['a.txt'] },
        checkpoint: { number: 1, state: 'complete', tree: 't1', commit: 'k', missing: [], reason: '' },
      },
    );
    expect(story.state.life.type).toBe('checking');
    expect(sawHealth(story.state, hold('overload'), story.now)).toBe(false);
  });

  it('who was stopped by a person has seen nothing', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    story.ended({ endedBy: 'person', exitCode: null, signal: 'SIGTERM' });
    expect(sawHealth(story.state, hold('overload'), story.now)).toBe(false);
  });

  it('useful work or spent tokens prove it; a mere start does not, until it lived for a while', () => {
    const story = new Story({ policy: { probe_ms: 20_000 } }).prepared().started();
    const probed = hold('limit', { probe: story.state.runId });
    expect(sawHealth(story.state, probed, story.now + 19_000)).toBe(false);
    expect(sawHealth(story.state, probed, story.now + 20_000)).toBe(true);
    story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'a.txt' });
    expect(sawHealth(story.state, hold('limit'), story.now)).toBe(true);
  });

  it('a slow start beside the hold proves nothing: only the run that was sent to try is believed for living on', () => {
    const story = new Story({ policy: { probe_ms: 20_000 } }).prepared().started();
    expect(sawHealth(story.state, hold('login', { probe: 'another' }), story.now + 60_000)).toBe(false);
    expect(sawHealth(story.state, hold('login'), story.now + 60_000)).toBe(false);
  });

  it('an attempt from before the hold proves nothing', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'a.txt' });
    expect(sawHealth(story.state, hold('limit', { since: story.now }), story.now + 60_000)).toBe(false);
  });

  it('who fails the same way, or crashes, has seen nothing; who fails behind it has got past it', () => {
    for (const failure of ['network_failure', 'crashed'] as const) {
      const { state, now } = failed(failure);
      expect(sawHealth(state, hold('network'), now)).toBe(false);
    }
    const { state, now } = failed('rate_limited');
    expect(sawHealth(state, hold('network'), now)).toBe(true);
    expect(sawHealth(state, hold('limit'), now)).toBe(false);
  });
});

describe('the question for all', () => {
  it('is answered when its asker waits for it no more', () => {
    const story = failed('auth_failure');
    const asked = hold('login', { holder: 'r1', until: null });
    expect(isAnswered(story.state, asked)).toBe(false);
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
    expect(isAnswered(story.state, asked)).toBe(true);
    expect(isAnswered(story.state, { ...asked, holder: 'r2' })).toBe(false);
  });
});

it('a path that this machine denies is asked about once: runs that are denied the same path share the cause, others do not', () => {
  const denied = (path: string) => {
    const output = `Error: EACCES: permission denied, open '${path}'`;
    const story = new Story().prepared().started();
    return story.ended({}, { diagnosis: diagnose({ output, exitCode: 1 }) }).state;
  };
  const place = { host: 'h', account: 'a' };
  const hold = desiredHold(denied('/srv/data/seed.json'), place);
  expect(hold).toMatchObject({ kind: 'shared_cause', until: null });
  expect(hold?.key).toBe(desiredHold(denied('/srv/data/seed.json'), place)?.key);
  expect(hold?.key).not.toBe(desiredHold(denied('/srv/data/other.json'), place)?.key);
});
