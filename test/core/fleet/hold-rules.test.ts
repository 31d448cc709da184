import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import type { Place } from '../../../src/core/fleet/concerns.ts';
import { placed } from '../../../src/core/vocabulary/hold.ts';
import { desiredHold, holdToWrite } from '../../../src/core/fleet/hold-rules.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { Story } from '../story.ts';

const PLACE: Place = { host: 'laptop', account: 'a1' };
const failed = (failure: FailureClass, line = 'it says so') =>
  new Story()
    .prepared()
    .started()
    .ended({}, { diagnosis: observedDiagnosis(failure, failure, [line]) });
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
