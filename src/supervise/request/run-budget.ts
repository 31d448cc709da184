/** `runBudget`: returns the hard budget of a new run. It refuses a limit that cannot be kept because the agent does not report its use. */
import type { MeasuredBudget } from '../../agents/adapter.ts';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import { type AgentChoice, adapterName } from '../../core/vocabulary/events/event.ts';
import type { Budget } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Config } from './read-config.ts';
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

/** The option of each limit, and what an agent must tell so that it can be kept. */
const MEASURED: Readonly<Record<MeasuredBudget, { readonly option: string; readonly tells: string }>> = {
  tokens: { option: '--budget-tokens', tells: 'tokens' },
  usd: { option: '--budget-usd', tells: 'cost' },
  turns: { option: '--max-turns', tells: 'turns' },
};

/** `agents`: every agent that may work on the run, fallbacks among them. */
export function runBudget(
  request: BudgetRequest,
  configured: Config['budget'],
  agents: readonly AgentChoice[],
): Budget {
  const { usd, tokens, turns, time } = configured ?? {};
  const limits = {
    usd: given(MEASURED.usd.option, request.budgetUsd, 'usd', usd),
    tokens: given(MEASURED.tokens.option, request.budgetTokens, 'tokens', tokens),
    turns: given(MEASURED.turns.option, request.maxTurns, 'turns', turns),
  };
  const timeMs = time === undefined ? undefined : parseDuration(time, 'budget.time');
  const budget: Budget = {
    usd: amount(limits.usd),
    tokens: whole(limits.tokens),
    turns: whole(limits.turns),
    wallClockMs: amount(given('--budget-time', request.budgetTimeMs, 'time', timeMs)),
  };
  for (const name of ['tokens', 'usd', 'turns'] as const)
    if (budget[name] !== null) for (const agent of agents) assertMeasured(name, limits[name], agent);
  return budget;
}

interface GivenLimit {
  readonly value: number | null;
  /** The option, or the key of the configuration that it came from. */
  readonly from: string;
}

function given(
  option: string,
  said: Limit | undefined,
  key: string,
  configured = null as number | null,
): GivenLimit {
  if (said === 'none') return { value: null, from: option };
  const isSaid = said !== undefined && said !== null;
  return isSaid ? { value: said, from: option } : { value: configured, from: `budget.${key} in mayday.yaml` };
}

function assertMeasured(name: MeasuredBudget, { from }: GivenLimit, agent: AgentChoice): void {
  if (findAdapter(adapterName(agent))?.capabilities.measures.includes(name) === true) return;
  const { option, tells } = MEASURED[name];
  const able = AGENT_NAMES.filter(
    (one) => one !== 'rehearsal' && findAdapter(one)?.capabilities.measures.includes(name),
  );
  const who = agent.name === 'command' ? 'a plain command' : `the agent ${agent.name}`;
  throw usageError('BUDGET_NOT_MEASURED', `${from} cannot be kept: ${who} does not tell its ${tells}`, [
    ['did', 'nothing: the run was not started'],
    ['do', `hold it by --budget-time 2h, which works for every agent, or use --agent ${able.join(' or ')}`],
    ['do', `${option} none lifts a limit that stands in the task file or under budget: in mayday.yaml`],
  ]);
}

function amount({ value, from }: GivenLimit): number | null {
  if (value === null) return null;
  if (!Number.isFinite(value) || value <= 0 || value > MAX_AMOUNT)
    throw usageError('WRONG_BUDGET', `${from} must be a number above 0 and at most ${MAX_AMOUNT}`, [
      ['happened', `given: ${String(value)}`],
      ['do', 'leave it out for no limit'],
    ]);
  return value;
}

function whole(limit: GivenLimit): number | null {
  const { value, from } = limit;
  if (value !== null && Number.isFinite(value) && !Number.isInteger(value))
    throw usageError('WRONG_BUDGET', `${from} counts whole things`, [
      ['happened', `given: ${String(value)}`],
      ['do', `write ${Math.ceil(value)}`],
    ]);
  return amount(limit);
}
