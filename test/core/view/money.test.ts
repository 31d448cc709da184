import { expect, it } from 'vitest';
import { budgetWords, isCostly, rateWords } from '../../../src/core/view/money.ts';

const spent = (cost_usd: number, budget_usd: number | null) => ({
  cost_usd,
  budget_usd,
  cost_per_hour: null,
});

it('money is looked at from three quarters of the budget on, and without one from half of the day on', () => {
  expect(isCostly(spent(7.4, 10), 100)).toBe(false);
  expect(isCostly(spent(7.5, 10), 100)).toBe(true);
  expect(isCostly(spent(205, null), 216)).toBe(true);
  expect(isCostly(spent(40, null), 216)).toBe(false);
  expect(isCostly(spent(0.5, null), 0.6)).toBe(false);
});

it('a run without a budget says so, and a rate is told once it is known', () => {
  expect([budgetWords(spent(1, null)), budgetWords(spent(1, 5))]).toEqual(['', 'of $5']);
  expect(rateWords({ ...spent(1, null), cost_per_hour: 2.345 })).toBe('$2.35 an hour');
  expect(rateWords({ ...spent(1, null), cost_per_hour: 12.345 })).toBe('$12 an hour');
  expect(rateWords(spent(1, null))).toBe('');
});
