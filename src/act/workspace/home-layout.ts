/**
 * `workPath`, `checkPath`, `shadowPath`, `runStatePath`, `checkpointRefs`: the paths of workspaces, check trees and shadow repositories
 * in MAYDAY_HOME. Runs of one source repository share a shadow repository.
 */
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { usageError } from '../../platform/mayday-error.ts';

/** Such an id is safe as a file name, in a ref and in a shell. It cannot name a hidden file or an option. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const KEY_HASH_LENGTH = 16;
const KEY_NAME_LENGTH = 40;

export function assertRunId(runId: string): string {
  if (RUN_ID.test(runId)) return runId;
  throw usageError('RUN_ID_INVALID', `"${runId.slice(0, 100)}" cannot be the id of a run`, [
    ['do', 'letters, digits, "-" and "_" only, at most 100, beginning with a letter or digit'],
  ]);
}

export function workPath(home: string, runId: string): string {
  return join(home, 'work', assertRunId(runId));
}

export function workspaceRecordPath(home: string, runId: string): string {
  return join(home, 'work', `${assertRunId(runId)}.json`);
}

export function checkPath(home: string, runId: string): string {
  return join(home, 'check', assertRunId(runId));
}

export function quarantinePath(home: string): string {
  return join(home, 'quarantine');
}

/** `source` is the real path of the repository's git directory; without git, of the folder. */
export function shadowPath(home: string, source: string): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, KEY_HASH_LENGTH);
  const name = basename(source.replace(/\/\.git$/, '')).replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return join(home, 'shadow', `${name.slice(0, KEY_NAME_LENGTH)}-${hash}.git`);
}

/** Mayday's own folder, in which `shadowPath` lies. */
export function homeOfShadow(shadow: string): string {
  return dirname(dirname(shadow));
}

/** A run's own index files and exclude list inside the shadow repository. */
export function runStatePath(shadow: string, runId: string): string {
  return join(shadow, 'mayday', assertRunId(runId));
}

/** The folder below `runStatePath` with copies of git configuration and hooks from before the agent started. */
export const KEPT_GIT_STATE = 'git-state';

export function checkpointRefs(runId: string): string {
  return `refs/mayday/${assertRunId(runId)}`;
}
