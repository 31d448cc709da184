import { describe, expect, it } from 'vitest';
import { replayMeaning } from '../../../src/core/replay/alarm-cost.ts';
import type { Signal } from '../../../src/core/vocabulary/signal.ts';
import { Told } from './told.ts';
import { CHECKPOINT } from '../story.ts';

const MINUTE = 60_000;
const NOBODY: ReadonlySet<string> = new Set();

const loop = (at: number): Signal => ({
  type: 'looping',
  severity: 'critical',
  reason: 'make: 3 times',
  sinceAt: at,
  at,
  evidence: [],
  confidence: 1,
  suggestedAction: 'stop',
});

/** Works for ten minutes, saves after six, and ends as told. */
function worked(end: (told: Told) => void): { readonly told: Told; readonly startedAt: number } {
  const told = new Told();
  told.prepared().started();
  const startedAt = told.now;
  const checkpoint = CHECKPOINT;
  told.tell({ type: 'checkpoint_taken', attempt: 1, checkpoint }, 6 * MINUTE);
  told.tell({ type: 'usage_reported', attempt: 1, usage: NO_USAGE }, 4 * MINUTE);
  end(told);
  return { told, startedAt };
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function delivers(told: Told): void {
  const partialWork = { ...told.state.partialWork, created: ['a.txt'] };
  told.ended({ exitCode: 0 }, { claimsDone: true, partialWork });
  told.checked('gate', 't1', true, ['a.txt']);
  told.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
}

describe('what another policy would have cost', () => {
  it('an alarm in an attempt that went well is false: it costs the work since the checkpoint, and an attempt', () => {
    const { told, startedAt } = worked(delivers);
    const change = { added: [loop(startedAt + 8 * MINUTE)], dropped: () => false };
    const meaning = replayMeaning(told.replay({}, new Map([[1, change]])), told.state, NOBODY);
    expect(meaning).toMatchObject({
      verdict: 'false_alarm',
      now: { falseAlarms: 0 },
      proposed: { falseAlarms: 1, minutes: 2, attempts: 1, questions: 0 },
    });
  });

  it('an alarm that comes before the trouble was noticed is a catch, and no false alarm', () => {
    const { told, startedAt } = worked((one) =>
      one.tell({ type: 'signal_raised', attempt: 1, signal: loop(one.now + 1_000) }),
    );
    const change = { added: [loop(startedAt + 8 * MINUTE)], dropped: () => false };
    expect(replayMeaning(told.replay({}, new Map([[1, change]])), told.state, NOBODY)).toMatchObject({
      verdict: 'caught_earlier',
      why: expect.stringMatching(/^looping was noticed 2 min(?: \d+ s)? later$/),
      proposed: { falseAlarms: 0 },
    });
  });

  it('a stop that a person called false is a cost of today, spared by limits that do not stop there', () => {
    const { told } = worked((one) => {
      one.tell({ type: 'signal_raised', attempt: 1, signal: loop(one.now + 1_000) });
      one.ended({ endedBy: 'mayday', signal: 'SIGTERM', exitCode: null });
      one.started();
    });
    const [incident] = told.state.incidents;
    const replayed = told.replay({}, new Map([[1, { added: [], dropped: () => true }]]));
    expect(replayMeaning(replayed, told.state, NOBODY).verdict).toBe('missed');
    const meaning = replayMeaning(replayed, told.state, new Set([incident?.id ?? '']));
    expect(meaning).toMatchObject({
      verdict: 'false_alarm_spared',
      now: { falseAlarms: 1, attempts: 1, questions: 0 },
      proposed: { falseAlarms: 0, minutes: 0, attempts: 0 },
    });
    expect(meaning.now.minutes).toBeGreaterThanOrEqual(4);
  });
});
