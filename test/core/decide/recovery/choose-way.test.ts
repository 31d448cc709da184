/** The next step of an incident: wait, climb, hand over or ask; each limit at its edge. */
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../../src/core/decide/recovery/backoff.ts';
import { chooseWay, type Way } from '../../../../src/core/decide/recovery/choose-way.ts';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import { rungs } from '../../../../src/core/decide/recovery/ladder.ts';
import { causeKey } from '../../../../src/core/fleet/concerns.ts';
import type { Attempt, Incident, RunState } from '../../../../src/core/state/run-state.ts';
import type { ClassPolicy } from '../../../../src/core/vocabulary/classes/class-policy.ts';
import type { FailureClass } from '../../../../src/core/vocabulary/classes/failure-class.ts';
import type { Diagnosis } from '../../../../src/core/vocabulary/diagnosis.ts';
import type { Recovery } from '../../../../src/core/vocabulary/events/event.ts';
import { DEFAULT_POLICY } from '../../../../src/core/vocabulary/policy.ts';
import { Story } from '../../story.ts';

const AT = 50_000_000;
const base = new Story().prepared().started().ended().state;
const [first] = base.attempts as [Attempt];
const [met] = base.incidents as [Incident];
const beta = { name: 'beta', command: [], model: null };

function incident(name: FailureClass, more: Partial<Diagnosis> = {}, of: Partial<Incident> = {}): Incident {
  const diagnosis = { ...observedDiagnosis(name, `${name} happened`, ['line']), ...more };
  return { ...met, class: name, diagnosis, detectedAt: AT, recoveries: [], ...of };
}

function state(more: Partial<RunState> = {}, options: Partial<RunState['options']> = {}): RunState {
  return { ...base, ...more, options: { ...base.options, ...options } };
}

const recovered = (way: Way): Recovery | string => (way.type === 'recover' ? way.recovery : way.why);
const next = (
  name: FailureClass,
  from: RunState = state(),
  more: Partial<Diagnosis> = {},
  of: Partial<Incident> = {},
) => recovered(chooseWay(from, incident(name, more, of), AT));
/** Restarts of the open incident, after the first attempt. */
const after = (count: number, more: Partial<Attempt> = {}): RunState =>
  state({
    attempts: [
      first,
      ...Array.from({ length: count }, (_, index) => ({
        ...first,
        number: index + 2,
        incident: met.id,
        counted: true,
        startedAt: 0,
        endedAt: 1,
        plannedAt: 1,
        ...more,
      })),
    ],
    policy: { ...DEFAULT_POLICY, futile_rescues: 99, restarts: 99, restarts_total: 99 },
  });

describe('a limit', () => {
  const { reset_skew_ms: skew, unknown_reset_ms: unknown, limit_horizon_ms: horizon } = DEFAULT_POLICY;
  const until = (retryAt: number | null, more: Partial<Diagnosis> = {}) =>
    (next('rate_limited', state(), { retryAt, ...more }) as Recovery).notBefore;

  it('is waited for until its reset and the skew, also when the reset has just passed', () => {
    expect(until(AT + 1_000)).toBe(AT + 1_000 + skew);
    expect(until(AT - skew + 1)).toBe(AT + 1);
    expect(until(AT - skew)).toBe(AT + unknown);
  });

  it('is as exact as it was told, and the skew is the most', () => {
    expect(until(AT + 1_000, { retryExactToMs: 5 })).toBe(AT + 1_005);
    expect(until(AT + 1_000, { retryExactToMs: skew + 5 })).toBe(AT + 1_000 + skew);
    expect(until(AT - 5, { retryExactToMs: 5 })).toBe(AT + unknown);
  });

  it('without a reset is tried now and then, and says so', () => {
    expect(next('rate_limited')).toMatchObject({
      strategy: 'wait',
      phase: 1,
      counted: false,
      notBefore: AT + unknown,
      reason: 'the limit tells no reset time; trying again, nothing is counted against the run',
    });
    expect(next('rate_limited', state(), { retryAt: AT + 9 })).toMatchObject({
      reason: 'parked until the limit resets, nothing is counted against the run',
    });
    const never = state({ policy: { ...DEFAULT_POLICY, unknown_reset_ms: -5 } });
    expect(next('rate_limited', never)).toMatchObject({ notBefore: AT });
  });

  it('beyond the horizon is asked about', () => {
    const reset = AT + horizon - skew;
    expect(next('rate_limited', state(), { retryAt: reset })).toMatchObject({ strategy: 'wait' });
    expect(next('rate_limited', state(), { retryAt: reset + 1 })).toBe(
      'waiting for it would take longer than 8 d',
    );
  });
});

describe('an outage', () => {
  const horizon = DEFAULT_POLICY.wait_horizon_ms;
  const pause = (waits: number) => backoffMs(DEFAULT_POLICY, waits, 'r1');
  const waited = (times: number) => Array.from({ length: times }, () => ({}) as Recovery);

  it('is waited out with longer and longer pauses', () => {
    for (const times of [0, 3])
      expect(next('overloaded', state(), {}, { recoveries: waited(times) })).toMatchObject({
        strategy: 'wait',
        notBefore: AT + pause(times),
        reason: "overloaded: not this run's fault; trying again after a pause",
      });
  });

  it('that tells when it ends is waited for until then, without a skew', () => {
    expect(next('overloaded', state(), { retryAt: AT + 1 })).toMatchObject({ notBefore: AT + 1 });
    expect(next('overloaded', state(), { retryAt: AT })).toMatchObject({ notBefore: AT + pause(0) });
  });

  it('is asked about beyond the horizon, counted from when it was seen', () => {
    const detectedAt = AT + pause(0) - horizon;
    expect(next('network_failure', state(), {}, { detectedAt })).toMatchObject({ strategy: 'wait' });
    expect(next('network_failure', state(), {}, { detectedAt: detectedAt - 1 })).toBe(
      'waiting for it would take longer than 12 h',
    );
  });

  it('that will not pass is not waited for', () => {
    const certificate = { recoverable: false, transient: false };
    expect(next('network_failure', state(), certificate)).not.toMatchObject({ strategy: 'wait' });
    expect(next('network_failure', state(), { recoverable: false, transient: true })).toMatchObject({
      strategy: 'wait',
    });
    expect(next('network_failure', state(), { recoverable: true, transient: false })).toMatchObject({
      strategy: 'wait',
    });
    expect(
      recovered(chooseWay(state(), { ...incident('network_failure'), diagnosis: null }, AT)),
    ).toMatchObject({ strategy: 'wait' });
  });

  it('of an overloaded model goes to another agent after three waits, uncounted', () => {
    const helped = state({}, { fallbacks: [beta] });
    expect(next('overloaded', helped, {}, { recoveries: waited(2) })).toMatchObject({ strategy: 'wait' });
    expect(next('overloaded', helped, {}, { recoveries: waited(3) })).toMatchObject({
      strategy: 'reassign',
      agent: beta,
      counted: false,
      freshSession: true,
      notBefore: AT,
    });
    const late = { detectedAt: AT + pause(0) - horizon - 1 };
    expect(next('overloaded', helped, {}, late)).toMatchObject({ strategy: 'reassign' });
    expect(next('network_failure', helped, {}, { recoveries: waited(3) })).toMatchObject({
      strategy: 'wait',
    });
    expect(next('overloaded', state(), {}, { recoveries: waited(3) })).toMatchObject({ strategy: 'wait' });
  });

  it('is asked about at once where a person does not want to wait', () => {
    expect(next('overloaded', state({}, { autoResume: false }))).toBe(
      'automatic resuming is off (--auto-resume no)',
    );
  });

  it('follows what the configuration says about its class', () => {
    const own = (policy: ClassPolicy) => state({}, { classes: { overloaded: policy } });
    expect(next('overloaded', own({ waitMs: 7 }))).toMatchObject({ notBefore: AT + 7 });
    expect(next('overloaded', own({ waitMs: 7, horizonMs: 7 }))).toMatchObject({ strategy: 'wait' });
    expect(next('overloaded', own({ waitMs: 7, horizonMs: 6 }))).toBe(
      'waiting for it would take longer than 0 s',
    );
    expect(next('overloaded', own({ firstPhase: 3 }))).not.toMatchObject({ strategy: 'wait' });
  });
});

describe('what others hold already', () => {
  const notice = (kind: 'shared_cause' | 'login' | 'disk' | 'network', key = 'k', holder = 'r2') => ({
    key,
    kind,
    until: null,
    reason: '',
    holder,
  });
  const held = (name: FailureClass, hold: ReturnType<typeof notice>, more: Partial<Diagnosis> = {}) =>
    next(name, state({ holds: [hold] }), more);

  it('a refused login is asked about by one run only', () => {
    expect(held('auth_failure', notice('login'))).toMatchObject({
      strategy: 'wait',
      notBefore: null,
      counted: false,
      reason: 'held (login): run r2 asks for all, nothing is counted against this one',
    });
    expect(held('auth_failure', notice('login', 'k', 'r1'))).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
    expect(held('auth_failure', notice('network'))).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
    expect(held('crashed', notice('login'))).toMatchObject({ strategy: 'resume' });
  });

  it('a shared cause is tried by one run only, if it is exactly this cause', () => {
    const cause = causeKey(base) ?? '';
    expect(held('crashed', notice('shared_cause', cause))).toMatchObject({ strategy: 'wait' });
    expect(held('crashed', notice('shared_cause', 'cause:other'))).toMatchObject({ strategy: 'resume' });
  });

  it('a full disk concerns also the run that saw it first; memory is not the disk', () => {
    const full = { ranOutOf: 'other' as const };
    expect(held('resource_exhausted', notice('disk', 'k', 'r1'), full)).toMatchObject({
      strategy: 'wait',
      reason: 'held (disk): it goes on when there is room again, nothing is counted against this one',
    });
    expect(held('resource_exhausted', notice('disk'), { ranOutOf: 'memory' })).not.toMatchObject({
      strategy: 'wait',
    });
    expect(held('crashed', notice('disk'))).not.toMatchObject({ strategy: 'wait' });
  });
});

describe('what says nothing about the run', () => {
  it('a lost host costs nothing', () => {
    const lost = state({ attempts: [{ ...first, endedBy: 'host' }] });
    expect(next('interrupted', lost)).toMatchObject({
      strategy: 'resume',
      phase: 1,
      counted: false,
      notBefore: null,
    });
  });

  it('a login that was refused before it was seen to work again is tried again', () => {
    const ended = first.endedAt ?? 0;
    const lifted = (loginLiftedAt: number) => next('auth_failure', state({ loginLiftedAt }));
    expect(lifted(ended + 1)).toMatchObject({ strategy: 'resume', counted: false });
    expect(lifted(ended)).toBe('Mayday tries nothing by itself here; the decision is yours');
    expect(next('crashed', state({ loginLiftedAt: ended + 1 }))).toMatchObject({ counted: true });
  });
});

describe('the ladder', () => {
  it('of a crash: again, with what failed, afresh, then a person', () => {
    const steps = [0, 1, 2].map((tried) => next('crashed', after(tried)) as Recovery);
    expect(
      steps.map(({ strategy, phase, freshSession, counted }) => [strategy, phase, freshSession, counted]),
    ).toEqual(
      rungs({ class: 'crashed', diagnosis: null }).map(({ strategy, phase, fresh }) => [
        strategy,
        phase,
        fresh,
        true,
      ]),
    );
    expect(next('crashed', after(3))).toBe('3 tries did not help');
  });

  it('pauses before a mere retry and before every further rung, not before the first hint', () => {
    expect(next('crashed', after(0))).toMatchObject({
      phase: 1,
      notBefore: AT + backoffMs(DEFAULT_POLICY, 0, 'r1'),
    });
    expect(next('test_failure', after(0))).toMatchObject({ phase: 2, notBefore: null });
    expect((next('test_failure', after(1)) as Recovery).notBefore).toBeGreaterThan(AT);
    const own = state({}, { classes: { test_failure: { waitMs: 9 } } });
    expect(next('test_failure', own)).toMatchObject({ notBefore: AT + 9 });
  });

  it('pauses for no first restart after a silence, which was a pause already, and for the second', () => {
    const silent: readonly FailureClass[] = ['stalled', 'frozen', 'timeout'];
    for (const name of silent) {
      expect(next(name, after(0))).toMatchObject({ phase: 1, notBefore: null });
      expect((next(name, after(1)) as Recovery).notBefore).toBeGreaterThan(AT);
    }
    expect(next('stalled', state({}, { classes: { stalled: { waitMs: 9 } } }))).toMatchObject({
      notBefore: AT + 9,
    });
  });

  it('gives a retry no hint; what failed is told from the second phase on', () => {
    expect(next('crashed', after(0))).toMatchObject({ hint: null });
    expect((next('context_overflow') as Recovery).phase).toBe(2);
  });

  it.each<[string, Partial<Attempt>, boolean]>([
    ['restarts of the incident', {}, true],
    ['restarts of another incident', { incident: 'r1-i9' }, false],
    ['starts that do not count', { counted: false }, false],
    ['restarts of another agent', { agent: beta }, false],
    ['restarts that a person forgave', { plannedAt: 0 }, false],
  ])('%s use a rung: %s', (_, more, isUsed) => {
    const from = after(1, more);
    const attempts = more.agent === undefined ? from.attempts : [...from.attempts, { ...first, number: 3 }];
    const options = { ...from.options, classes: { crashed: { rungs: ['retry', 'fresh'] as const } } };
    expect(next('crashed', { ...from, attempts, options })).toMatchObject({ freshSession: isUsed });
  });

  it('an attempt that got on gives the rungs back, but not for a time limit or a refused gate', () => {
    const useful = (name: FailureClass) => {
      const from = after(2);
      const attempts = from.attempts.map((one, index) => (index === 1 ? { ...one, progressAt: 1 } : one));
      return { fresh: next(name, from), useful: next(name, { ...from, attempts }) };
    };
    expect(useful('crashed').useful).not.toEqual(useful('crashed').fresh);
    expect(useful('timeout').useful).toEqual(useful('timeout').fresh);
    expect(useful('false_success').useful).toEqual(useful('false_success').fresh);
  });

  it('the restart budget comes before the next rung', () => {
    const spent = { ...after(1), policy: { ...after(1).policy, restarts_total: 1 } };
    expect(next('crashed', spent)).toBe('1 restart in all is as many as the policy allows');
  });

  it('rescues in vain end it; another agent may still take over', () => {
    const vain = { ...after(2), policy: { ...after(2).policy, futile_rescues: 2 } };
    expect(next('crashed', vain)).toBe('2 rescues in a row left nothing new behind');
    expect(next('crashed', { ...vain, options: { ...vain.options, fallbacks: [beta] } })).toMatchObject({
      strategy: 'reassign',
      agent: beta,
      counted: true,
      notBefore: AT,
    });
  });

  it('a configured ladder replaces the usual one; a higher first phase drops what is below it', () => {
    const own = (policy: ClassPolicy) => state({}, { classes: { crashed: policy } });
    expect(next('crashed', own({ rungs: ['fresh'] }))).toMatchObject({
      strategy: 'restart',
      freshSession: true,
    });
    expect(next('crashed', own({ rungs: [] }))).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
    expect(next('crashed', own({ firstPhase: 2 }))).toMatchObject({ phase: 2 });
    expect(next('crashed', own({ firstPhase: 3 }))).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
  });
});

describe('what goes to a person at once', () => {
  it.each<[FailureClass, string]>([
    ['budget_exhausted', 'the hard budget comes first'],
    ['auth_failure', 'Mayday tries nothing by itself here; the decision is yours'],
    ['model_refusal', 'Mayday tries nothing by itself here; the decision is yours'],
  ])('%s: %s', (name, why) => {
    expect(next(name)).toBe(why);
  });

  const lesson = (classes: readonly string[]) =>
    state({
      lessons: [
        {
          id: 'l',
          hash: '',
          title: '',
          guidance: '',
          source: '',
          match: 'class',
          why: '',
          fingerprints: [],
          classes,
        } as never,
      ],
    });

  it('is tried once where a lesson speaks of it, and the lesson is told by its number', () => {
    expect(next('permission_denied', lesson(['permission_denied']))).toMatchObject({
      phase: 2,
      counted: true,
    });
    expect((next('permission_denied', lesson(['permission_denied'])) as Recovery).hint).toContain(
      'Follow lesson 1 below first.',
    );
    expect(next('permission_denied', lesson(['crashed']))).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
    const tried = { ...after(1), lessons: lesson(['permission_denied']).lessons };
    expect(next('permission_denied', tried)).toBe(
      'Mayday tries nothing by itself here; the decision is yours',
    );
  });

  it.each<FailureClass>(['budget_exhausted', 'model_refusal'])(
    '%s stays so whatever a lesson says',
    (name) => {
      expect(typeof next(name, lesson([name]))).toBe('string');
    },
  );

  it.each([
    [['package.json'], true],
    [['web/package.json'], true],
    [['src/**'], false],
    [['package.json.bak'], false],
  ])('a missing dependency with the scope %o is the agent’s to add: %s', (scope, isTried) => {
    const owns = state({ task: { ...base.task, scope } });
    expect(typeof next('missing_dependency', owns) !== 'string').toBe(isTried);
    expect(typeof next('permission_denied', owns)).toBe('string');
  });
});

describe('the hint', () => {
  const hint = (name: FailureClass, more: Partial<Diagnosis> = {}) => {
    const from = state({}, { classes: { [name]: { rungs: ['hint'] } } });
    return (next(name, from, more) as Recovery).hint;
  };
  const pattern = { id: 'p', title: '', recovery: 'run the generator', prevention: '' };

  it('is the team’s pattern where one matched', () => {
    expect(hint('build_failure', { pattern })).toBe('run the generator');
    expect(hint('crashed', { pattern })).toBe('run the generator');
  });

  it('uses only Mayday’s own words about what the output says', () => {
    expect(hint('build_failure', { origin: 'read', fingerprint: 'build_failure:abc' })).not.toContain(
      'happened',
    );
    expect(hint('crashed')).toBeNull();
  });
});
