import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

function answer(story: Story, note: string) {
  return story.tell({
    type: 'question_answered',
    question: openQuestion(story.state)?.question.id ?? '',
    option: 'expand_scope',
    note,
    by: 'ann',
  });
}

describe('a scope that names what is no longer there', () => {
  it('goes on with what is left of it', () => {
    const story = new Story({ task: { scope: ['src/gone.ts', 'src/auth/**'] } });
    story.prepared({ staleScope: ['src/gone.ts'] });
    expect(openQuestion(story.state)?.question.text).toContain('what is left of it, src/auth/**');
    answer(story, '');
    expect(story.state.scope.allowed).toEqual(['src/auth/**']);
  });

  it('is never widened when nothing is left: the person names what may change', () => {
    const story = new Story({ task: { scope: ['src/gone.ts'] } }).prepared({ staleScope: ['src/gone.ts'] });
    const question = openQuestion(story.state)?.question;
    expect(question?.text).toContain('Nothing is left of it. What may change instead?');
    expect(question?.options[0]).toMatchObject({ id: 'expand_scope', needsNote: true });
    expect(answer(story, '')).toBeNull();
    expect(story.state.scope.allowed).toEqual(['src/gone.ts']);
    answer(story, 'src/new.ts  docs/**');
    expect(story.state.scope).toEqual({ allowed: ['src/new.ts', 'docs/**'], by: 'confirmed by ann' });
    expect(story.commands()).toEqual(['run_checks']);
  });
});
