import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { liveView, nowLines } from '../../../src/cli/render/live-view.ts';
import { Story } from '../../core/story.ts';

const QUIET = { calls: [], said: '', files: [] };
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

  it('are not there without a terminal: a slow beginning is told once instead', async () => {
    const out = new PassThrough() as unknown as NodeJS.WriteStream;
    const { state } = new Story();
    const view = liveView(out, {}, { look: async () => QUIET, keys: null });
    await view.idle({ ...state, updatedAt: Date.now() });
    expect(out.read()).toBeNull();
    for (let look = 0; look < 3; look += 1) await view.idle(state);
    expect(String(out.read()).match(/a large repository/g)).toHaveLength(1);
  });
});
