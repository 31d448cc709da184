/** What speaks for the category of a cause, piece by piece, and what does not. */
import { describe, expect, it } from 'vitest';
import { categoryEvidence } from '../../../../src/core/decide/recovery/categorise.ts';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { Attempt } from '../../../../src/core/state/run-state.ts';
import type { Diagnosis } from '../../../../src/core/vocabulary/diagnosis.ts';
import type { Examination, IncidentClass } from '../../../../src/core/vocabulary/events/event.ts';
import { EXAMINATION, Story } from '../../story.ts';

const [first] = new Story().prepared().started().ended().state.attempts as [Attempt];
const seen = (lines: readonly string[] = []) => observedDiagnosis('crashed', 'the cause', lines);
const read = (failureType: Diagnosis['failureType'], more: Partial<Diagnosis> = {}): Diagnosis => ({
  ...seen(['a line']),
  origin: 'read',
  failureType,
  confidence: 0.9,
  ...more,
});

function of(
  name: IncidentClass,
  examination: Partial<Examination> = {},
  attempt: Partial<Attempt> = {},
  diagnosis: Diagnosis = seen(),
) {
  const examined = { ...EXAMINATION, ...examination };
  return {
    class: name,
    diagnosis,
    attempt: { ...first, endedBy: 'itself' as const, ...attempt, examination: examined },
  };
}
const told = (...about: Parameters<typeof of>) =>
  categoryEvidence(of(...about)).map(({ category, reason }) => `${category}: ${reason}`);

describe('the output', () => {
  it.each<[string, Diagnosis, readonly string[]]>([
    ['names an environment', read('environment'), ['environment: the output names it: a line']],
    [
      'names what this machine denies',
      read('permission_denied'),
      ['environment: this machine denies it: a line'],
    ],
    [
      'is sure enough from a half on',
      read('environment', { confidence: 0.5 }),
      ['environment: the output names it: a line'],
    ],
    ['is a guess below', read('environment', { confidence: 0.49 }), []],
    ['says success', read('success'), []],
    ['was not read but observed', read('environment', { origin: 'observed' }), []],
    ['names something of the work', read('test_failure'), []],
    [
      'without a line names the cause',
      read('environment', { evidence: [] }),
      ['environment: the output names it: the cause'],
    ],
  ])('%s', (_, diagnosis, evidence) => {
    expect(told('crashed', { diagnosis })).toEqual(evidence);
  });

  it('that names the class itself adds nothing to it', () => {
    expect(told('environment', { diagnosis: read('environment') })).toEqual([
      'environment: environment: the cause',
    ]);
  });
});

describe('the class', () => {
  it('is enough where it names its cause, and where a gate says it', () => {
    expect(told('auth_failure')).toEqual(['environment: auth_failure: the cause']);
    expect(told('scope_exceeded', {}, {}, seen(['db/a.ts']))[0]).toContain(
      'the gate says scope_exceeded: db/a.ts',
    );
  });

  it.each<IncidentClass>(['crashed', 'stalled', 'waiting_for_input'])('%s alone is not', (name) => {
    expect(told(name)).toEqual([]);
  });

  it.each<[Attempt['endedBy'], string | null, readonly string[]]>([
    ['itself', 'SIGKILL', ['environment: ended by SIGKILL']],
    ['unobserved', 'SIGKILL', ['environment: ended by SIGKILL']],
    ['mayday', 'SIGKILL', []],
    ['person', 'SIGKILL', []],
    ['itself', null, []],
  ])('of an attempt that ended by %s with %s', (endedBy, signal, evidence) => {
    expect(told('crashed', {}, { endedBy, signal })).toEqual(evidence);
  });
});
