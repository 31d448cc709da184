/**
 * `fallbackFor`, `nextFallback`, `keepsItsAgent`: decide when the next fallback agent takes over: after the rungs of the present agent,
 * and before the restart budget is spent.
 */
import type { AgentChoice } from '../../vocabulary/events/event.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';
import type { Incident, RunState } from '../../state/run-state.ts';
import { restartsLeft } from './breakers.ts';
import type { Rung } from './ladder.ts';

/** The agent that may take over this incident, or undefined. An empty `ladder` means that only a person can decide. */
export function fallbackFor(
  state: RunState,
  { class: incidentClass }: Incident,
  ladder: readonly Rung[],
): AgentChoice | undefined {
  const may =
    incidentClass === 'model_refusal'
      ? state.policy.refusal_fallback > 0
      : ladder.length > 0 && ruleOf(incidentClass).meetsEveryAgent !== true;
  return may ? nextFallback(state) : undefined;
}

export function nextFallback(state: RunState): AgentChoice | undefined {
  return unusedFallbacks(state)[0];
}

/**
 * True: the present agent may use one more restart. One restart is reserved for every fallback that has not worked yet. The first retry
 * still belongs to the present agent as long as one restart is left for a fallback, because most crashes do not happen twice.
 */
export function keepsItsAgent(state: RunState, tried: number, at: number): boolean {
  const left = restartsLeft(state, at);
  return left > unusedFallbacks(state).length || (tried === 0 && left > 1);
}

function unusedFallbacks(state: RunState): readonly AgentChoice[] {
  const used = new Set(state.attempts.map(({ agent }) => agent.name));
  return state.options.fallbacks.filter(({ name }) => !used.has(name));
}
