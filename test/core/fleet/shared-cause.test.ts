import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import {
  fleetFreeAt,
  recoveredFrom,
  RESTART_SIGHTING,
  sharedCause,
} from '../../../src/core/fleet/shared-cause.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const seen = (runId: string, minutesAgo: number, key = 'cause:x') => ({
  runId,
  key,
  at: NOW - minutesAgo * MINUTE,
});

describe('several runs failing alike', () => {
  it('three within fifteen minutes share a cause; two, or one of them three times, do not', () => {
    const three = [seen('r1', 14), seen('r2', 5), seen('r3', 0)];
    expect(sharedCause(three, 'cause:x', NOW, DEFAULT_POLICY)).toEqual(['r1', 'r2', 'r3']);
    expect(sharedCause(three.slice(1), 'cause:x', NOW, DEFAULT_POLICY)).toBeNull();
    const same = [seen('r1', 3), seen('r1', 2), seen('r1', 1)];
    expect(sharedCause(same, 'cause:x', NOW, DEFAULT_POLICY)).toBeNull();
  });

  it('a failure of a quarter of an hour ago, or of another cause, is a coincidence', () => {
    const old = [seen('r1', 15), seen('r2', 5), seen('r3', 0)];
    expect(sharedCause(old, 'cause:x', NOW, DEFAULT_POLICY)).toBeNull();
    const other = [seen('r1', 1, 'cause:y'), seen('r2', 5), seen('r3', 0)];
    expect(sharedCause(other, 'cause:x', NOW, DEFAULT_POLICY)).toBeNull();
  });
});

describe('a run that recovered by itself', () => {
  const recovered = (runId: string, minutesAgo: number) => seen(runId, minutesAgo, recoveredFrom('cause:x'));

  it('is evidence against a shared cause: what failed before it does not count', () => {
    const killed = [seen('r1', 9), seen('r2', 8), recovered('r1', 7), recovered('r2', 6), seen('r3', 0)];
    expect(sharedCause(killed, 'cause:x', NOW, DEFAULT_POLICY)).toBeNull();
  });

  it('does not hide three that fail after it, nor one that recovered from something else', () => {
    const later = [recovered('r9', 9), seen('r1', 3), seen('r2', 2), seen('r3', 0)];
    expect(sharedCause(later, 'cause:x', NOW, DEFAULT_POLICY)).toEqual(['r1', 'r2', 'r3']);
    const other = [seen('r1', 3), seen('r2', 2), seen('r3', 1), seen('r9', 0, recoveredFrom('cause:y'))];
    expect(sharedCause(other, 'cause:x', NOW, DEFAULT_POLICY)).toEqual(['r1', 'r2', 'r3']);
  });
});

describe('the fleet’s cap on restarts', () => {
  const policy = { ...DEFAULT_POLICY, fleet_restarts: 3, fleet_window_ms: 10 * MINUTE };
  const restarts = (...minutesAgo: number[]) =>
    minutesAgo.map((ago) => seen(`r${ago}`, ago, RESTART_SIGHTING));

  it('leaves room below it, and counts nothing but restarts within the window', () => {
    expect(fleetFreeAt(restarts(1, 2), NOW, policy)).toBeNull();
    expect(fleetFreeAt([...restarts(1, 2), seen('r9', 1)], NOW, policy)).toBeNull();
    expect(fleetFreeAt(restarts(1, 2, 10), NOW, policy)).toBeNull();
  });

  it('the next place is free when the oldest that fills it leaves the window', () => {
    expect(fleetFreeAt(restarts(1, 2, 4), NOW, policy)).toBe(NOW + 6 * MINUTE);
    expect(fleetFreeAt(restarts(1, 2, 4, 9), NOW, policy)).toBe(NOW + 6 * MINUTE);
  });
});
