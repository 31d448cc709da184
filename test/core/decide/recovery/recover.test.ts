import { describe, expect, it } from 'vitest';
import { futility } from '../../../../src/core/decide/recovery/breakers.ts';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import { desiredHold } from '../../../../src/core/fleet/hold-rules.ts';
import { causeKey } from '../../../../src/core/fleet/concerns.ts';
import type { Examination, ExitFacts } from '../../../../src/core/vocabulary/events/event.ts';
import { CHECKPOINT, EXAMINATION, Story } from '../../story.ts';

describe('a host that is lost after its agent has ended', () => {
  it('interrupts the run, whatever the agent claimed, and counts against nothing', () => {
    const story = new Story().prepared().started().ended().waited().started();
    const { attempts } = story.state;
    const exit = { exitCode: 0, signal: null, outOfMemory: false, exitedAt: null } as const;
    story.tell({ type: 'attempt_ended', attempt: 2, exit: { ...exit, endedBy: 'itself' } });
    expect(story.last.commands).toHaveLength(1);
    story.tell({ type: 'attempt_ended', attempt: 2, exit: { ...exit, endedBy: 'host' } });
    expect(story.last.commands).toEqual([]);
    const examination = { ...EXAMINATION, claimsDone: true };
    story.tell({ type: 'attempt_examined', attempt: 2, examination });
    expect(story.state.incidents.at(-1)).toMatchObject({ class: 'interrupted' });
    expect(story.state.attempts).toHaveLength(attempts.length + 1);
    expect(story.state.attempts.at(-1)).toMatchObject({ counted: false });
    expect(futility({ ...story.state, policy: { ...story.state.policy, futile_rescues: 1 } })).toBeNull();
  });
});

describe('a host that is lost', () => {
  const lost = { exitCode: null, signal: null, endedBy: 'host' } as const;

  it('its runs go on at once and as often as it happens, with nothing counted and nobody asked', () => {
    const story = new Story({ policy: { restarts: 1 } }).prepared().started();
    for (let hosts = 0; hosts < 5; hosts += 1) story.ended(lost).started();
    expect(story.state.life).toMatchObject({ type: 'working', attempt: 6 });
    expect(story.state.attempts.filter(({ counted }) => counted)).toEqual([]);
    expect(story.state.questions).toEqual([]);
    expect(story.state.incidents[0]).toMatchObject({ class: 'interrupted' });
  });

  it('is no cause that its runs share with others; an agent that a person interrupts still has one', () => {
    const cause = (exit: Partial<ExitFacts>) => {
      const { state } = new Story().prepared().started().ended(exit);
      return causeKey(state);
    };
    expect(cause(lost)).toBeNull();
    expect(cause({ signal: 'SIGTERM' })).not.toBeNull();
  });
});

describe('the restart budget', () => {
  it('three restarts in ten minutes, then one question with what was tried', () => {
    const story = new Story().prepared().started();
    for (let failures = 0; failures < 3; failures += 1) story.ended().waited().started();
    story.ended();
    expect(story.state.attempts).toHaveLength(4);
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.state.questions).toHaveLength(1);
    expect(story.state.questions[0]?.question.tried).toHaveLength(3);
  });

  /** Its one restart is used up: a person is asked. */
  const asked = () =>
    new Story({ policy: { restarts: 1 } }).prepared().started().ended().waited().started().ended();

  /** The person lets it try once more. */
  const granted = (leaves: Partial<Examination> = {}, option = 'retry') => {
    const story = asked();
    story.tell({ type: 'question_answered', question: 'r1-q1', option, note: 'mind the lock', by: 'ann' });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain('mind the lock');
    return story.started().ended({}, leaves);
  };

  it('a person who says "once more" grants one attempt: the same failure without progress is asked about again', () => {
    for (const option of ['retry', 'revise_work']) {
      const story = granted({}, option);
      expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
      expect(story.state.attempts).toHaveLength(3);
      const [first, second] = story.state.questions.map(({ question }) => question);
      expect(second).toMatchObject({
        kind: first?.kind,
        whyNow: 'the attempt that you asked for failed alike, without progress',
      });
      expect(second?.tried[0]).toContain('your answer');
    }
  });

  it('the attempt that was granted stays one where a shared cause was asked about meanwhile, and went away without an answer', () => {
    const story = asked();
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
    story.tell({ type: 'shared_cause_found', key: 'k', runs: ['r2', 'r3', 'r1'], cause: 'exit code 1' });
    expect(story.state.questions.at(-1)?.question.kind).toBe('shared_cause');
    const hold = {
      key: 'k',
      kind: 'shared_cause',
      until: null,
      reason: 'they fail alike',
      holder: 'r2',
    } as const;
    story.tell({ type: 'held', hold, attempt: null });
    story.tell({ type: 'hold_lifted', key: 'k', why: 'health was observed' });
    expect(story.commands()).toEqual(['start_attempt']);
    story.started().ended();
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.state.attempts).toHaveLength(3);
  });

  it('progress after the answer, or another failure, begins the rungs anew', () => {
    const checkpoint = CHECKPOINT;
    expect(granted({ checkpoint }).state.life).toMatchObject({ type: 'waiting', for: 'time' });
    const diagnosis = observedDiagnosis('session_corrupt', 'the session cannot be read', []);
    expect(granted({ diagnosis }).state.attempts).toHaveLength(4);
  });

  it('what passes by itself does not use up the attempt that a person granted', () => {
    const story = asked();
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
    story.started().ended({ exitCode: null, endedBy: 'host' });
    expect(story.state.attempts).toHaveLength(4);
  });

  it('the pause doubles and is capped', () => {
    const story = new Story({ policy: { restarts: 9, backoff_ms: 10_000, backoff_max_ms: 15_000 } })
      .prepared()
      .started();
    const pauses = [0, 1].map(() => {
      story.ended();
      const { life } = story.state;
      const pause = life.type === 'waiting' ? (life.until ?? 0) - story.now : 0;
      story.waited().started();
      return pause;
    });
    expect(pauses[0]).toBeGreaterThanOrEqual(8_000);
    expect(pauses[0]).toBeLessThanOrEqual(10_000);
    expect(pauses[1]).toBeGreaterThanOrEqual(12_000);
    expect(pauses[1]).toBeLessThanOrEqual(15_000);
  });

  it('goes on doubling over incidents that progress ended, and starts over after ten healthy minutes', () => {
    const story = new Story({ policy: { restarts: 9, backoff_ms: 10_000, backoff_max_ms: 300_000 } })
      .prepared()
      .started();
    const pause = (): number => {
      story.ended();
      const { life } = story.state;
      const until = life.type === 'waiting' ? (life.until ?? 0) - story.now : 0;
      story.waited().started();
      story.tell({
        type: 'progress_observed',
        kind: 'tree',
        detail: 'a file',
        attempt: story.state.attempts.length,
      });
      return until;
    };
    expect(pause()).toBeLessThanOrEqual(10_000);
    expect(pause()).toBeGreaterThan(10_000);
    story.now += 10 * 60_000;
    expect(pause()).toBeLessThanOrEqual(10_000);
  });
});

describe('what is nobody’s fault is waited for', () => {
  const limited = (retryAt: number | null) => ({
    diagnosis: { ...observedDiagnosis('rate_limited', 'usage limit', ['429']), retryAt },
  });

  it('a limit parks the run until its reset plus skew and costs no restart', () => {
    const story = new Story({ policy: { reset_skew_ms: 300_000, restarts: 0 } }).prepared().started();
    const reset = story.now + 3_600_000;
    story.ended({}, limited(reset));
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'time', until: reset + 300_000 });
    story.waited();
    expect(story.state.attempts.at(-1)).toMatchObject({ number: 2, counted: false, resumed: true });
  });

  it('an outage is ridden out over hours, then a person decides', () => {
    const story = new Story({ policy: { wait_horizon_ms: 3_600_000, backoff_max_ms: 600_000 } })
      .prepared()
      .started();
    let waits = 0;
    while (story.state.questions.length === 0 && waits < 100) {
      story
        .ended({}, { diagnosis: observedDiagnosis('overloaded', '529', ['529']) })
        .waited()
        .started();
      waits += 1;
    }
    expect(waits).toBeGreaterThan(5);
    expect(story.state.questions[0]?.question.whyNow).toContain('longer than');
  });

  it('is recorded as what it is although another cause holds the run: the others on this host must hear of it', () => {
    const story = new Story().prepared().started().ended({ exitCode: 7 });
    const hold = {
      key: 'cause:x',
      kind: 'shared_cause',
      until: null,
      reason: 'alike',
      holder: 'r2',
    } as const;
    story.tell({ type: 'held', hold, attempt: null });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    story.started();
    story.tell({
      type: 'attempt_ended',
      attempt: 2,
      exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: story.now },
    });
    story.tell({ type: 'held', hold, attempt: null });
    const diagnosis = observedDiagnosis('network_failure', 'ECONNREFUSED', []);
    story.tell({ type: 'attempt_examined', attempt: 2, examination: { ...EXAMINATION, diagnosis } });
    expect(desiredHold(story.state, { host: 'h', account: 'a' })).toMatchObject({ kind: 'network' });
  });

  it('with --auto-resume no it asks instead', () => {
    const story = new Story({ autoResume: false }).prepared().started().ended({}, limited(null));
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
  });
});

describe('the ladder', () => {
  it('a login is asked about at once and never retried blindly', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({}, { diagnosis: observedDiagnosis('auth_failure', '401 from the provider', ['401']) });
    expect(story.state.attempts).toHaveLength(1);
    expect(story.state.questions[0]?.question).toMatchObject({ kind: 'login', recommended: 'retry' });
  });

  it('a login that was refused before others saw it work again is tried once more, and then asked about', () => {
    const refused = { diagnosis: observedDiagnosis('auth_failure', '401 from the provider', ['401']) };
    const hold = { key: 'login:k', kind: 'login', until: null, reason: 'refused', holder: 'r9' } as const;
    const story = new Story().prepared().started();
    story.tell({
      type: 'attempt_ended',
      attempt: 1,
      exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: story.now },
    });
    story.tell({ type: 'held', hold, attempt: null });
    story.tell({ type: 'hold_lifted', key: 'login:k', why: '' });
    story.tell({ type: 'attempt_examined', attempt: 1, examination: { ...EXAMINATION, ...refused } });
    expect(story.state.questions).toEqual([]);
    expect(story.state.attempts.at(-1)).toMatchObject({ number: 2, counted: false });
    story.started().ended({}, refused);
    expect(story.state.questions.at(-1)?.question).toMatchObject({ kind: 'login' });
  });

  it('an overflowing context goes on in a fresh session with a brief', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({}, { diagnosis: observedDiagnosis('context_overflow', 'prompt too long', ['too long']) });
    expect(story.state.incidents[0]?.recoveries[0]).toMatchObject({
      strategy: 'restart',
      phase: 2,
      freshSession: true,
    });
    expect(story.state.attempts.at(-1)?.resumed).toBe(false);
  });

  it('when the rungs are used up another agent takes over before a person is asked', () => {
    const story = new Story({ fallbacks: ['codex'], policy: { restarts: 9 } }).prepared().started();
    for (let failures = 0; failures < 4; failures += 1) story.ended().waited().started();
    expect(story.state.incidents[0]?.recoveries.at(-1)).toMatchObject({
      strategy: 'reassign',
      agent: { name: 'codex' },
    });
  });

  it('progress after the resume resolves the incident; progress before it does not', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'x' });
    story.ended({ exitCode: null, signal: 'SIGINT' });
    expect(story.state.incidents[0]?.outcome).toBeNull();
    story.waited().started();
    expect(story.state.incidents[0]?.outcome).toBeNull();
    story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'y' });
    expect(story.state.incidents[0]).toMatchObject({ outcome: 'resolved' });
  });
});

describe('a person’s stop', () => {
  it('stops the attempt, keeps the work and waits for them', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'stop_requested', by: 'ann', reason: 'lunch' });
    expect(story.commands()).toEqual(['stop_attempt']);
    story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'person' });
    expect(story.state.incidents).toHaveLength(0);
    expect(story.state.life).toMatchObject({
      type: 'waiting',
      for: 'person',
      reason: 'stopped by ann: lunch',
    });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('during a pause it stops the pause', () => {
    const story = new Story().prepared().started().ended();
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'time' });
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.last.timers.cancel).toContain('retry');
  });
});

describe('scope', () => {
  it('a change outside it asks for exactly these paths, and the answer asks the gate again', () => {
    const done = {
      claimsDone: true,
      checkpoint: { number: 1, state: 'complete' as const, tree: 't1', commit: 'k', missing: [], reason: '' },
    };
    const story = new Story({ task: { scope: ['src/**'] } })
      .prepared()
      .started()
      .ended({ exitCode: 0 }, done);
    story.checked('gate', 't1', true, ['src/a.ts', 'db/token.ts']);
    expect(story.state.questions[0]?.question.text).toContain('db/token.ts');
    expect(story.state.incidents[0]).toMatchObject({
      class: 'scope_exceeded',
      recoveries: [{ returnTo: 'explore' }],
    });
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'expand_scope', note: '', by: 'ann' });
    expect(story.commands()).toEqual(['run_checks']);
    story.checked('gate', 't1', true, ['src/a.ts', 'db/token.ts']);
    expect(story.commands()).toEqual(['deliver']);
  });
});

it('work that could not be saved is saved before anybody goes on over it, whatever failed in between', () => {
  const story = new Story().prepared().started();
  const exit = { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: 1 } as const;
  story.tell({ type: 'attempt_ended', attempt: 1, exit });
  const advice: never[] = [];
  story.tell({ type: 'command_failed', command: 'stop_attempt', code: 'DISK_FULL', message: '', advice });
  story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
  expect(story.commands()).toEqual(['examine_attempt']);
});

describe('how long after an announced reset', () => {
  const waits = (retryExactToMs: number | undefined, resetInMs: number) => {
    const story = new Story({ policy: { reset_skew_ms: 300_000 } }).prepared().started();
    const told = observedDiagnosis('rate_limited', 'limit', ['limit']);
    const retryAt = story.now + resetInMs;
    story.ended(
      {},
      { diagnosis: { ...told, retryAt, ...(retryExactToMs === undefined ? {} : { retryExactToMs }) } },
    );
    return (story.state.incidents[0]?.recoveries[0]?.notBefore ?? 0) - retryAt;
  };

  it('as much as the statement is exact; the policy is the upper bound and stands where nobody knows', () => {
    expect(waits(5_000, 40_000)).toBe(5_000);
    expect(waits(60_000, 40_000)).toBe(60_000);
    expect(waits(undefined, 40_000)).toBe(300_000);
    expect(waits(900_000, 40_000)).toBe(300_000);
  });
});
