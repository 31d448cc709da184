/**
 * `listCheckpoints`, `exportSession`: list the checkpoints of a run, oldest first, and export the agent's session of one. Number 0 is
 * the base.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expectGit } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { type Checkpoint, checkpointNumbers, readCheckpoint } from './checkpoint.ts';
import { extrasCommit } from './verify-checkpoint.ts';
import { openWorkspace } from '../workspace/workspace.ts';

export async function listCheckpoints(key: {
  readonly home: string;
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<Checkpoint[]> {
  const { shadow } = await openWorkspace(key);
  const checkpoints: Checkpoint[] = [];
  for (const number of await checkpointNumbers(shadow, key.runId)) {
    const checkpoint = await readCheckpoint(shadow, key.runId, number, key.signal);
    if (checkpoint !== null) checkpoints.push(checkpoint);
  }
  return checkpoints;
}

/** Writes the copies of the agent's session in a checkpoint into a folder of Mayday's own. */
export async function exportSession(spec: {
  readonly home: string;
  readonly runId: string;
  readonly number: number;
  readonly into: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<{ readonly path: string; readonly copy: string }[]> {
  const { shadow } = await openWorkspace(spec);
  const checkpoint = await readCheckpoint(shadow, spec.runId, spec.number, spec.signal);
  if (checkpoint === null)
    throw new MaydayError('CHECKPOINT_UNKNOWN', `Run ${spec.runId} has no checkpoint ${spec.number}.`, [
      ['do', `List them with \`mayday checkpoints ${spec.runId}\`.`],
    ]);
  const extras = await extrasCommit(shadow, checkpoint, spec.signal);
  if (extras === null || checkpoint.session.length === 0) return [];
  await mkdir(spec.into, { recursive: true, mode: 0o700 });
  const indexFile = join(spec.into, '.index');
  const call = { workTree: spec.into, indexFile, signal: spec.signal };
  expectGit(await shadowGit(shadow, ['read-tree', `${extras}:session`], call), 'reading the saved session');
  expectGit(
    await shadowGit(shadow, ['checkout-index', '--all', '--force'], call),
    'writing the saved session',
  );
  return checkpoint.session.map(({ path, name }) => ({ path, copy: join(spec.into, name) }));
}
