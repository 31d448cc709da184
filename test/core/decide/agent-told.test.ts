import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { Story } from '../story.ts';

describe('an agent that asks for a wider scope', () => {
  function requested(scope: readonly string[]): Story {
    const raised = { reason: 'the table needs a column', code: null, question: null, options: [], scope };
    const story = new Story({ task: { scope: ['src/**'] } }).prepared().started();
    return story.ended({ exitCode: 0 }, { claimsDone: true, raised });
  }
  const answered = (story: Story, option: string) => {
    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({ type: 'question_answered', question, option, note: '', by: 'ann' });
    return story;
  };

  it('gets a question about exactly that, and changes nothing by itself', () => {
    const { state } = requested(['db/**']);
    expect(state.scope.allowed).toEqual(['src/**']);
    expect(openQuestion(state)?.question).toMatchObject({ kind: 'scope', recommended: 'revise_work' });
    expect(openQuestion(state)?.question.text).toContain('db/**');
    expect(runJson(state).incidents).toMatchObject([{ class: 'scope_exceeded' }]);
  });

  it('goes on with the wider scope when a person agrees, without it when not', () => {
    const wider = answered(requested(['db/**']), 'expand_scope');
    expect(wider.state.scope).toEqual({ allowed: ['src/**', 'db/**'], by: 'ann; widened by ann' });
    const without = answered(requested(['db/**']), 'revise_work');
    expect(without.state.scope.allowed).toEqual(['src/**']);
    for (const story of [wider, without])
      expect(story.last.decisions.map(({ type }) => type)).toContain('attempt_planned');
  });
});

describe('what an agent tells while it works', () => {
  function told(): Story {
    const story = new Story().prepared().started();
    story.tell({ type: 'agent_told', attempt: 1, line: 1, kind: 'note', text: 'the parser is in lib' });
    story.tell({ type: 'agent_told', attempt: 1, line: 3, kind: 'progress', text: 'half of it' });
    return story;
  }

  it('is a claim: no signal is answered by it and no progress observed', () => {
    const { state } = told();
    expect(runJson(state)).toMatchObject({
      claims: [{ text: 'half of it', recorded: false }],
      attempts: [{ notes: ['the parser is in lib'] }],
    });
    expect(state.attempts[0]?.progressAt).toBeNull();
  });

  it('is heard once, also when a second keeper reads the same lines', () => {
    const story = told();
    story.tell({ type: 'agent_told', attempt: 1, line: 3, kind: 'progress', text: 'half of it' });
    expect(story.state.attempts[0]?.told).toHaveLength(2);
  });

  it('reaches the next brief as a quotation, notes only', () => {
    const story = told();
    story.ended({ exitCode: null, signal: 'SIGKILL' });
    story.tell({ type: 'timer_fired', name: 'retry' }, 3_600_000);
    const brief = story.state.attempts[1]?.brief ?? '';
    expect(brief).toContain('the parser is in lib');
    expect(brief).not.toContain('half of it');
  });
});
