/**
 * `takeBase`: takes checkpoint 0, the workspace as the agent finds it, and writes the exclude list for later checkpoints. The work is
 * what differs from checkpoint 0.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { checkpointCommit } from './checkpoint.ts';
import { checkpointRefs, runStatePath } from '../workspace/home-layout.ts';
import { INSTALLED, regenerableExcludes } from '../project/regenerable.ts';
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
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const exclude = join(state, 'exclude');
  writeFileSync(exclude, base.excludes, { mode: 0o600 });
  const tracked = base.isGit ? await ignoredButTracked(spec, base.path, exclude) : [];
  writeFileSync(exclude, `${base.excludes}\n${regenerableExcludes(tracked)}`);
  if (checkpointCommit(shadow, spec.runId, 0) !== null) {
    const dropped = await shadowGit(shadow, ['update-ref', '-d', `${checkpointRefs(spec.runId)}/0`]);
    expectGit(dropped, 'starting over with a half-made workspace');
    rmSync(join(state, 'index'), { force: true });
  }
  if (tracked.length > 0) await seed(spec, base, tracked);
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
async function seed(spec: RunKey, base: BaseSpec, only: readonly string[]): Promise<void> {
  await snapshotTree({
    shadow: base.shadow,
    workTree: base.path,
    indexFile: join(runStatePath(base.shadow, spec.runId), 'index'),
    excludesFile: null,
    maxFileBytes: MAX_FILE_BYTES,
    only,
    signal: spec.signal,
  });
}

/** Tracked files that a pattern ignores, and those in folders that a tool can make again: no pattern of the project outranks `-x`. */
async function ignoredButTracked({ signal }: RunKey, cwd: string, exclude: string): Promise<string[]> {
  const folders = INSTALLED.flatMap((folder) => ['-x', `${folder}/`]);
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', ...folders];
  const call = { args, cwd, env: process.env, signal };
  const listing = await guardedGit(call, [['core.excludesFile', exclude]]);
  return splitNul(expectGit(listing, 'listing tracked files').stdout);
}
