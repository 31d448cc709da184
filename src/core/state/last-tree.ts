/** `candidateTree`, `savedTree`, `lastCheckpoint`: the tree of a run's work now, and the checkpoint that holds all of it. */
import type { RunState } from './run-state.ts';

/** The split part of the work if there is one, otherwise all of it. */
export function candidateTree(state: RunState): string {
  return state.delivery.split?.tree ?? savedTree(state);
}

/**
 * All of the work, including what a split left out: the restored checkpoint, otherwise the last checkpoint, otherwise the untouched base.
 */
export function savedTree(state: RunState): string {
  return state.restored ?? lastCheckpoint(state)?.tree ?? state.workspace?.baseTree ?? '';
}

/** The last checkpoint that was saved completely or in part. */
export function lastCheckpoint<C extends { readonly state: string }>(run: {
  readonly checkpoints: readonly C[];
}): C | undefined {
  return run.checkpoints.findLast(({ state: kind }) => kind !== 'failed');
}
