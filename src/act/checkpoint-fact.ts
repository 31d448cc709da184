/** `checkpointFact`: turns a checkpoint into the fact that the journal keeps. */
import type { CheckpointFact } from '../core/vocabulary/events/event.ts';
import type { Checkpoint } from './checkpoint/checkpoint.ts';

/** The journal names this many missing files; the checkpoint itself names all. */
const MAX_MISSING = 50;

export function checkpointFact({ number, state, tree, commit, missing, reason }: Checkpoint): CheckpointFact {
  const listed = missing
    .slice(0, MAX_MISSING)
    .map(({ path, why, beside }) => ({ path, why, ...(beside === true ? { beside } : {}) }));
  const more = missing.slice(MAX_MISSING).filter(({ beside }) => beside !== true).length;
  return { number, state, tree, commit, missing: listed, ...(more > 0 ? { moreMissing: more } : {}), reason };
}
