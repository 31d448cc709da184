/** The question about a failure class: how often, until when, and what is advised. */
import { describe, expect, it } from 'vitest';
import { classQuestion } from '../../../../src/core/decide/question/class-question.ts';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { Attempt, Incident, RunState } from '../../../../src/core/state/run-state.ts';
import type { FailureClass } from '../../../../src/core/vocabulary/classes/failure-class.ts';
import type { Diagnosis } from '../../../../src/core/vocabulary/diagnosis.ts';
import { blocker } from '../../../../src/core/vocabulary/blockers/blocker.ts';
import { START, Story } from '../../story.ts';

const { state } = new Story().prepared().started().ended();
const [attempt] = state.attempts as [Attempt];
const [crash] = state.incidents as [Incident];
const HOUR = 3_600_000;

function asked(name: FailureClass, diagnosis: Partial<Diagnosis> = {}, from: Partial<RunState> = {}) {
  const told = { ...observedDiagnosis(name, 'it broke', []), ...diagnosis };
  return classQuestion(
    { ...state, ...from },
    { ...crash, class: name, diagnosis: told },
    { at: START, mark: 'k' },
  );
}
const failures = (count: number, more: Partial<Attempt> = {}): Partial<RunState> => ({
  attempts: Array.from({ length: count }, (_, index) => ({
    ...attempt,
    number: index + 1,
    incident: index === 0 ? null : crash.id,
    ...more,
  })),
});
const ids = (question: ReturnType<typeof asked>) => question.options.map(({ id }) => id);

describe('what is quoted', () => {
  it('is what the program said itself, where the words before it are Mayday’s or name a check of the task', () => {
    const evidence = [{ line: 1, text: 'Invalid API call · Please run /login' }];
    const rootCause = 'The service refuses the credentials: Invalid API call · Please run /login.';
    expect(asked('auth_failure', { rootCause, evidence }).text).toMatch(
      /^The login is refused: <<k Invalid API call · Please run \/login k>>\. Log in again/,
    );
    expect(asked('auth_failure', { rootCause }).text, 'without that evidence').toContain('<<k The service');
    const refused = blocker('check_failed', {
      source: 'check',
      command: 'sh test/login.sh',
      exitCode: 1,
      timedOut: false,
      flaky: null,
      before: null,
      output: ['8 passed, 1 failed: two sessions'],
    });
    const delivery = { ...state.delivery, blockers: [refused] };
    expect(asked('false_success', {}, { delivery }).text).toMatch(
      /^The work is not done: `sh test\/login\.sh` fails \(exit 1\): <<k 8 passed, 1 failed: two sessions k>>/,
    );
    expect(asked('looping', {}, { delivery }).text, 'another trouble').not.toContain('login.sh');
  });

  it('is asked with the words of the options', () => {
    const { text, options } = asked('false_success');
    const [again = '', otherwise = ''] = options.map(({ label }) => label);
    expect(text.toLowerCase()).toContain(again);
    expect(otherwise).toBe('let the agent go about it another way');
    expect(text).toContain('let it go about it another way, or deliver it as it is?');
  });
});

describe('how often it happened', () => {
  it('is told from the second time on', () => {
    expect(asked('test_failure').text).not.toContain('attempts in a row');
    expect(asked('test_failure', {}, failures(2)).text).toContain('(2 attempts in a row)');
  });

  it('three times in a row "again" is no longer advised, whether they were this failure or counted restarts', () => {
    expect(asked('test_failure', {}, failures(2)).preferred).toBe('retry');
    expect(asked('test_failure', {}, failures(3)).preferred).toBe('revise_work');
    const restarts = (count: number, more: Partial<Attempt> = {}) =>
      asked(
        'test_failure',
        {},
        {
          attempts: Array.from({ length: count }, (_, index) => ({
            ...attempt,
            number: index + 7,
            counted: true,
            ...more,
          })),
        },
      ).preferred;
    expect(restarts(2)).toBe('retry');
    expect(restarts(3)).toBe('revise_work');
    expect(restarts(3, { counted: false })).toBe('retry');
    expect(restarts(3, { plannedAt: state.forgivenAt })).toBe('retry');
  });

  it('a crash asks for what it advises, and whether the agent starts at all only where it never got on', () => {
    const again = 'Start it once more, let the agent go about it another way, or end it for good?';
    const never = asked('crashed', {}, failures(4));
    expect(never).toMatchObject({ preferred: 'revise_work' });
    expect(never.text).toContain(`Does it start at all on this machine? ${again}`);
    const worked = asked('crashed', {}, failures(4, { progressAt: START })).text;
    expect(worked).toContain(again);
    expect(worked).not.toContain('start at all');
  });

  it('where nothing changed and the check passed before the work too, that is said, and ending it unproven is not advised', () => {
    const empty = {
      delivery: { ...state.delivery, blockers: [blocker('empty_change', { source: 'gate' })] },
    };
    const check = { ...state.checks.find(({ purpose }) => purpose === 'baseline'), passed: true } as never;
    const { text, preferred } = asked('false_success', {}, { ...failures(4), ...empty, checks: [check] });
    expect(text).toContain('passes before the work too, so it proves nothing here');
    expect(preferred).toBe('revise_work');
    expect(asked('false_success', {}, { ...failures(4), ...empty }).text).not.toContain(
      'before the work too',
    );
  });

  it('after a rescue in vain it is not advised either, but what only a person mends is theirs to try', () => {
    const vain = { missions: [{ outcome: 're-escalated' } as never] };
    expect(asked('test_failure', {}, vain).preferred).toBe('revise_work');
    expect(asked('test_failure', {}, { missions: [{ outcome: 'resolved' } as never] }).preferred).toBe(
      'retry',
    );
    expect(asked('environment', {}, { ...vain, ...failures(3) }).preferred).toBe('retry');
  });
});

describe('the options', () => {
  const saved = {
    checkpoints: [
      { number: 1, state: 'complete', tree: 't1', commit: 'k', missing: [], reason: '', at: 1 } as const,
    ],
  };

  it('offer the work where there is some, and the end where nothing has to change', () => {
    expect(ids(asked('test_failure'))).not.toContain('waive_with_reason');
    expect(ids(asked('test_failure', {}, saved))).toContain('waive_with_reason');
    const empty = {
      delivery: { ...state.delivery, blockers: [blocker('empty_change', { source: 'gate' })] },
    };
    expect(asked('test_failure', {}, empty).options.find(({ id }) => id === 'waive_with_reason')?.label).toBe(
      'nothing has to change: end it',
    );
    expect(
      ids(asked('test_failure', {}, { ...empty, ...saved })).filter((id) => id === 'waive_with_reason'),
    ).toHaveLength(1);
  });

  it('offer a rescue, but not for what a person mends on the machine', () => {
    expect(ids(asked('test_failure'))).toContain('rescue');
    expect(ids(asked('environment'))).not.toContain('rescue');
  });
});

describe('a reset', () => {
  it.each([
    [90_000, 'It resets in 1 min 30 s.'],
    [2 * HOUR - 1, 'It resets in 2 h.'],
    [2 * HOUR, 'It resets in 2 h.'],
    [48 * HOUR - 1_000, 'It resets in 47 h 59 min.'],
    [48 * HOUR, 'It resets in 2 d.'],
    [72 * HOUR, 'It resets in 3 d.'],
  ])('in %i ms is told: %s', (ms, words) => {
    expect(asked('rate_limited', { retryAt: START + ms }).text).toContain(words);
  });

  it('that has passed, or that nobody knows, is not told', () => {
    expect(asked('rate_limited', { retryAt: START }).text).not.toContain('It resets');
    expect(asked('rate_limited').text).not.toContain('It resets');
  });
});

describe('the cause', () => {
  it('is told without an epoch and without a full stop of its own', () => {
    expect(asked('test_failure', { rootCause: 'limit reached|1760000400. ' }).text).toMatch(
      /limit reached[^.|]*\./,
    );
    expect(asked('test_failure', { rootCause: 'limit reached|1760000400' }).text).not.toContain('1760000400');
  });

  it('comes with advice where the output was read, and without where it was only observed', () => {
    const humanInstructions = 'Free the port';
    expect(asked('test_failure', { humanInstructions, origin: 'read' }).text).toContain('Advice: ');
    expect(asked('test_failure', { humanInstructions, origin: 'observed' }).text).not.toContain('Advice: ');
    expect(asked('test_failure', { humanInstructions: null, origin: 'read' }).text).not.toContain('Advice: ');
  });

  it('of a spent budget: the option to raise it names every part', () => {
    const budget = { tokens: 5, usd: 2, turns: 3, wallClockMs: 240_000 };
    const raised = (of: RunState['budget']) =>
      JSON.stringify(asked('budget_exhausted', {}, { budget: of }).options);
    expect(raised(budget)).toContain('5 tokens, $2, 3 turns, 4 min of working time');
    expect(raised({ ...budget, usd: null, turns: null })).toContain('5 tokens, 4 min of working time');
  });
});
