import { expect, it } from 'vitest';
import { Story } from '../story.ts';

it('a queued run does nothing before a worker takes it, and is taken once', () => {
  const story = new Story({ queued: true });
  expect({ life: story.state.life, commands: story.commands() }).toEqual({
    life: { type: 'queued' },
    commands: [],
  });
  expect(story.tell({ type: 'timer_fired', name: 'retry' })).toBeNull();
  story.tell({ type: 'work_begun', by: 'worker' });
  expect({ life: story.state.life, commands: story.commands() }).toEqual({
    life: { type: 'preparing' },
    commands: ['prepare_workspace'],
  });
  expect(story.tell({ type: 'work_begun', by: 'another' })).toBeNull();
  expect(story.prepared().state.attempts).toHaveLength(1);
});

it('a person who stops a queued run takes it from the queue; nothing is asked', () => {
  const story = new Story({ queued: true });
  story.tell({ type: 'stop_requested', by: 'ann', reason: 'not today' });
  expect(story.state).toMatchObject({
    life: { type: 'ended', state: 'abandoned', reason: 'taken from the queue by ann: not today' },
    questions: [],
  });
});

it('a person who resumes a queued run needs no worker', () => {
  const story = new Story({ queued: true });
  story.tell({ type: 'resume_requested', by: 'ann', note: '' });
  expect({ life: story.state.life, commands: story.commands() }).toEqual({
    life: { type: 'preparing' },
    commands: ['prepare_workspace'],
  });
});

it('a run that was not queued cannot be begun twice', () => {
  expect(new Story().tell({ type: 'work_begun', by: 'worker' })).toBeNull();
});
