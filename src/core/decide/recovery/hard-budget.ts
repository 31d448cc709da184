/** `spentBudget`, `stopIfSpent`, `setBudgetTimer`: the hard budget: tokens, money, turns, time. It comes before every other limit. */
import { openIncident, type Incident, type RunState } from '../../state/run-state.ts';
import { totalUsage } from '../../state/usage.ts';
import { workedMs, workingTimeLeft } from '../../state/working-time.ts';
import { minutes } from '../../text/minutes.ts';
import { closeIncident, incidentFor, observed } from './incident.ts';
import { stopFor } from '../stop-attempt.ts';
import type { Turn } from '../turn.ts';

export function spentBudget(state: RunState, at: number): string | null {
  const { budget } = state;
  const used = totalUsage(state);
  const over = [
    budget.tokens !== null && used.tokens > budget.tokens
      ? `${used.tokens} of ${budget.tokens} tokens`
      : null,
    budget.usd !== null && used.costUsd > budget.usd ? `$${used.costUsd.toFixed(2)} of $${budget.usd}` : null,
    budget.turns !== null && used.turns > budget.turns ? `${used.turns} of ${budget.turns} turns` : null,
    budget.wallClockMs !== null && workingTimeLeft(state, at) === 0
      ? `${minutes(workedMs(state, at))} of ${minutes(budget.wallClockMs)} of working time`
      : null,
  ].filter((text) => text !== null);
  return over.length === 0 ? null : `${over.join(', ')} used`;
}

export function stopIfSpent(turn: Turn): void {
  const { life } = turn.state;
  if (life.type !== 'working') return;
  const reason = spentBudget(turn.state, turn.at);
  if (reason === null) return;
  budgetIncident(turn, life.attempt, reason);
  stopFor(turn, life.attempt, `budget: ${reason}`, { class: 'budget_exhausted', reason });
}

/** If the failed attempt used up the budget, no recovery may be tried: the run's incident is now the spent budget. */
export function spentInstead(turn: Turn, incident: Incident): Incident {
  const reason = spentBudget(turn.state, turn.at);
  if (reason === null || incident.class === 'budget_exhausted') return incident;
  const open = openIncident(turn.state);
  if (open !== undefined)
    closeIncident(turn, open, 're-escalated', `no budget is left to try again: ${reason}`);
  return budgetIncident(turn, turn.state.attempts.length, reason);
}

/** Sets the timer for the end of the working time. Called at every start and after every sleep of the machine. */
export function setBudgetTimer(turn: Turn): void {
  const left = workingTimeLeft(turn.state, turn.at);
  if (left !== null) turn.timer(BUDGET_TIMER, turn.at + left);
}

export const BUDGET_TIMER = 'budget';

/** The timer was set with what was known then; what is really used decides. */
export function budgetTimerFired(turn: Turn): void {
  if (spentBudget(turn.state, turn.at) === null) setBudgetTimer(turn);
  else stopIfSpent(turn);
}

function budgetIncident(turn: Turn, attempt: number, reason: string): Incident {
  const incident = incidentFor(turn, 'budget_exhausted', attempt, turn.at);
  return observed(turn, incident, 'budget_exhausted', reason, []);
}
