/**
 * `verifyCheckpoint`, `verifyCheckpointIn`, `extrasCommit`: read every object of a checkpoint and compare its hash. Mayday deletes or
 * overwrites files only after this.
 */
import type { RunKey } from './take-base.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { readCheckpoint } from './checkpoint.ts';
import { openWorkspace } from '../workspace/workspace.ts';

export interface CheckpointKey extends RunKey {
  readonly number: number;
}

export interface Verification {
  readonly holds: boolean;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;

export async function verifyCheckpoint(key: CheckpointKey): Promise<Verification> {
  const { shadow } = await openWorkspace(key);
  return await verifyCheckpointIn(shadow, key);
}

export async function verifyCheckpointIn(
  shadow: string,
  key: Pick<CheckpointKey, 'runId' | 'number' | 'signal'>,
): Promise<Verification> {
  const checkpoint = await readCheckpoint(shadow, key.runId, key.number, key.signal);
  if (checkpoint === null) return { holds: false, problems: [`there is no checkpoint ${key.number}`] };
  if (checkpoint.state === 'failed') return { holds: false, problems: [checkpoint.problem ?? 'it failed'] };
  const extras = await extrasCommit(shadow, checkpoint, key.signal);
  const commits = extras === null ? [checkpoint.commit] : [checkpoint.commit, extras];
  const read = await shadowGit(shadow, ['rev-list', '--quiet', '--no-walk', '--verify-objects', ...commits], {
    signal: key.signal,
  });
  if (read.exitCode === 0) return { holds: true, problems: [] };
  const lines = read.stderr.split('\n').filter((line) => line.trim() !== '');
  return { holds: false, problems: lines.slice(0, MAX_PROBLEMS).map((line) => line.slice(0, 300)) };
}

/** The last parent of the checkpoint holds ignored files and session copies; null: it has none. */
export async function extrasCommit(
  shadow: string,
  checkpoint: { readonly commit: string; readonly hasExtras: boolean },
  signal?: AbortSignal,
): Promise<string | null> {
  if (!checkpoint.hasExtras) return null;
  const shown = await shadowGit(shadow, ['rev-list', '--no-walk', '--parents', checkpoint.commit], {
    signal,
  });
  return shown.stdout.toString('utf8').trim().split(' ').at(-1) ?? null;
}
