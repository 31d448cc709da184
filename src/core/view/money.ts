/** `isCostly`, `budgetWords`, `rateWords`: when the money of a run should be looked at, and how its limit and pace are told. */
interface RunMoney {
  readonly cost_usd: number;
  readonly budget_usd: number | null;
  readonly cost_per_hour: number | null;
}

/** Of its own budget. */
const SHARE_OF_BUDGET = 0.75;
/** Without a budget: of what all runs of the day cost. */
const SHARE_OF_DAY = 0.5;
/** Half of a cheap day is no alarm. */
const CHEAP_USD = 5;

export function isCostly({ cost_usd, budget_usd }: RunMoney, todayUsd: number): boolean {
  if (budget_usd !== null) return cost_usd >= budget_usd * SHARE_OF_BUDGET;
  return cost_usd >= CHEAP_USD && cost_usd >= todayUsd * SHARE_OF_DAY;
}

export function budgetWords({ budget_usd }: RunMoney): string {
  return budget_usd === null ? '' : `of $${budget_usd}`;
}

export function rateWords({ cost_per_hour }: RunMoney): string {
  return cost_per_hour === null ? '' : `$${cost_per_hour.toFixed(cost_per_hour < 10 ? 2 : 0)} an hour`;
}
