import { describe, expect, it } from 'vitest';
import type { AgentChoice } from '../../../src/core/vocabulary/events/event.ts';
import { runBudget } from '../../../src/supervise/request/run-budget.ts';

const NONE = { budgetUsd: null, budgetTokens: null, maxTurns: null, budgetTimeMs: null };
const agent = (name: string, adapter?: string): AgentChoice => ({
  name,
  ...(adapter === undefined ? {} : { adapter }),
  command: [],
  model: null,
});
const COMMAND = agent('command');
const CLAUDE = agent('claude');

describe('a budget that cannot be measured is refused, wherever it comes from', () => {
  it.each([
    ['a flag', { ...NONE, budgetUsd: 5 }, undefined, /--budget-usd cannot be kept: a plain command/],
    ['a task file', { ...NONE, budgetTokens: 100 }, undefined, /--budget-tokens cannot be kept/],
    ['mayday.yaml', NONE, { turns: 3 }, /budget\.turns in mayday\.yaml cannot be kept/],
  ])('%s', (_, request, configured, says) => {
    expect(() => runBudget(request, configured, [COMMAND])).toThrow(says);
  });

  it('also for a fallback that could not be held to it', () => {
    const beta = agent('beta', 'command');
    expect(() => runBudget({ ...NONE, budgetUsd: 5 }, undefined, [CLAUDE, beta])).toThrow(
      /the agent beta does not tell its cost/,
    );
  });
});

describe('a budget that can be measured is kept', () => {
  it('for agents that report it, and working time for every agent', () => {
    const request = { budgetUsd: 5, budgetTokens: 100, maxTurns: 3, budgetTimeMs: null };
    expect(runBudget(request, { time: '2h' }, [CLAUDE, agent('rehearsal')])).toEqual({
      usd: 5,
      tokens: 100,
      turns: 3,
      wallClockMs: 7_200_000,
    });
    expect(runBudget({ ...NONE, budgetTimeMs: 60_000 }, { time: '2h' }, [COMMAND]).wallClockMs).toBe(60_000);
  });

  it('and `none` lifts what the configuration says', () => {
    expect(runBudget({ ...NONE, budgetUsd: 'none' }, { usd: 5 }, [COMMAND]).usd).toBeNull();
  });
});
