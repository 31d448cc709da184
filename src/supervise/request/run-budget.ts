/** `runBudget`: returns the hard budget of a new run. It refuses a limit that cannot be kept because the agent does not report its use. */
import type { MeasuredBudget } from '../../agents/adapter.ts';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import { type AgentChoice, adapterName } from '../../core/vocabulary/events/event.ts';
import type { Budget } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Config } from './config.ts';
import { parseDuration } from './duration.ts';

const MAX_AMOUNT = 1e12;

/** `none` removes the limit of the configuration; null: no limit was given. */
export type Limit = number | 'none' | null;

export interface BudgetRequest {
  readonly budgetUsd?: Limit | undefined;
  readonly budgetTokens?: Limit | undefined;
  readonly maxTurns?: Limit | undefined;
  readonly budgetTimeMs?: Limit | undefined;
}

const FLAGS: Readonly<Record<MeasuredBudget, string>> = {
  tokens: '--budget-tokens',
  usd: '--budget-usd',
  turns: '--max-turns',
};

/** `agents`: every agent that may work on the run, fallbacks among them. */
export function runBudget(
  request: BudgetRequest,
  configured: Config['budget'],
  agents: readonly AgentChoice[],
): Budget {
  const time = configured?.time === undefined ? null : parseDuration(configured.time, 'budget.time');
  const budget: Budget = {
    usd: amount(FLAGS.usd, chosen(request.budgetUsd, configured?.usd ?? null)),
    tokens: whole(FLAGS.tokens, chosen(request.budgetTokens, configured?.tokens ?? null)),
    turns: whole(FLAGS.turns, chosen(request.maxTurns, configured?.turns ?? null)),
    wallClockMs: amount('--budget-time', chosen(request.budgetTimeMs, time)),
  };
  for (const name of ['tokens', 'usd', 'turns'] as const)
    if (budget[name] !== null) for (const agent of agents) assertMeasured(name, agent);
  return budget;
}

function chosen(said: Limit | undefined, configured: number | null): number | null {
  return said === 'none' ? null : (said ?? configured);
}

function assertMeasured(name: MeasuredBudget, agent: AgentChoice): void {
  if (findAdapter(adapterName(agent))?.capabilities.measures.includes(name) === true) return;
  const flag = FLAGS[name];
  const able = AGENT_NAMES.filter(
    (one) => one !== 'rehearsal' && findAdapter(one)?.capabilities.measures.includes(name),
  );
  const who = agent.name === 'command' ? 'a plain command' : `the agent ${agent.name}`;
  throw usageError('BUDGET_NOT_MEASURED', `${flag} cannot be kept: ${who} does not tell its ${WORDS[name]}`, [
    ['did', 'nothing: the run was not started'],
    ['do', `hold it by --budget-time 2h, which works for every agent, or use --agent ${able.join(' or ')}`],
    ['do', `${flag} none lifts a limit that stands in the task file or under budget: in mayday.yaml`],
  ]);
}

const WORDS: Readonly<Record<MeasuredBudget, string>> = {
  tokens: 'tokens',
  usd: 'cost',
  turns: 'turns',
};

function amount(what: string, value: number | null): number | null {
  if (value === null) return null;
  if (!Number.isFinite(value) || value <= 0 || value > MAX_AMOUNT)
    throw usageError('WRONG_BUDGET', `${what} must be a number above 0 and at most ${MAX_AMOUNT}`, [
      ['happened', `given: ${String(value)}`],
      ['do', 'leave it out for no limit'],
    ]);
  return value;
}

function whole(what: string, value: number | null): number | null {
  if (value !== null && Number.isFinite(value) && !Number.isInteger(value))
    throw usageError('WRONG_BUDGET', `${what} counts whole things`, [
      ['happened', `given: ${String(value)}`],
      ['do', `${what}=${Math.ceil(value)}`],
    ]);
  return amount(what, value);
}
