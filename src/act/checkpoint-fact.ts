/** A checkpoint as the journal keeps it. */
import type { CheckpointFact } from '../core/event.ts';
import type { Checkpoint } from './workspace/checkpoint.ts';

/** More names than this are in the checkpoint itself. */
const MAX_MISSING = 50;

export function checkpointFact({ number, state, tree, commit, missing, reason }: Checkpoint): CheckpointFact {
  return { number, state, tree, commit, missing: missing.slice(0, MAX_MISSING), reason };
}
