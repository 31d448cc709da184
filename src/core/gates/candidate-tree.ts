/** The tree that stands for the work now: a split part of it, else what a person brought back, else the last usable checkpoint, else the untouched base. */
import type { RunState } from '../state/run-state.ts';

export function candidateTree(state: RunState): string {
  return state.delivery.split?.tree ?? savedTree(state);
}

/** All of it, also what was left out of a split. */
export function savedTree(state: RunState): string {
  return (
    state.restored ??
    state.checkpoints.findLast(({ state: kind }) => kind !== 'failed')?.tree ??
    state.workspace?.baseTree ??
    ''
  );
}
