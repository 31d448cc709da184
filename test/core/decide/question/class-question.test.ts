import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../../src/core/vocabulary/diagnosis.ts';
import type { Examination } from '../../../../src/core/vocabulary/events/examination.ts';
import {
  FAILURE_CLASS_NAMES,
  type FailureClass,
} from '../../../../src/core/vocabulary/classes/failure-class.ts';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import { runJson } from '../../../../src/core/view/run-json.ts';
import type { Question } from '../../../../src/core/vocabulary/questions/question.ts';
import { renderQuestion } from '../../../../src/cli/render/question.ts';
import { START, Story } from '../../story.ts';

/** Options whose whole meaning is that the agent hears of them; one that is missing in `consequenceOf` would be told like these. */
const TOLD_TO_THE_AGENT = ['revise_work', 'answer_question', 'add_verification'];

function asked(failureType: FailureClass, rootCause: string, more: Partial<Diagnosis> = {}) {
  return runJson(askedStory(failureType, rootCause, more).state);
}

/** A run that failed in that way until a person is asked. */
function askedStory(
  failureType: FailureClass,
  rootCause: string,
  more: Partial<Diagnosis> = {},
  story = new Story({ policy: { backoff_ms: 1, wait_horizon_ms: 1, limit_horizon_ms: 1 } })
    .prepared()
    .started(),
) {
  const { length } = story.state.questions;
  const diagnosis = { ...observedDiagnosis(failureType, rootCause, [`evidence: ${rootCause}`]), ...more };
  for (let tries = 0; tries < 6 && story.state.questions.length === length; tries += 1) {
    story.ended({ exitCode: 3 }, { diagnosis });
    if (story.state.questions.length > length) break;
    if (story.state.life.type === 'waiting') story.tell({ type: 'timer_fired', name: 'retry' }, 60_000);
    story.started();
  }
  return story;
}

describe('a run that waits for a person after a failure', () => {
  it('tells all that was tried, also for other trouble, and does not recommend the same once more', () => {
    const story = new Story({ policy: { backoff_ms: 1 } }).prepared().started();
    const classes: readonly FailureClass[] = ['test_failure', 'crashed', 'build_failure', 'runtime_error'];
    for (const name of classes) {
      story.ended({ exitCode: 3 }, { diagnosis: observedDiagnosis(name, name, []) });
      if (story.state.questions.length > 0) break;
      story.waited().started();
    }
    const question = story.state.questions[0]?.question;
    expect(question?.tried).toHaveLength(3);
    expect(question?.recommended).toBe('revise_work');
  });

  it.each(FAILURE_CLASS_NAMES)('%s: each option that it offers has a consequence of its own', (name) => {
    const story = askedStory(name, 'the port 3000 is taken');
    const options = story.state.questions.at(-1)?.question.options ?? [];
    const forgotten = options.filter(
      ({ id, consequence }) => consequence?.type === 'tell_agent' && !TOLD_TO_THE_AGENT.includes(id),
    );
    expect(forgotten.map(({ id }) => id)).toEqual([]);
  });

  it.each(FAILURE_CLASS_NAMES.filter((name) => name !== 'unknown'))(
    '%s: says what blocks it, where it returns to and what can be done',
    (name) => {
      const { blockers, questions } = asked(name, 'the port 3000 is taken');
      expect(blockers).toMatchObject([
        { code: name, evidence: [expect.stringContaining('3000'), expect.anything()] },
      ]);
      expect(blockers[0]?.resolutions).toContain('abandon');
      expect(blockers[0]?.returns_to).not.toBeNull();
      const [question] = questions;
      expect(question?.text).toContain('3000');
      expect(question?.text).not.toMatch(/another approach|change the approach|Decide how to go on/);
      const safe =
        name === 'budget_exhausted' ? null : expect.stringMatching(/^(retry|revise_work|answer_question)$/);
      expect(question?.recommended).toEqual(safe);
    },
  );

  it.each(FAILURE_CLASS_NAMES)('%s: asks in a sentence, and speaks no command line', (name) => {
    const [question] = asked(name, 'the port 3000 is taken').questions;
    expect(question?.text).toMatch(/^[A-Z].*\?$/s);
    const words = question?.options.flatMap(({ label, effect }) => [label, effect]).join('\n');
    expect(words).not.toMatch(/--\w|mayday \w+ [A-Z]{3}/);
  });

  it('is not advised to try the same for the fourth time', () => {
    const { questions } = asked('test_failure', 'a.test.ts fails: expected 1, got 2');
    expect(questions[0]).toMatchObject({ recommended: 'revise_work' });
    expect(questions[0]?.text).toContain('attempts in a row');
  });

  it('is shown the door to a rescue with files', () => {
    const question = askedStory('test_failure', 'a.test.ts fails').state.questions[0]?.question as Question;
    expect(renderQuestion('r1', question, 1)).toMatch(/start a rescue mission .*mayday rescue r1\)/);
  });

  it.each(FAILURE_CLASS_NAMES)(
    '%s: after a rescue in vain it is told so, and the same is not advised',
    (name) => {
      const story = askedStory(name, 'the port 3000 is taken');
      const plan = { category: null, rootCause: null, evidence: [], filesAdded: [], specChanges: [] };
      story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: 'use port 4000' } });
      askedStory(name, 'the port 3000 is taken', {}, story.started());
      expect(story.state.missions[0]?.outcome).toBe('re-escalated');
      const again = story.state.questions[1]?.question;
      expect(again?.tried).toContain('rescue mission by ann');
      // "I mended it" stays the advice where only a person can mend it: there a rescue is not offered.
      if (again?.options.some(({ id }) => id === 'rescue')) expect(again.recommended).not.toBe('retry');
    },
  );

  it('is offered nothing that makes no sense for a program that dies', () => {
    const { questions, blockers } = asked('crashed', 'sh ended with exit code 3');
    expect(questions[0]?.text).toMatch(/^The run stopped: <<(\w+) sh ended with exit code 3 \1>>/);
    expect(questions[0]?.options.map(({ label }) => label)).not.toContain('do it without that');
    expect(questions[0]?.options.map(({ id }) => id)).not.toContain('waive_with_reason');
    expect(blockers[0]).toMatchObject({ code: 'crashed', stage: 'build', returns_to: 'build' });
  });

  it('reads a clock and no epoch', () => {
    const { questions } = asked('rate_limited', 'usage limit reached|1760000400', {
      retryAt: START + 3 * 3_600_000,
    });
    expect(questions[0]?.text).toContain('resets in');
    expect(questions[0]?.text).not.toMatch(/\d{10}/);
  });
});

describe('a refused login', () => {
  /** The agent misses variables that its person has set, or was to get and has not. */
  function refused(missed: Pick<Examination, 'withheld' | 'unset'>): Story {
    const diagnosis = observedDiagnosis('auth_failure', '401 from the provider.', ['401']);
    return new Story()
      .prepared()
      .started()
      .ended({}, { diagnosis, ...missed });
  }

  it('whose key was not passed names the variable, and the answer passes it', () => {
    const story = refused({ withheld: ['OPENAI_API_KEY'] });
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toBe(
      '401 from the provider; OPENAI_API_KEY is set in your shell and was not passed (--env OPENAI_API_KEY)',
    );
    const question = story.state.questions[0]?.question;
    expect(question).toMatchObject({ recommended: 'retry' });
    expect(question?.options[0]).toMatchObject({
      id: 'pass_env',
      label: expect.stringContaining('OPENAI_API_KEY'),
    });
    story.tell({
      type: 'question_answered',
      question: question?.id ?? '',
      option: 'pass_env',
      note: '',
      by: 'ann',
    });
    expect(story.state.options.environment).toEqual(['OPENAI_API_KEY']);
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('that is refused again after the answer says that it was answered', () => {
    const story = refused({});
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
    story.started().ended({}, { diagnosis: observedDiagnosis('auth_failure', '401 from the provider.', []) });
    expect(story.state.questions[1]?.question.tried).toEqual([
      'your answer (I have logged in again: go on); then it came again',
    ]);
  });

  it('whose key was to be passed and is not set says that', () => {
    const [incident] = refused({ unset: ['MY_TOKEN'] }).state.incidents;
    expect(incident?.diagnosis?.rootCause).toContain(
      'MY_TOKEN is to be passed and not set where Mayday was started',
    );
  });

  it('that misses nothing only asks to log in again', () => {
    const { state } = refused({});
    expect(state.incidents[0]?.diagnosis?.rootCause).toBe('401 from the provider.');
    expect(state.questions[0]?.question.options.map(({ id }) => id)).not.toContain('pass_env');
  });
});
