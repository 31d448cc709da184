import { describe, expect, it } from 'vitest';
import { lastCheckpoint, savedTree } from '../../../src/core/state/last-tree.ts';
import { Story } from '../story.ts';

const INTERRUPTED = { exitCode: null, signal: 'SIGINT' } as const;

function saved(number: number, tree: string, state: 'complete' | 'failed' = 'complete') {
  return { checkpoint: { number, state, tree, commit: `k${number}`, missing: [], reason: '' } };
}

/** The first attempt left tree t1, the second t2. */
function twoAttempts(): Story {
  const story = new Story({ policy: { backoff_ms: 0 } }).prepared().started();
  story.ended(INTERRUPTED, saved(1, 't1'));
  story.tell({ type: 'resume_requested', by: 'ann', note: 'on' });
  return story.started().ended(INTERRUPTED, saved(2, 't2'));
}

describe('the last tree of a run', () => {
  it('is not that of a checkpoint that could not be saved', () => {
    const story = twoAttempts();
    story.tell({ type: 'checkpoint_taken', attempt: 2, ...saved(3, 't3', 'failed') });
    expect([savedTree(story.state), lastCheckpoint(story.state)?.number]).toEqual(['t2', 2]);
  });

  it.each([
    ['t1', 'what was restored is no progress', 'incident'],
    ['t4', 'what changed after the restore is progress', 'resolved'],
  ])('after a restore is the restored one: %s, %s', (tree, _, becomes) => {
    const story = twoAttempts();
    story.tell({ type: 'checkpoint_restored', number: 1, restored: 1, kept: [], by: 'ann' });
    expect(savedTree(story.state)).toBe('t1');
    story.tell({ type: 'resume_requested', by: 'ann', note: 'again' });
    story.started().ended(INTERRUPTED, saved(3, tree));
    const resolved = story.last.decisions.filter(({ type }) => type === 'incident_resolved');
    expect(resolved).toHaveLength(becomes === 'resolved' ? 1 : 0);
  });
});
