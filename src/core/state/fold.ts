/** `fold`: the state of a run, which is the fold of its events and nothing else. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { createState } from './create-state.ts';
import { evolve } from './evolve.ts';
import type { RunState } from './run-state.ts';

export function fold(runId: string, events: Iterable<RunEvent>): RunState | null {
  let state: RunState | null = null;
  for (const event of events) {
    if (state !== null) state = evolve(state, event);
    else if (event.type === 'run_created') state = createState(runId, event);
  }
  return state;
}
