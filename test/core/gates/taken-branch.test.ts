import { describe, expect, it } from 'vitest';
import { blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, Story } from '../story.ts';

function taken(branch: string): Story {
  const story = new Story({ task: { sink: { type: 'branch', name: branch } } }).prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
  story.checked('gate', 't1', true, ['a.txt']);
  const finding = { source: 'said', said: [`Branch ${branch} already exists.`] } as const;
  story.tell({
    type: 'delivery_blocked',
    blocker: blocker('sink_drifted', finding, ['fix_sink', 'abandon']),
  });
  return story;
}

function answer(story: Story, note: string) {
  const question = openQuestion(story.state)?.question.id ?? '';
  return story.tell({ type: 'question_answered', question, option: 'fix_sink', note, by: 'ann' });
}

describe('a branch that is taken', () => {
  it('is left alone: the same work goes to the branch of the run', () => {
    const story = taken('release');
    expect(openQuestion(story.state)?.question.options[0]?.label).toContain('mayday/r1');
    answer(story, '');
    expect(story.last.commands[0]?.command).toMatchObject({
      type: 'deliver',
      tree: 't1',
      sink: { type: 'branch', name: 'mayday/r1' },
    });
  });

  it('is left alone: the same work goes to the branch that the person names', () => {
    const story = taken('release');
    answer(story, 'release-2');
    expect(story.state.sink).toEqual({ type: 'branch', name: 'release-2' });
  });

  it('is tried again when the person says that they moved it away', () => {
    const story = taken('release');
    answer(story, 'I renamed the old one');
    expect(story.state.sink).toEqual({ type: 'branch', name: 'release' });
    expect(story.commands()).toEqual(['deliver']);
  });

  it('asks for a name where it is the branch of the run itself', () => {
    const story = taken('mayday/r1');
    expect(openQuestion(story.state)?.question.options[0]).toMatchObject({ needsNote: true });
    expect(answer(story, '')).toBeNull();
  });
});
