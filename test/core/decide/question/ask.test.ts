/** A question: what it is about, what it shows of the past, and until when it waits. */
import { describe, expect, it } from 'vitest';
import { ask, askOnceMore, failureOf } from '../../../../src/core/decide/question/ask.ts';
import { Turn } from '../../../../src/core/decide/turn.ts';
import type { AskedQuestion, Attempt, Incident, RunState } from '../../../../src/core/state/run-state.ts';
import { blocker } from '../../../../src/core/vocabulary/blockers/blocker.ts';
import type { Blocker } from '../../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { blockerKey } from '../../../../src/core/vocabulary/blockers/blocker-key.ts';
import type { Question } from '../../../../src/core/vocabulary/questions/question.ts';
import { optionFor } from '../../../../src/core/vocabulary/questions/resolution.ts';
import { START, Story } from '../../story.ts';

const { state } = new Story().prepared().started().ended();
const [attempt] = state.attempts as [Attempt];
const [incident] = state.incidents as [Incident];
const draft = {
  kind: 'k',
  text: 'What now?',
  whyNow: 'because',
  options: [optionFor('retry'), optionFor('abandon')],
  recommended: 'retry',
} as const;
const violated = blocker('policy_violated', {
  source: 'policy',
  rule: 'r',
  says: 'no links',
  evidence: ['a:1'],
} as never);
const empty = { ...blocker('empty_change', { source: 'gate' }), resolutions: ['revise_work'] } as Blocker;

function asked(from: Partial<RunState> = {}, more: Partial<Parameters<typeof ask>[1]> = {}) {
  const turn = new Turn({ ...state, ...from }, { at: START });
  ask(turn, { ...draft, ...more });
  return { turn, question: turn.state.questions.at(-1)?.question as Question, state: turn.state };
}

const blocked = (...blockers: Blocker[]) => ({ delivery: { ...state.delivery, blockers } });

describe('a question', () => {
  it('has a number of its own, the tree and the attempt that it is about, and what each option does', () => {
    const { question } = asked();
    expect(question).toMatchObject({
      id: 'r1-q1',
      askedAt: START,
      about: { tree: 't0', attempt: 1, blockers: [] },
      options: [
        { id: 'retry', consequence: { type: 'try_again' } },
        { id: 'abandon', consequence: { type: 'abandon' } },
      ],
    });
  });

  it('waits for ever unless the policy sets a deadline', () => {
    const within = (question_deadline_ms: number) => {
      const { question, turn } = asked({ policy: { ...state.policy, question_deadline_ms } });
      return [question.deadlineAt, turn.timers.set.length];
    };
    expect([within(0), within(1)]).toEqual([
      [null, 0],
      [START + 1, 1],
    ]);
  });

  it('is about every blocker that a person may waive, unless it names its own', () => {
    expect(asked(blocked(violated, empty)).question.about?.blockers).toEqual([blockerKey(violated)]);
    expect(asked(blocked(violated, empty), { about: [empty] }).question.about?.blockers).toEqual([
      blockerKey(empty),
    ]);
  });

  it('about a failure makes the failure the blocker, if no gate said anything', () => {
    const failure = {
      code: 'crashed',
      returnsTo: null,
      evidence: ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g'],
    } as const;
    const { state: after, question } = asked(blocked(), { failure });
    expect(after.delivery.blockers).toMatchObject([
      {
        code: 'crashed',
        stage: 'build',
        returnsTo: 'build',
        source: 'said',
        said: ['a', 'b', 'c', 'd', 'e', 'f'],
        resolutions: ['retry', 'abandon'],
      },
    ]);
    expect(question.about?.blockers, 'no approval lifts a failure').toEqual([]);
    expect(asked(blocked(violated), { failure }).state.delivery.blockers).toEqual([violated]);
    expect(
      asked(blocked(), { failure: { ...failure, returnsTo: 'explore' } }).state.delivery.blockers,
    ).toMatchObject([{ returnsTo: 'explore' }]);
  });

  it('shows at most six pieces of evidence, a line each; without its own those of the incident', () => {
    const evidence = ['1\n1', '2', '3', '4', '5', '6', '7'];
    expect(asked({}, { evidence }).question.evidence).toEqual(['1 1', '2', '3', '4', '5', '6']);
    const diagnosis = { ...incident.diagnosis, evidence: [{ line: 1, text: 'seen' }] } as never;
    expect(asked({ incidents: [{ ...incident, diagnosis }] }).question.evidence).toEqual(['seen']);
    expect(asked({ incidents: [] }).question.evidence).toEqual([]);
  });
});

describe('what was tried', () => {
  it('is every recovery since a person last spoke, but not the asking itself', () => {
    const way = (reason: string, strategy: 'resume' | 'escalate') =>
      ({ ...incident.recoveries[0], reason, strategy }) as never;
    const met = { ...incident, lastDecidedAt: 5, recoveries: [way('one', 'resume'), way('two', 'escalate')] };
    expect(asked({ incidents: [met], forgivenAt: 4 }).question.tried).toEqual(['one']);
    expect(asked({ incidents: [met], forgivenAt: 5 }).question.tried).toEqual([]);
    expect(asked({ incidents: [{ ...met, lastDecidedAt: null }], forgivenAt: 0 }).question.tried).toEqual([]);
  });

  it('names the agents where more than one worked', () => {
    const by = (...names: string[]) =>
      asked({
        incidents: [],
        attempts: names.map((name, index) => ({
          ...attempt,
          number: index + 1,
          agent: { ...attempt.agent, name },
        })),
      }).question.tried;
    expect(by('a', 'a')).toEqual([]);
    expect(by('a', 'a', 'b')).toEqual(['agents: a (2 attempts), b (1 attempt)']);
    const planned = [
      attempt,
      { ...attempt, number: 2, startedAt: null, agent: { ...attempt.agent, name: 'b' } },
    ];
    expect(asked({ incidents: [], attempts: planned }).question.tried).toEqual([]);
  });

  describe('begins with the answer to the same question', () => {
    const answered = (
      option: string,
      note: string,
      more: Partial<AskedQuestion> = {},
      kind = 'k',
    ): AskedQuestion => ({
      question: { ...asked().question, kind },
      incident: incident.id,
      answer: { option, note, by: 'ann', at: START },
      ...more,
    });
    const first = (question: AskedQuestion) =>
      asked({ questions: [question], forgivenAt: 1e15, incidents: [incident] }).question.tried;

    it.each<[string, AskedQuestion, readonly string[]]>([
      [
        'with its words',
        answered('retry', 'mind\nthe lock'),
        ['your answer (try again from the checkpoint): "mind the lock"; then it came again'],
      ],
      [
        'without words with the label',
        answered('retry', ''),
        ['your answer (try again from the checkpoint); then it came again'],
      ],
      [
        'without a label of ours with the option',
        answered('option_1', ''),
        ['your answer 1; then it came again'],
      ],
      ['not where it was a rescue', answered('rescue', 'x'), []],
      ['not where it was another question', answered('retry', '', {}, 'other'), []],
      ['not where it was another incident', answered('retry', '', { incident: 'r1-i9' }), []],
      ['not where nobody answered', answered('retry', '', { answer: null }), []],
    ])('%s', (_, question, tried) => {
      expect(first(question)).toEqual(tried);
    });
  });
});

it('a question that is asked once more has a new number and a new deadline, and nothing else that is new', () => {
  const { state: after } = asked();
  const turn = new Turn(
    { ...after, policy: { ...state.policy, question_deadline_ms: 7 } },
    { at: START + 5 },
  );
  askOnceMore(turn, after.questions[0] as AskedQuestion);
  const [old, again] = turn.state.questions.map(({ question }) => question);
  expect(again).toEqual({ ...old, id: 'r1-q2', askedAt: START + 5, deadlineAt: START + 12 });
  expect(turn.timers.set).toEqual([{ name: 'question', dueAt: START + 12 }]);
});

it('a failure is told by its cause and its evidence; undiagnosed by its class', () => {
  expect(failureOf(incident)).toEqual({
    code: 'crashed',
    returnsTo: incident.diagnosis?.returnTo ?? null,
    evidence: ['rehearsal ended with exit code 1'],
  });
  expect(failureOf({ ...incident, diagnosis: null })).toEqual({
    code: 'crashed',
    returnsTo: null,
    evidence: ['crashed'],
  });
});
