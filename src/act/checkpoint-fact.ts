/** A checkpoint as the journal keeps it. */
import type { CheckpointFact } from '../core/vocabulary/event.ts';
import type { Checkpoint } from './checkpoint/checkpoint.ts';

/** More names than this are in the checkpoint itself. */
const MAX_MISSING = 50;

export function checkpointFact({ number, state, tree, commit, missing, reason }: Checkpoint): CheckpointFact {
  const listed = missing.slice(0, MAX_MISSING).map(({ path, why, beside }) => ({
    path,
    why,
    ...(beside === true ? { beside } : {}),
  }));
  const more = missing.slice(MAX_MISSING).filter(({ beside }) => beside !== true).length;
  return { number, state, tree, commit, missing: listed, ...(more > 0 ? { moreMissing: more } : {}), reason };
}
