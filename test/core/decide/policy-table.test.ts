import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { rungs } from '../../../src/core/decide/recovery/ladder.ts';
import { chooseWay } from '../../../src/core/decide/recovery/choose-way.ts';
import type { Diagnosis } from '../../../src/core/vocabulary/diagnosis.ts';
import {
  FAILURE_CLASS_NAMES,
  FAILURE_CLASSES,
  type FailureClass,
} from '../../../src/core/vocabulary/classes/failure-class.ts';
import { openQuestion, type Incident } from '../../../src/core/state/run-state.ts';
import type { Task } from '../../../src/core/vocabulary/task.ts';
import { EXAMINATION, Story } from '../story.ts';

type Row = readonly [
  transient: boolean,
  recoverable: boolean,
  phase: number,
  strategy: string,
  returnTo: string | null,
];

/** What each class does by default: transient, recoverable without a person, and the first step that is recorded. */
// biome-ignore format: a table is read by its columns
const TABLE: Readonly<Record<FailureClass, Row>> = {
  test_failure:        [false, true,  2, 'resume',   'build'],
  build_failure:       [false, true,  2, 'resume',   'build'],
  runtime_error:       [false, true,  2, 'resume',   'build'],
  timeout:             [true,  true,  1, 'resume',   'build'],
  git_conflict:        [false, false, 3, 'escalate', 'compose'],
  git_error:           [false, true,  1, 'resume',   'materialize'],
  auth_failure:        [false, false, 3, 'escalate', null],
  permission_denied:   [false, false, 3, 'escalate', 'explore'],
  network_failure:     [true,  true,  1, 'wait',     null],
  rate_limited:        [true,  true,  1, 'wait',     null],
  overloaded:          [true,  true,  1, 'wait',     null],
  context_overflow:    [false, true,  2, 'restart',  'build'],
  session_corrupt:     [false, true,  2, 'restart',  'build'],
  budget_exhausted:    [false, false, 3, 'escalate', 'build'],
  missing_dependency:  [false, false, 3, 'escalate', 'build'],
  environment:         [false, false, 3, 'escalate', null],
  resource_exhausted:  [false, false, 1, 'resume',   null],
  interrupted:         [true,  true,  1, 'resume',   'build'],
  crashed:             [true,  true,  1, 'resume',   'build'],
  frozen:              [true,  true,  1, 'resume',   'build'],
  stalled:             [false, true,  1, 'resume',   'build'],
  looping:             [false, true,  2, 'resume',   'build'],
  waiting_for_input:   [false, false, 3, 'escalate', null],
  tool_protocol_error: [false, true,  1, 'resume',   'build'],
  model_refusal:       [false, false, 3, 'escalate', null],
  false_success:       [false, true,  2, 'resume',   'build'],
  unknown:             [false, true,  1, 'resume',   'build'],
};

/** The first choice for a failure of this class with this cause. */
function choice(failure: FailureClass, cause: Partial<Diagnosis> = {}, task: Partial<Task> = {}) {
  const { state, now } = new Story({ task }).prepared().started().ended();
  const said = failure === 'resource_exhausted' ? 'out of memory' : failure;
  const diagnosis = { ...observedDiagnosis(failure, said, []), ...cause };
  const incident: Incident = {
    ...(state.incidents[0] as Incident),
    class: failure,
    diagnosis,
    recoveries: [],
  };
  const way = chooseWay({ ...state, incidents: [incident] }, incident, now);
  return way.type === 'ask'
    ? { phase: 3, strategy: 'escalate', returnTo: diagnosis.returnTo }
    : { phase: way.recovery.phase, strategy: way.recovery.strategy, returnTo: way.recovery.returnTo };
}

describe('the default policy of each class', () => {
  it.each(FAILURE_CLASS_NAMES)('%s', (failure) => {
    const [transient, recoverable, phase, strategy, returnTo] = TABLE[failure];
    expect(FAILURE_CLASSES[failure]).toMatchObject({ transient, recoverable, returnTo });
    expect(choice(failure)).toEqual({ phase, strategy, returnTo });
  });

  it.each(FAILURE_CLASS_NAMES)('%s climbs and never goes back to a lower phase', (failure) => {
    const phases = rungs({ class: failure, diagnosis: null }).map(({ phase }) => phase);
    expect(phases).toEqual(phases.toSorted((a, b) => a - b));
    expect(phases.length).toBeLessThanOrEqual(3);
  });
});

describe('a cause that is known better than its class', () => {
  it('what only looks like an outage is asked about; a real one is waited out however often it was tried', () => {
    expect(choice('network_failure', { recoverable: false, transient: false })).toMatchObject({ phase: 3 });
    expect(choice('network_failure', { recoverable: false, transient: true })).toMatchObject({
      strategy: 'wait',
    });
  });

  it('memory is tried once more; any other thing that ran out goes to a person', () => {
    const disk = { rootCause: 'ENOSPC: no space left on device' };
    expect(choice('resource_exhausted', disk)).toMatchObject({ phase: 3 });
  });

  it('what ran out is a field: the words of the cause are not read again', () => {
    const words = { rootCause: 'the disk is full; the memory is fine' };
    expect(choice('resource_exhausted', { ...words, ranOutOf: 'other' })).toMatchObject({ phase: 3 });
    expect(choice('resource_exhausted', { rootCause: 'killed', ranOutOf: 'memory' })).toMatchObject({
      phase: 1,
    });
  });

  it('what trying cannot decide is asked at once; what needs no person is not asked', () => {
    expect(choice('build_failure', { recoverable: false })).toMatchObject({ phase: 3 });
    expect(choice('git_error', { recoverable: false })).toMatchObject({ phase: 3 });
    expect(choice('environment', { recoverable: true, transient: true })).toMatchObject({ phase: 1 });
    expect(choice('environment', { recoverable: true })).toMatchObject({ phase: 2, strategy: 'resume' });
  });

  it('a missing dependency is the agent’s to add where the person named the manifest, and only there', () => {
    const named = { scope: ['src/**', 'app/package.json'] };
    expect(choice('missing_dependency', {}, named)).toMatchObject({ phase: 2, strategy: 'resume' });
    expect(choice('missing_dependency', {}, { scope: ['src/**'] })).toMatchObject({ phase: 3 });
  });

  it('on a full disk the run says so once, asks once, and goes on by itself when there is room', () => {
    const story = new Story().prepared().started();
    story.tell({
      type: 'attempt_ended',
      attempt: 1,
      exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: 1 },
    });
    const hold = {
      key: 'host:laptop:disk',
      kind: 'disk',
      until: null,
      reason: 'the disk is nearly full',
      holder: 'r1',
    } as const;
    story.tell({ type: 'held', hold, attempt: null });
    const diagnosis = observedDiagnosis('resource_exhausted', 'ENOSPC: no space left on device', ['ENOSPC']);
    story.tell({ type: 'attempt_examined', attempt: 1, examination: { ...EXAMINATION, diagnosis } });
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'host' });
    expect(openQuestion(story.state)?.question.kind).toBe('disk_low');
    expect(story.state.questions[0]?.question.text).toMatch(/nearly full.* 200 MB .*goes on by itself/);
    story.tell({ type: 'hold_lifted', key: hold.key, why: 'there is room' });
    expect(openQuestion(story.state)).toBeUndefined();
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.counted).toBe(false);
  });
});
