import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import { SEED } from '../lane.ts';
import { BROKEN_RULES, playLease, RULE } from './lease-model.ts';

const worlds = (count: number) => Array.from({ length: count }, (_, index) => SEED * 10_000 + index);
const seeds = worlds(400);
/** The rarest mistake shows in one world of 170. */
const MANY = 4_000;

describe('hosts that share a run, cut off, paused, asleep, with wrong clocks and lost answers', () => {
  it('never have two agents of it at the same time', () => {
    expect(seeds.filter((seed) => playLease(seed, RULE).twoAgents)).toEqual([]);
  });

  it('have one again within a lease and five seconds after the last fault', () => {
    const longest = DEFAULT_POLICY.lease_ms + 5_000;
    expect(seeds.filter((seed) => playLease(seed, RULE).backAfterMs > longest)).toEqual([]);
  });
});

describe('the model finds the mistake', () => {
  it.each(Object.entries(BROKEN_RULES))('%s', (_mistake, rule) => {
    expect(worlds(MANY).some((seed) => playLease(seed, rule).twoAgents)).toBe(true);
  });
});
