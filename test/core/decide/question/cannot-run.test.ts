import { describe, expect, it } from 'vitest';
import type { CannotRun } from '../../../../src/core/vocabulary/work.ts';
import { PREPARED, Story, TASK } from '../../story.ts';

const VENV: CannotRun = {
  program: '.venv/bin/pytest',
  isThere: false,
  folder: '.venv',
  inCheckout: true,
  setup: null,
};

/** Up to the end of the checks before the work. */
function baseline(cannotRun?: CannotRun): Story {
  const story = new Story();
  story.tell(PREPARED);
  checked(story, cannotRun);
  return story;
}

function checked(story: Story, cannotRun?: CannotRun): void {
  story.tell({
    type: 'checks_finished',
    purpose: 'baseline',
    tree: 't0',
    changed: [],
    results: [
      {
        command: TASK.checks[0] as string,
        exitCode: 127,
        passed: false,
        timedOut: false,
        durationMs: 5,
        outputHash: 'o',
        outputTail: 'sh: 1: .venv/bin/pytest: not found\n',
        tree: 't0',
        variant: 'candidate',
        ...(cannotRun === undefined ? {} : { cannotRun }),
      },
    ],
  });
}

const asked = (story: Story) => story.state.questions.at(-1)?.question;
const answer = (story: Story, option: string) =>
  story.tell({ type: 'question_answered', question: asked(story)?.id ?? '', option, note: '', by: 'ann' });

describe('a check that cannot run before the work', () => {
  it('starts no agent, and the one question names the folder and the line that mends it', () => {
    const story = baseline(VENV);
    expect(story.commands()).toEqual([]);
    expect(story.state.attempts).toEqual([]);
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.state.incidents).toMatchObject([{ class: 'environment' }]);
    expect(asked(story)?.text).toContain('.venv/bin/pytest is not there');
    expect(asked(story)?.text).toContain('`copy: [.venv]`');
    expect(asked(story)?.options.map(({ id }) => id)).toEqual(['retry', 'revise_work', 'abandon']);
  });

  it.each([
    [
      'a folder that the checkout lacks too',
      { ...VENV, inCheckout: false, setup: 'uv sync' },
      '`setup: uv sync`',
    ],
    ['a tool of the machine', { ...VENV, program: 'pytest', folder: null }, 'Install pytest'],
  ])('%s is mended in its own way', (_, cannotRun, words) => {
    expect(asked(baseline(cannotRun))?.text).toContain(words);
  });

  it('says which user may not enter which folder, and names no line of the configuration for it', () => {
    const barred = { user: 'nobody', path: '/root', needs: '/root/python3' };
    const { text = '', recommended } =
      asked(baseline({ ...VENV, program: '.venv/bin/python', isThere: true, folder: null, barred })) ?? {};
    expect(text).toContain(
      'the user “nobody” may not enter /root, and .venv/bin/python needs /root/python3. Install it outside',
    );
    expect(text).toContain('(--as-user)');
    expect(text).not.toContain('mayday.yaml');
    expect(recommended).toBe('retry');
  });

  it('names --trust where the advice changes the configuration', () => {
    expect(asked(baseline(VENV))?.text).toContain('--trust');
  });

  it('is run again when a person says that it can run now, and the agent starts once it can', () => {
    const story = baseline(VENV);
    answer(story, 'retry');
    expect(story.commands()).toEqual(['run_checks']);
    checked(story, VENV);
    expect(story.state.attempts, 'still not').toEqual([]);
    answer(story, 'retry');
    checked(story);
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('lets the agent begin by a person’s word', () => {
    const story = baseline(VENV);
    answer(story, 'revise_work');
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('ends without a trace when the person ends it', () => {
    const story = baseline(VENV);
    answer(story, 'abandon');
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'abandoned' });
  });
});

it('a check whose program the work is to write holds nobody up', () => {
  expect(baseline().commands()).toEqual(['start_attempt']);
});
