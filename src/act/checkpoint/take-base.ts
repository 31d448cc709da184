/**
 * `takeBase`: takes checkpoint 0, the workspace as the agent finds it, and writes the exclude list for later checkpoints. The work is
 * what differs from checkpoint 0.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { checkpointCommit } from './checkpoint.ts';
import { checkpointRefs, runStatePath } from '../workspace/home-layout.ts';
import { regenerableExcludes } from '../project/regenerable.ts';
import { snapshotTree } from './snapshot-tree.ts';
import { MAX_FILE_BYTES, takeCheckpointIn } from './take-checkpoint.ts';

export interface RunKey {
  readonly runId: string;
  readonly home: string;
  readonly signal?: AbortSignal | undefined;
}

interface BaseSpec {
  readonly shadow: string;
  readonly path: string;
  readonly excludes: string;
  readonly isGit: boolean;
}

/** Returns the tree of the checkpoint. */
export async function takeBase(spec: RunKey, base: BaseSpec): Promise<string> {
  const { shadow, path } = base;
  const state = runStatePath(shadow, spec.runId);
  await mkdir(state, { recursive: true, mode: 0o700 });
  const tracked = base.isGit ? await trackedFiles(spec, base.path, []) : [];
  const excludes = `${base.excludes}\n${regenerableExcludes(tracked)}`;
  await writeFile(join(state, 'exclude'), excludes, { mode: 0o600 });
  if ((await checkpointCommit(shadow, spec.runId, 0)) !== null) {
    const dropped = await shadowGit(shadow, ['update-ref', '-d', `${checkpointRefs(spec.runId)}/0`]);
    expectGit(dropped, 'starting over with a half-made workspace');
    await rm(join(state, 'index'), { force: true });
  }
  if (base.isGit) await seedIgnoredButTracked(spec, base, state);
  const checkpoint = await takeCheckpointIn({ shadow, path }, { ...spec, number: 0, reason: 'base' });
  if (checkpoint.state !== 'failed') return checkpoint.tree;
  throw new MaydayError(
    'CHECKPOINT_FAILED',
    `the workspace could not be saved before the start: ${checkpoint.problem}`,
    [
      ['did', 'no agent was started'],
      ['do', 'check free disk space and permissions of MAYDAY_HOME, then run again'],
    ],
  );
}

/** Puts files that git tracks although a pattern ignores them into the index: otherwise no checkpoint would hold them. */
async function seedIgnoredButTracked(spec: RunKey, base: BaseSpec, state: string): Promise<void> {
  const only = await trackedFiles(
    spec,
    base.path,
    ['--ignored', '--exclude-standard'],
    [['core.excludesFile', join(state, 'exclude')]],
  );
  if (only.length === 0) return;
  await snapshotTree({
    shadow: base.shadow,
    workTree: base.path,
    indexFile: join(state, 'index'),
    excludesFile: null,
    maxFileBytes: MAX_FILE_BYTES,
    only,
    signal: spec.signal,
  });
}

async function trackedFiles(
  spec: RunKey,
  cwd: string,
  options: readonly string[],
  settings: readonly (readonly [string, string])[] = [],
): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', ...options];
  const listing = await guardedGit({ args, cwd, env: process.env, signal: spec.signal }, settings);
  return splitNul(expectGit(listing, 'listing tracked files').stdout);
}
