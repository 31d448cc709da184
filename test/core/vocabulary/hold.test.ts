import { describe, expect, it } from 'vitest';
import {
  changedHold,
  claimed,
  type Hold,
  type NewHold,
  placed,
  PROBE_TTL_MS,
} from '../../../src/core/vocabulary/hold.ts';

const met = (holder: string, until: number | null, at = 100): NewHold => ({
  key: 'account:claude:a',
  kind: 'limit',
  until,
  reason: 'limit',
  holder,
  at,
});
const row = (change: Partial<Hold> = {}): Hold => ({ ...placed(null, met('r1', 1_000)), ...change });

describe('placing a hold', () => {
  it('a second run that meets the same joins the hold, and the later reset counts', () => {
    expect(placed(row(), met('r2', 2_000, 150))).toMatchObject({ holder: 'r1', since: 100, until: 2_000 });
    expect(placed(row({ until: 3_000 }), met('r2', 2_000))).toMatchObject({ until: 3_000 });
  });

  it('who waits for a person waits without a time, whatever another run was told', () => {
    expect(placed(row({ until: null }), met('r2', 2_000))).toMatchObject({ until: null });
  });

  it('the probe that meets it again speaks for all from then on, and nobody probes until the new time', () => {
    const again = placed(row({ probe: 'r2', probeUntil: 9_000 }), met('r2', 5_000, 900));
    expect(again).toMatchObject({ holder: 'r2', since: 100, until: 5_000, probe: null, probeUntil: null });
  });

  it('a lifted hold is no hold: the next trouble begins a new one', () => {
    expect(placed(row({ liftedAt: 500 }), met('r2', 2_000, 600))).toMatchObject({
      holder: 'r2',
      since: 600,
      liftedAt: null,
    });
  });
});

describe('trying first', () => {
  it('nobody tries before the time has come', () => {
    expect(claimed(row(), 'r2', 999)).toBeNull();
    expect(claimed(row(), 'r2', 1_000)).toMatchObject({ probe: 'r2', probeUntil: 1_000 + PROBE_TTL_MS });
  });

  it('one run tries; a second may only when the first said nothing for too long', () => {
    const probing = claimed(row(), 'r2', 1_000) as Hold;
    expect(claimed(probing, 'r3', 1_001)).toBeNull();
    expect(claimed(probing, 'r2', 1_001)).toBe(probing);
    expect(claimed(probing, 'r3', 1_000 + PROBE_TTL_MS)).toMatchObject({ probe: 'r3' });
  });

  it('a question’s hold is tried by its asker alone, once it is answered', () => {
    const asked = row({ until: null });
    expect(claimed(asked, 'r2', 9_999)).toBeNull();
    expect(changedHold(asked, { type: 'open', key: asked.key, runId: 'r2', now: 50 })).toBeNull();
    const opened = changedHold(asked, { type: 'open', key: asked.key, runId: 'r1', now: 50 }) as Hold;
    expect(opened).toMatchObject({ until: 50, probe: 'r1' });
    expect(claimed(opened, 'r2', 60)).toBeNull();
  });

  it('a lifted hold is neither tried, opened nor lifted again', () => {
    const lifted = changedHold(row(), { type: 'lift', key: 'k', now: 700 }) as Hold;
    expect(lifted).toMatchObject({ liftedAt: 700, probe: null });
    for (const type of ['claim', 'open'] as const)
      expect(changedHold(lifted, { type, key: 'k', runId: 'r1', now: 2_000 })).toBeNull();
    expect(changedHold(lifted, { type: 'lift', key: 'k', now: 2_000 })).toBeNull();
  });
});
