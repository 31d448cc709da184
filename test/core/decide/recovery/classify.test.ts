/** Which failure an ended attempt was, and how its end is told. */
import { describe, expect, it } from 'vitest';
import { classify, incidentClassOf, stoppedFor } from '../../../../src/core/decide/recovery/classify.ts';
import {
  endSentence,
  incidentDiagnosis,
  observedDiagnosis,
} from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { Attempt } from '../../../../src/core/state/run-state.ts';
import type { Diagnosis } from '../../../../src/core/vocabulary/diagnosis.ts';
import type { Signal } from '../../../../src/core/vocabulary/signal.ts';
import { EXAMINATION, Story } from '../../story.ts';

const [first] = new Story().prepared().started().ended().state.attempts as [Attempt];
const ended = (more: Partial<Attempt>): Attempt => ({ ...first, exitCode: 1, endedBy: 'itself', ...more });
const read = (failureType: Diagnosis['failureType'], confidence = 0.9): Diagnosis => ({
  ...observedDiagnosis('crashed', 'what the output says', ['a line']),
  origin: 'read',
  failureType,
  confidence,
});
const signal = (type: Signal['type'], severity: Signal['severity'] = 'critical'): Signal => ({
  type,
  severity,
  reason: `${type} was seen`,
  sinceAt: 0,
  at: 1,
  evidence: ['seen'],
  confidence: 1,
  suggestedAction: '',
});

describe('an attempt', () => {
  it.each<[string, Partial<Attempt>, Diagnosis | null, string]>([
    ['that failed without a word crashed', {}, null, 'crashed'],
    ['that ended well without a proof claims', { exitCode: 0 }, null, 'false_success'],
    ['whose output names the cause has that cause', {}, read('test_failure'), 'test_failure'],
    ['is not judged by a guess', {}, read('test_failure', 0.49), 'crashed'],
    ['is judged by what is sure enough', {}, read('test_failure', 0.5), 'test_failure'],
    ['is not judged by output that calls it a success', {}, read('success'), 'crashed'],
    ['is not judged by output that says nothing', {}, read('unknown'), 'crashed'],
    [
      'whose host was lost was interrupted',
      { endedBy: 'host', exitCode: null },
      read('test_failure'),
      'interrupted',
    ],
    [
      'that the kernel killed for memory ran out of it',
      { outOfMemory: true, signal: 'SIGKILL' },
      null,
      'resource_exhausted',
    ],
    [
      'that was told to end was interrupted',
      { exitCode: null, signal: 'SIGTERM' },
      read('test_failure'),
      'interrupted',
    ],
    ['that a signal killed crashed', { exitCode: null, signal: 'SIGSEGV' }, read('test_failure'), 'crashed'],
    ['whose shell tells of an interrupt was interrupted', { exitCode: 130 }, null, 'interrupted'],
    [
      'whose shell tells of an interrupt was so whatever it said',
      { exitCode: 130 },
      read('test_failure'),
      'interrupted',
    ],
    ['that a limit interrupted is limited', { exitCode: 143 }, read('rate_limited'), 'rate_limited'],
    ['whose shell tells of a crash crashed', { exitCode: 139 }, null, 'crashed'],
    [
      'that Mayday stopped failed for that reason',
      { endedBy: 'mayday', signal: 'SIGTERM', stoppedFor: { class: 'stalled', reason: 'silent' } },
      read('test_failure'),
      'stalled',
    ],
    [
      'that Mayday stopped without a reason of its own is judged by its end',
      { endedBy: 'mayday', signal: 'SIGTERM', stoppedFor: null },
      null,
      'interrupted',
    ],
    [
      'of an older journal was stopped for its last critical signal',
      {
        endedBy: 'mayday',
        stoppedFor: null,
        signals: [signal('looping'), signal('frozen'), signal('stalled', 'warning'), signal('budget')],
      },
      null,
      'frozen',
    ],
    [
      'that ended by itself was not stopped, whatever was noticed',
      { signals: [signal('looping')], stoppedFor: { class: 'looping', reason: '' } },
      null,
      'crashed',
    ],
  ])('%s', (_, attempt, diagnosis, name) => {
    expect(classify(ended(attempt), { ...EXAMINATION, diagnosis })).toBe(name);
  });

  it('keeps the words of what it was stopped for', () => {
    const stopped = ended({ endedBy: 'mayday', stoppedFor: null, signals: [signal('looping')] });
    expect(stoppedFor(stopped)).toEqual({ class: 'looping', reason: 'looping was seen' });
    expect(stoppedFor({ ...stopped, signals: [] })).toBeNull();
    expect(stoppedFor({ ...stopped, endedBy: 'person' })).toBeNull();
  });

  it('a failure text is sure enough from a half on', () => {
    expect(incidentClassOf(read('build_failure', 0.5))).toBe('build_failure');
    expect(incidentClassOf(read('build_failure', 0.4))).toBeNull();
    expect(incidentClassOf(read('success'))).toBeNull();
  });
});

describe('the end of an attempt is told', () => {
  const command = { agent: { name: 'command', command: ['make', 'all'], model: null } };

  it.each<[Partial<Attempt>, string]>([
    [{}, 'rehearsal ended with exit code 1'],
    [command, 'make ended with exit code 1'],
    [{ agent: { name: 'command', command: [], model: null } }, 'the agent ended with exit code 1'],
    [{ exitCode: 0 }, 'rehearsal ended with exit code 0, but the work is not proven'],
    [{ endedBy: 'host', exitCode: null }, 'the host of rehearsal was lost, and the agent with it'],
    [
      { endedBy: 'host', exitCode: 0 },
      'the host of rehearsal was lost after it had ended and before its work was examined',
    ],
    [{ outOfMemory: true, signal: 'SIGKILL' }, 'rehearsal was killed because the memory ran out'],
    [
      { signal: 'SIGKILL' },
      'rehearsal was killed by SIGKILL; it is not known who sent it, and there is no out-of-memory record',
    ],
    [{ signal: 'SIGTERM' }, 'rehearsal was ended by SIGTERM'],
    [
      { endedBy: 'unobserved', exitCode: null },
      'rehearsal ended while nobody watched; its exit status is not known',
    ],
  ])('%o', (attempt, words) => {
    expect(endSentence(ended(attempt))).toBe(words);
  });
});

describe('the diagnosis of an incident', () => {
  const examined = (more: object) => ({ ...EXAMINATION, ...more });

  it('is what the output says, where that is the class', () => {
    const told = incidentDiagnosis('test_failure', ended({}), examined({ diagnosis: read('test_failure') }));
    expect(told).toMatchObject({ origin: 'read', rootCause: 'what the output says' });
  });

  it('is what was seen, where the output says something else; its lines stay the evidence', () => {
    const told = incidentDiagnosis('crashed', ended({}), examined({ diagnosis: read('test_failure') }));
    expect(told).toMatchObject({
      origin: 'observed',
      rootCause: 'rehearsal ended with exit code 1',
      evidence: [{ line: 0, text: 'a line' }],
    });
  });

  it('of a time limit is the limit, whatever the output says', () => {
    const stopped = ended({
      endedBy: 'mayday',
      stoppedFor: { class: 'timeout', reason: 'its time is over' },
    });
    const told = incidentDiagnosis('timeout', stopped, examined({ diagnosis: read('timeout') }));
    expect(told).toMatchObject({ origin: 'observed', rootCause: 'its time is over' });
  });

  it('of a stop carries the evidence of the signal', () => {
    const stopped = ended({ endedBy: 'mayday', stoppedFor: null, signals: [signal('looping')] });
    expect(incidentDiagnosis('looping', stopped, examined({}))).toMatchObject({
      rootCause: 'looping was seen',
      evidence: [{ line: 0, text: 'seen' }],
    });
  });

  it('of an end by itself carries no evidence of a signal', () => {
    expect(
      incidentDiagnosis('crashed', ended({ signals: [signal('looping')] }), examined({})).evidence,
    ).toEqual([]);
  });

  it('of memory says so in a field', () => {
    expect(incidentDiagnosis('resource_exhausted', ended({ outOfMemory: true }), examined({})).ranOutOf).toBe(
      'memory',
    );
    expect(incidentDiagnosis('crashed', ended({}), examined({}))).not.toHaveProperty('ranOutOf');
  });

  it.each([
    [['A_KEY'], [], 'x; A_KEY is set in your shell and was not passed (--env A_KEY)'],
    [['A', 'B'], [], 'x; A, B are set in your shell and were not passed (--env A --env B)'],
    [[], ['C'], 'x; C is to be passed and not set where Mayday was started'],
    [[], [], 'x.'],
  ])('of a login names the variables that were missed: %o %o', (withheld, unset, rootCause) => {
    const diagnosis = { ...read('auth_failure'), rootCause: 'x.', humanInstructions: 'log in' };
    const told = incidentDiagnosis('auth_failure', ended({}), examined({ diagnosis, withheld, unset }));
    expect(told.rootCause).toBe(rootCause);
    expect(told.humanInstructions === 'log in').toBe(withheld.length === 0);
  });
});
