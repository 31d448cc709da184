/**
 * `withScratchRepository`: makes commits and merges in a temporary git directory that shares the person's objects.
 * It uses the settings that were recorded before the agent started, and reads nothing of the repository's present configuration
 * (filters, merge drivers, hooks).
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { expectGit, type GitSettings, guardedGit } from '../../platform/git/git.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { homeOfShadow, runStatePath } from '../workspace/home-layout.ts';
import { conversionSettings, filterCover } from '../workspace/person-settings.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ScratchSpec {
  readonly workspace: Workspace;
  /** The date of the commits made here, milliseconds since the epoch. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ScratchRepository {
  /** The work tree of the scratch repository; empty at first. */
  readonly files: string;
  readonly folder: string;
  /** Throws when git fails. */
  readonly git: (args: readonly string[], call?: ScratchCall) => Promise<GitResult>;
  /** Returns also a failed result, for calls whose exit status is an answer. */
  readonly tryGit: (args: readonly string[], call?: ScratchCall) => Promise<GitResult>;
}

interface ScratchCall {
  readonly input?: Buffer | string;
  /** Files become objects or objects files: the person's filters run. */
  readonly converts?: true;
}

export async function withScratchRepository<T>(
  spec: ScratchSpec,
  use: (scratch: ScratchRepository) => Promise<T>,
): Promise<T> {
  const state = runStatePath(spec.workspace.shadow, spec.workspace.runId);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(state, 'deliver-'));
  try {
    return await use(open(folder, spec));
  } finally {
    await removeFolder(folder);
  }
}

function open(folder: string, spec: ScratchSpec): ScratchRepository {
  const { workspace, signal } = spec;
  const { attributes, commonDir, runId, shadow } = workspace;
  const files = join(folder, 'files');
  mkdirSync(files);
  const { name, email } = workspace.author ?? { name: 'Mayday', email: 'mayday@localhost' };
  const date = `${Math.floor(spec.at / 1000)} +0000`;
  const gitEnv = {
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_DIR: commonDir as string,
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  const settings: GitSettings = [
    ...conversionSettings(workspace),
    // A delivery must not fail because of a warning about line endings.
    ['core.safecrlf', 'false'],
    // Not the index, which is thrown away.
    ['core.fsync', 'loose-object,pack,pack-metadata,reference'],
    ['core.fsyncMethod', 'batch'],
  ];
  const home = homeOfShadow(shadow);
  const covered = filterCover(settings, { home, runId, show: [folder] });
  const call = { cwd: files, env: process.env, gitEnv, attributes, home, signal };
  const tryGit: ScratchRepository['tryGit'] = async (args, { converts, input } = {}) =>
    await guardedGit(
      { ...call, args, ...(input === undefined ? {} : { input }), ...(converts ? covered : {}) },
      settings,
    );
  return {
    files,
    folder,
    tryGit,
    git: async (args, call) =>
      expectGit(await tryGit(args, call), `writing the delivery (git ${String(args[0])})`),
  };
}
