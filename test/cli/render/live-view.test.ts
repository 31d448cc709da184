import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { liveView, nowLines } from '../../../src/cli/render/live-view.ts';
import { Story } from '../../core/story.ts';

const QUIET = { calls: [], said: '', files: [] };
const labels = (lines: readonly (readonly [string, string, unknown])[]) => lines.map(([label]) => label);

describe('the moving lines of a run', () => {
  it('tell the stage, the call in flight with its time, the last sentence and the changed files', () => {
    const story = new Story().prepared().started();
    const now = story.now + 12_000;
    const activity = {
      calls: [
        { id: '1', words: 'Task look around', at: story.now },
        { id: '2', words: 'Bash npm test', at: story.now + 8_000 },
      ],
      said: 'Now the tests.',
      files: ['src/a.ts', 'b.ts'],
    };
    const [stage, ...more] = nowLines(story.state, activity, now);
    expect(stage?.[0]).toBe('build');
    expect(stage?.[1]).toContain('rehearsal · 12 s');
    expect(more.map(([label, text]) => `${label}|${text}`)).toEqual([
      'now|4 s · 1 more at once · Bash npm test',
      'says|Now the tests.',
      '|2 files changed: src/a.ts, b.ts',
    ]);
  });

  it('claim no progress before there was one', () => {
    const story = new Story().prepared().started();
    const stage = (ms = 3_000) => nowLines(story.state, QUIET, story.now + ms)[0]?.[1];
    expect(stage(), 'before the first look nothing is known').not.toContain('progress');
    expect(stage(story.state.policy.snapshot_every_ms + 1)).toContain('no progress yet');
    story.tell({ type: 'progress_observed', attempt: 1, kind: 'edit', detail: 'a.ts' });
    expect(stage()).toContain('last progress 3 s ago');
  });

  it('do not deny progress beside files that have changed', () => {
    const story = new Story().prepared().started();
    const [stage] = nowLines(story.state, { ...QUIET, files: ['a.ts'] }, story.now + 3_000);
    expect(stage?.[1]).not.toContain('progress');
  });

  it('tell what Mayday itself does while no agent works', () => {
    const story = new Story();
    const stage = (ms: number) => nowLines(story.state, QUIET, story.now + ms)[0]?.[1];
    expect(stage(2_000)).toBe('the workspace is being prepared · 2 s');
    expect(stage(9_000)).toMatch(/^the workspace is being prepared · .* a large repository · 9 s$/);
  });

  it('are not there without a terminal: a slow beginning is told once instead', async () => {
    const out = new PassThrough() as unknown as NodeJS.WriteStream;
    const { state } = new Story();
    const view = liveView(out, {}, { look: async () => QUIET, keys: null });
    await view.idle({ ...state, updatedAt: Date.now() });
    expect(out.read()).toBeNull();
    for (let look = 0; look < 3; look += 1) await view.idle(state);
    expect(String(out.read()).match(/a large repository/g)).toHaveLength(1);
  });

  it('have no empty line for what is not known', () => {
    const story = new Story().prepared().started();
    expect(labels(nowLines(story.state, QUIET, story.now))).toEqual(['build']);
  });

  it('name a budget and the time of the attempt when they come near, not before', () => {
    const task = { budget: { tokens: null, usd: 10, turns: null, wallClockMs: null } };
    const story = new Story({ task, policy: { timeout_ms: 100_000 } }).prepared().started();
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    story.tell({ type: 'usage_reported', attempt: 1, usage: { ...usage, costUsd: 5 } });
    expect(labels(nowLines(story.state, QUIET, story.now))).toEqual(['build']);
    story.tell({ type: 'usage_reported', attempt: 1, usage: { ...usage, costUsd: 8 } });
    const [, limit] = nowLines(story.state, QUIET, story.now + 90_000);
    expect(limit).toEqual(['limit', expect.stringMatching(/^near: .*\$8\.00 of \$10/), 'needs']);
    expect(limit?.[1]).toContain('this attempt may take 8 s more');
  });
});
