import { describe, expect, it } from 'vitest';
import { blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { ComposeFacts } from '../../../src/core/vocabulary/events/compose-facts.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, Story } from '../story.ts';

function seenAt(commit: string): ComposeFacts {
  const target = { name: 'main', commit, moved: false, conflicts: [], theirs: [] };
  return { target, overlaps: [], findings: [], targetRules: null, markers: [], leaving: [], submodules: [] };
}

function merging(): Story {
  const story = new Story({
    task: { sink: { type: 'merge', branch: 'main' } },
    policy: { delivery_retries: 2 },
  });
  story.prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
  return story;
}

function passes(story: Story, target: string): void {
  story.checked('gate', 't1', true, ['a.txt'], undefined, undefined, seenAt(target));
}

function moved(story: Story): void {
  const finding = { source: 'said', said: ['main moved.'] } as const;
  story.tell({ type: 'delivery_blocked', blocker: blocker('sink_drifted', finding), targetMoved: true });
}

describe('a target that moves between the gate and the delivery', () => {
  it('is named in the delivery as the gate saw it, and seen anew by the next gate', () => {
    const story = merging();
    passes(story, 'c1');
    expect(story.last.commands[0]?.command).toMatchObject({ type: 'deliver', target: 'c1' });
    moved(story);
    expect(story.commands()).toEqual(['run_checks']);
    expect(openQuestion(story.state)).toBeUndefined();
    passes(story, 'c2');
    expect(story.last.commands[0]?.command).toMatchObject({ type: 'deliver', target: 'c2' });
  });

  it('that never stays is a question', () => {
    const story = merging();
    for (const commit of ['c1', 'c2', 'c3']) {
      passes(story, commit);
      moved(story);
    }
    expect(openQuestion(story.state)?.question.kind).toBe('sink_drifted');
  });
});
