import { describe, expect, it } from 'vitest';
import { type Hold, type NewHold, placed } from '../../../src/core/vocabulary/hold.ts';

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
