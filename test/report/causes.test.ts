/** When the kind of a cause is told as assumed. */
import { expect, it } from 'vitest';
import { isAssumed } from '../../src/report/causes.ts';

const maybe = (state: 'open' | 'confirmed') => ({
  cause: 'it misses a fact',
  test: 'tell it',
  state,
  evidence: [],
});

it('a kind that conduct alone speaks for is assumed until each explanation was tested', () => {
  expect(isAssumed({ class: 'looping', hypotheses: [maybe('confirmed'), maybe('open')] })).toBe(true);
  expect(isAssumed({ class: 'looping', hypotheses: [maybe('confirmed')] })).toBe(false);
});

it('a kind that the output itself proves is not', () => {
  expect(isAssumed({ class: 'auth_failure', hypotheses: [maybe('open')] })).toBe(false);
});
