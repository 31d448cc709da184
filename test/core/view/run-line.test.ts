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

  const LOGIN = {
    key: 'login:claude:0123456789abcdef',
    kind: 'login',
    until: null,
    reason: 'the login of this account is refused (x)',
    holder: 'pfg7',
  } as const;

  it('counts down to no moment at which another hold still stands, and says whose answer it waits for', () => {
    const story = new Story().prepared().started().ended({ exitCode: 1 });
    expect(shown(story).limits.map(({ kind }) => kind)).toContain('goes_on');
    const later = { ...LOGIN, until: story.now + 3_600_000, kind: 'limit', key: 'account:claude:1' } as const;
    story.tell({ type: 'held', hold: later, attempt: null });
    expect(shown(story).limits).toContainEqual(
      expect.objectContaining({ kind: 'goes_on', until: new Date(later.until).toISOString() }),
    );
    expect(runJson(story.state).held_by).toBe(later.key);
    story.tell({ type: 'held', hold: LOGIN, attempt: null });
    const { why, limits } = shown(story);
    expect(limits.map(({ kind }) => kind)).not.toContain('goes_on');
    expect(why).toBe(
      'waits first for the answer to pfg7: the login of claude; then for the usage limit of claude',
    );
    expect(limits).toContainEqual(
      expect.objectContaining({ kind: 'not_before', until: new Date(later.until).toISOString() }),
    );
    expect(runJson(story.state).held_by).toBe(LOGIN.key);
    expect(runJson(story.state).next_step, 'it does not go on by itself').not.toContain('by itself');
  });

  it('tells what it met itself and what another run met as one story, and one hold alone without an order', () => {
    const story = new Story().prepared().started().ended({ exitCode: 1 });
    const until = story.now + 180_000;
    const own = {
      key: 'model:claude:m:1',
      kind: 'overload',
      until,
      reason: 'overloaded',
      holder: 'r1',
    } as const;
    story.tell({ type: 'held', hold: own, attempt: null });
    story.tell({ type: 'held', hold: LOGIN, attempt: null });
    expect(shown(story).why).toBe(
      'waits first for the answer to pfg7: the login of claude; then for the overload that it met itself',
    );
    expect(shown(story).why_parts, 'a list shows the first and folds the rest').toEqual([
      'waits for the answer to pfg7: the login of claude',
      'for the overload that it met itself',
    ]);
    const ready = new Story().prepared();
    ready.tell({ type: 'held', hold: LOGIN, attempt: 1 });
    expect(shown(ready).why).toBe('waits for the answer to pfg7: the login of claude');
    expect(shown(ready).why_parts, 'one reason is not told in parts').toEqual([]);
    expect(shown(ready).limits.map(({ kind }) => kind)).not.toContain('not_before');
  });
});
