/** The tree that stands for the work of a run now, and the checkpoint that holds all of it. */
import type { RunState } from './run-state.ts';

/** A split part of the work, else all of it. */
export function candidateTree(state: RunState): string {
  return state.delivery.split?.tree ?? savedTree(state);
}

/** All of the work, also what was left out of a split: what a person brought back, else the last checkpoint, else the untouched base. */
export function savedTree(state: RunState): string {
  return state.restored ?? lastCheckpoint(state)?.tree ?? state.workspace?.baseTree ?? '';
}

/** The last one that was saved whole or in part. */
export function lastCheckpoint<C extends { readonly state: string }>(run: {
  readonly checkpoints: readonly C[];
}): C | undefined {
  return run.checkpoints.findLast(({ state: kind }) => kind !== 'failed');
}
