import { describe, expect, it } from 'vitest';
import { runJson } from '../../../src/core/view/run-json.ts';
import { START, Story } from '../story.ts';

const FAILED = { type: 'command_failed', code: 'NO_SPACE', message: 'no room', advice: [] } as const;

const shown = (story: Story) => {
  const { word, why, why_parts, limits, waits } = runJson(story.state);
  return { word, why, why_parts, limits, waits };
};

describe('what a list says of a run', () => {
  it('a run that works says so, names its attempt and the limit of its time', () => {
    const story = new Story().prepared().started();
    const { word, why, limits, waits } = shown(story);
    expect(word).toBe('working');
    expect(why).toContain('attempt 1');
    expect(limits.map(({ kind }) => kind)).toContain('attempt_time');
    expect(waits).toEqual([]);
  });

  it('a rescued run says its trouble, what was done, and within which time progress must show', () => {
    const story = new Story().prepared().started().ended({ exitCode: 1 }).waited().started();
    const { word, why } = shown(story);
    expect(word).toBe('rescuing');
    expect(why).toMatch(/^[a-z ]+: .+; attempt 2 has to show progress, within \d+ \w+ at most$/);
    expect(runJson(story.state).note, 'beside the last act of the agent, the same words').toBe(why);
  });

  it('a run with an open question needs a person, and says the question and where the work is safe', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'flag_raised', by: 'ann', reason: 'wrong file' });
    story.ended({ endedBy: 'mayday' });
    const { word, why, waits } = shown(story);
    expect(word).toBe('needs_you');
    expect(why).not.toBe('');
    expect(waits.at(-1)).toMatchObject({ for: 'person', to: null });
    const [question] = runJson(story.state).questions;
    expect(Date.parse(question?.asked_at ?? '')).toBeGreaterThanOrEqual(START);
  });

  it('a wait that is over stays as a span from its first to its last moment', () => {
    const story = new Story();
    story.tell({ ...FAILED, command: 'prepare_workspace' });
    const asked = new Date(story.now).toISOString();
    story.tell({ type: 'stop_requested', by: 'ann', reason: 'lunch' });
    const from = new Date(story.now).toISOString();
    expect(shown(story)).toMatchObject({
      word: 'stopped',
      waits: [
        { from: asked, to: from },
        { from, to: null },
      ],
    });
    story.tell({ type: 'resume_requested', by: 'ann', note: 'there is room' }, 60_000);
    const to = new Date(story.now).toISOString();
    expect(shown(story)).toMatchObject({
      word: 'preparing',
      waits: [
        { from: asked, to: from },
        { from, to },
      ],
    });
  });
});
