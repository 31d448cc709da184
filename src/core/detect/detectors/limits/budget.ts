/** `budget`: warns when much of tokens, money, turns or time is used, when all is, or soon will be at this pace. */
import type { Signal } from '../../../vocabulary/signal.ts';
import { type Detector, type Level, severityOf } from '../../detector.ts';
import type { BudgetFact, Tick } from '../../tick.ts';

interface BudgetState {
  readonly raised: Readonly<Record<string, Level>>;
  readonly paced: boolean;
  readonly first: Tick | null;
}

/** A pace measured over less time is not reliable. */
const PACE_WINDOW_MS = 120_000;

export const budget: Detector<BudgetState> = {
  name: 'budget',
  init: { raised: {}, paced: false, first: null },
  next: (state, { entry, step, policy }) => {
    if (entry.type !== 'tick' || entry.budgets === undefined) return [state, []];
    const signals: Signal[] = [];
    const raised: Record<string, Level> = { ...state.raised };
    let { paced } = state;
    for (const fact of entry.budgets) {
      const share = fact.limit > 0 ? fact.used / fact.limit : 0;
      const near = share >= policy.budget_warn_share;
      const level: Level = share >= 1 || (near && entry.gatesFailing === true) ? 2 : near ? 1 : 0;
      if (level > (raised[fact.name] ?? 0)) signals.push(spent(level as 1 | 2, fact, share, entry, step));
      raised[fact.name] = level;
      const pace = paceOf(fact, entry, state.first);
      if (paced || pace === null || level > 0) continue;
      const leftMs = (fact.limit - fact.used) / pace;
      const runaway =
        fact.name === 'tokens' && policy.tokens_per_minute > 0 && pace * 60_000 > policy.tokens_per_minute;
      if (!runaway && leftMs > policy.pace_horizon_ms) continue;
      paced = true;
      signals.push(hasty(fact, pace, leftMs, entry, step));
    }
    return [{ raised, paced, first: state.first ?? entry }, signals];
  },
};

/** Units per millisecond since the first tick. */
function paceOf(fact: BudgetFact, now: Tick, first: Tick | null): number | null {
  if (first === null || fact.name === 'working time') return null;
  const before = first.budgets?.find((each) => each.name === fact.name);
  const elapsed = now.at - first.at;
  if (before === undefined || elapsed < PACE_WINDOW_MS || fact.used <= before.used) return null;
  return (fact.used - before.used) / elapsed;
}

function spent(level: 1 | 2, fact: BudgetFact, share: number, tick: Tick, step: number): Signal {
  const percent = `${Math.floor(share * 100)} %`;
  const gone = share >= 1;
  const what = fact.name === 'usd' ? 'dollars' : fact.name;
  return {
    type: 'budget',
    severity: severityOf(level),
    reason: gone
      ? `budget exhausted: ${percent} of the ${what} used`
      : level === 2
        ? `budget exhaustion likely: ${percent} of the ${what} used and the gates still fail`
        : `${percent} of the ${what} used`,
    ...seenAt(fact, tick, step),
    confidence: gone ? 1 : 0.85,
    suggestedAction:
      level === 2 ? 'save the work and ask: raise, narrow or stop' : 'let the agent finish what it has begun',
    disproof: 'a raised limit, or gates that pass',
  };
}

function hasty(fact: BudgetFact, pace: number, leftMs: number, tick: Tick, step: number): Signal {
  const perMinute = Math.round(pace * 60_000 * 100) / 100;
  return {
    type: 'budget',
    severity: 'warning',
    reason: `at ${perMinute} ${fact.name} a minute the budget ends in ${Math.max(1, Math.round(leftMs / 60_000))} min`,
    ...seenAt(fact, tick, step),
    confidence: 0.6,
    suggestedAction: 'check whether what it spends on is the task',
    disproof: 'the pace falls',
  };
}

function seenAt(fact: BudgetFact, { at }: Tick, step: number) {
  return { sinceAt: at, at, ...(step >= 0 ? { atStep: step } : {}), evidence: [amounts(fact)] };
}

function amounts({ name, used, limit }: BudgetFact): string {
  if (name !== 'working time') return `${used} of ${limit} ${name}`;
  const seconds = (ms: number) => Math.round(ms / 1000);
  return `${seconds(used)} of ${seconds(limit)} s of working time`;
}
