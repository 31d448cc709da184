import { describe, expect, it } from 'vitest';
import { deliverAct } from '../../src/act/deliver.ts';
import { takeCheckpoint } from '../../src/act/checkpoint/take-checkpoint.ts';
import { blocker } from '../../src/core/vocabulary/blockers/blocker.ts';
import type { Command } from '../../src/core/vocabulary/events/command.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { Story } from '../core/story.ts';
import { preparedWorkspace, writeFiles } from './temporary-repository.ts';

const NOW = 1_700_000_000_000;

type Delivery = Extract<Command, { type: 'deliver' }>;

function deliveryOf({ last }: Story): Delivery {
  const command = last.commands.map((keyed) => keyed.command).find(({ type }) => type === 'deliver');
  if (command?.type !== 'deliver') throw new Error('nothing is delivered');
  return command;
}

/** Every gate has passed for this tree. */
function passed(tree: string): Story {
  const story = new Story().prepared().started();
  story.ended(
    { exitCode: 0 },
    {
      claimsDone: true,
      partialWork: {
        created: ['a.txt'],
        changed: [],
        deleted: [],
        completed: [],
        missing: [],
        delivered: false,
      },
      checkpoint: { number: 1, state: 'complete', tree, commit: 'c1', missing: [], reason: 'ended' },
    },
  );
  // Git takes no date from the year in which stories play.
  story.now = NOW;
  return story.checked('gate', tree, true, ['a.txt']);
}

describe('a delivery that is looked at again', () => {
  it('makes the identical commit, whatever was journaled in between', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'a.txt': 'A\n' });
    const { tree } = await takeCheckpoint({ ...run, number: 1, reason: 'test' });
    const story = passed(tree);
    const command = { ...deliveryOf(story), sink: { type: 'branch' as const, name: 'work' } };
    const commitAt = async (updatedAt: number) => {
      const state: RunState = { ...story.state, runId: run.runId, updatedAt };
      const context = { home: run.home, state, env: {}, signal: new AbortController().signal, now: () => 1 };
      const [fact] = await deliverAct(context, command);
      if (fact?.type !== 'work_delivered') throw new Error(JSON.stringify(fact));
      return fact.commit;
    };
    const first = await commitAt(NOW);
    // The keeper died before the branch was there; another looks at the command an hour later.
    run.repository.git('branch', '-D', 'work');
    expect(await commitAt(NOW + 3_600_000)).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{40}/);
  });

  it('after the sink failed for a moment is still the delivery that was decided first', () => {
    const story = passed('t1');
    const { decidedAt } = deliveryOf(story);
    expect(decidedAt).toBe(story.now);
    story.tell({
      type: 'delivery_blocked',
      blocker: blocker('delivery_failed', { source: 'said', said: ['the disk said no.'] }),
    });
    story.waited();
    expect(deliveryOf(story).decidedAt).toBe(decidedAt);
    expect(story.now).toBeGreaterThan(decidedAt ?? 0);
  });

  it('after the machine failed us, too', () => {
    const story = passed('t1');
    const { decidedAt } = deliveryOf(story);
    story.tell({ type: 'command_failed', command: 'deliver', code: 'NO_GIT', message: 'gone', advice: [] });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(deliveryOf(story).decidedAt).toBe(decidedAt);
  });
});
