/** `listCheckpoints`: lists the checkpoints of a run, oldest first. Number 0 is the base. */
import { type Checkpoint, checkpointNumbers, readCheckpoint } from './checkpoint.ts';
import { openWorkspace } from '../workspace/workspace.ts';

export async function listCheckpoints(key: {
  readonly home: string;
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<Checkpoint[]> {
  const { shadow } = await openWorkspace(key);
  const checkpoints: Checkpoint[] = [];
  for (const number of checkpointNumbers(shadow, key.runId)) {
    const checkpoint = await readCheckpoint(shadow, key.runId, number, key.signal);
    if (checkpoint !== null) checkpoints.push(checkpoint);
  }
  return checkpoints;
}
