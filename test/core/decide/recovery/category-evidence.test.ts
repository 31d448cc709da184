/** What speaks for the category of a cause, piece by piece, and what does not. */
import { describe, expect, it } from 'vitest';
import { categorise, categoryEvidence } from '../../../../src/core/decide/recovery/categorise.ts';
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

describe('the agent', () => {
  it('asked, or was not allowed to; a tool that asks is no work', () => {
    expect(told('crashed', { asks: { text: 'Which store?', options: [] } })).toEqual([
      'ambiguous_spec: the agent asked: Which store?',
    ]);
    expect(told('crashed', { deniedTools: ['Bash(npm publish)', 'Write'] })).toEqual([
      'constraint_conflict: the task needs what this run does not allow: Bash(npm publish), Write',
    ]);
    expect(told('crashed', { deniedTools: ['AskUserQuestion'] })).toEqual([]);
  });

  it('is heard by its flag before its last words', () => {
    const raised = { reason: '', code: null, question: 'A?', options: [] };
    expect(told('crashed', { raised, asks: { text: 'B?', options: [] } })).toEqual([
      'ambiguous_spec: the agent asked: A?',
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

describe('the conduct', () => {
  const again = (...results: string[]) => ({
    repeated: results.map((result) => ({ call: 'make', times: 5, result })),
  });

  it('of a loop: an error that it does not understand, or none', () => {
    expect(told('looping', again('ok', 'error: no schema'))).toContain(
      'missing_context: it does not know what would change this result: error: no schema',
    );
    expect(told('looping', again('ok'))).toContain('capability_gap: it repeats without an error: make');
    expect(told('looping', {}).join()).not.toContain('repeats');
    expect(told('crashed', again('ok'))).toEqual([]);
  });

  it('of a time limit: progress without an end', () => {
    expect(told('timeout', {}, { progressAt: 5 })).toContain(
      'capability_gap: it made progress and did not finish in its time',
    );
    expect(told('timeout').join()).not.toContain('progress');
    expect(told('crashed', {}, { progressAt: 5 })).toEqual([]);
  });

  it('of a wait: a program that asks for input', () => {
    const signals = [{ type: 'waiting_for_input' } as never];
    expect(told('waiting_for_input', {}, { signals })).toEqual([
      'environment: a program asks for input that nobody can type: the cause',
    ]);
    expect(told('waiting_for_input', {}, { signals: [{ type: 'looping' } as never] })).toEqual([]);
  });

  it('of a false success: what is missing', () => {
    expect(told('false_success', {}, {}, seen(['no test']))).toContain(
      'missing_context: what is missing: no test',
    );
    expect(told('false_success').join()).not.toContain('what is missing');
  });
});

describe('where nothing speaks for one', () => {
  it.each<[IncidentClass, string]>([
    ['stalled', 'it went silent and nothing says why: the cause'],
    ['frozen', 'it went silent and nothing says why: the cause'],
    ['crashed', 'nothing in the output names a cause: the cause'],
  ])('%s is told as unknown: %s', (name, reason) => {
    expect(categorise(of(name))).toEqual({ category: 'unknown', reason });
  });

  it('no reason is longer than a person reads', () => {
    const long = { ...seen(), rootCause: 'x'.repeat(999) };
    expect(categorise(of('crashed', {}, {}, long)).reason).toHaveLength(300);
    expect(categorise(of('auth_failure', {}, {}, long)).reason).toHaveLength(300);
  });

  it('an incident without an attempt has only its class', () => {
    expect(categoryEvidence({ class: 'crashed', diagnosis: seen(), attempt: undefined })).toEqual([]);
    expect(categorise({ class: 'environment', diagnosis: seen(), attempt: undefined }).category).toBe(
      'environment',
    );
  });
});
