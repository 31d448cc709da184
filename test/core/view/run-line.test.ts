import { describe, expect, it } from 'vitest';
import { type MovedSpan, movedAfter } from '../../../src/core/state/moved-spans.ts';
import { type Wait, waitsAfter } from '../../../src/core/state/waits.ts';
import { waitSpans } from '../../../src/core/view/wait-spans.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import type { Life } from '../../../src/core/vocabulary/life.ts';
import { PREPARED, START, Story } from '../story.ts';

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

  it('what it quotes is told to its end, though it has several sentences', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'flag_raised', by: 'ann', reason: 'I read the task. Two files fit. Which one?' });
    story.ended({ endedBy: 'mayday' });
    expect(shown(story).why).toContain('I read the task. Two files fit. Which one?”');
  });

  it('one mark ends a sentence: a quoted question gets no full stop', () => {
    const raised = { reason: 'two fit', code: null, question: 'Which one?', options: [] };
    const checkpoint = {
      number: 1,
      state: 'complete' as const,
      tree: 't1',
      commit: 'c1',
      missing: [],
      reason: '',
    };
    const story = new Story().prepared().started();
    story.tell({ type: 'checkpoint_taken', attempt: 1, checkpoint });
    story.ended({ exitCode: 0 }, { raised });
    expect(shown(story).why).toMatch(/^The agent asks: “Which one\?” The work is safe at checkpoint \d\.$/);
  });

  it('a run in a ready workspace tells that its checks run before the work begins', () => {
    expect(shown(new Story())).toMatchObject({ word: 'preparing', why: 'the workspace is being prepared' });
    const story = new Story();
    story.tell(PREPARED);
    expect(shown(story).why).toBe('Mayday runs the checks once before the work begins: test -f a.txt');
  });

  it('the beginning of a run is no progress: only what an attempt did is', () => {
    const story = new Story().prepared().started();
    expect(runJson(story.state).progress_at).toBeNull();
    story.tell({ type: 'progress_observed', attempt: 1, kind: 'edit', detail: 'a.ts' });
    expect(runJson(story.state).progress_at).toBe(new Date(story.now).toISOString());
  });

  it('a pause of the ladder names the attempt that follows and the cause, not what was decided', () => {
    const { word, why } = shown(new Story().prepared().started().ended({ exitCode: 1 }));
    expect(word).toBe('waiting');
    expect(why).toMatch(/^a pause before attempt 2: \S/);
    expect(why).not.toContain('resumed');
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

  it('another reason to wait begins another span where the first one ends', () => {
    const at = (for_: 'time' | 'host', reason: string) =>
      ({ type: 'waiting', for: for_, until: null, reason, question: null, failed: null }) as const;
    const after = (waits: readonly Wait[], life: Life, time: number) =>
      waitsAfter(waits, { life, holds: [] }, time);
    const spans = (waits: readonly Wait[], life: Life, time: number) =>
      waitSpans({ waits: after(waits, life, time) });
    const first = after([], at('time', 'usage limit'), 10);
    expect(spans(first, at('time', 'usage limit'), 20)).toEqual(waitSpans({ waits: first }));
    expect(spans(first, at('host', 'no network'), 30)).toEqual([
      { from: 10, to: 30, for: 'time', reason: 'usage limit' },
      { from: 30, to: null, for: 'host', reason: 'no network' },
    ]);
    expect(spans(first, { type: 'working', attempt: 1 }, 40)).toEqual([
      { from: 10, to: 40, for: 'time', reason: 'usage limit' },
    ]);
  });

  it('has a stretch for each time its work moved; one without a look is not called still', () => {
    const story = new Story().prepared().started();
    const every = story.state.policy.snapshot_every_ms;
    const look = (afterMs: number) => {
      story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'a.ts' }, afterMs);
      return new Date(story.now).toISOString();
    };
    const first = [look(every), look(every)];
    const second = look(10 * every);
    const [attempt] = runJson(story.state).attempts;
    expect(attempt?.moved.map(({ to }) => to)).toEqual([first[1], second]);
    expect(Date.parse(attempt?.moved[1]?.from ?? '')).toBe(story.now - every);
    expect(attempt?.looks_every_ms).toBe(every);
  });

  it('keeps few stretches however often the work moved, and none of the time is lost', () => {
    const spans = Array.from({ length: 500 }).reduce<readonly MovedSpan[]>(
      (all, _, index) => movedAfter(all, 100 + index * 1_000, 10),
      [],
    );
    expect(spans.length).toBeLessThanOrEqual(24);
    expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([90, 100 + 499 * 1_000]);
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

  it('has a pace of its cost only while its agent works: what waits burns nothing', () => {
    const usage = { inputTokens: 9, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.5 };
    const story = new Story().prepared().started();
    story.tell({ type: 'usage_reported', attempt: 1, usage }, 120_000);
    expect(runJson(story.state).usage.cost_per_hour).toBeGreaterThan(0);
    story.ended({ exitCode: 1 });
    expect(runJson(story.state).usage.cost_per_hour).toBeNull();
  });

  it('tells one reason and one beginning of a wait, also when its own pause ends before the hold', () => {
    const story = new Story().prepared().started().ended({ exitCode: 1 });
    const pause = shown(story).waits.at(-1);
    story.tell({ type: 'held', hold: LOGIN, attempt: null }, 1_000);
    const held = { from: new Date(story.now).toISOString(), to: null, reason: LOGIN.reason };
    expect(shown(story).waits).toMatchObject([{ ...pause, to: held.from }, held]);
    story.waited();
    expect(story.commands()).toEqual([]);
    expect(shown(story).waits.at(-1)).toMatchObject(held);
  });
});
