/**
 * `withScratchRepository`, `conversionSettings`: make commits and merges in a temporary git directory that shares the person's objects.
 * It uses the settings that were recorded before the agent started, and reads nothing of the repository's present configuration
 * (filters, merge drivers, hooks).
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { expectGit, type GitResult, runGit, settingsEnvironment } from '../../platform/git/git.ts';
import { makeGitFolder } from '../../platform/git/make-git-folder.ts';
import { shadowEnvironment } from '../../platform/git/shadow-git.ts';
import { runStatePath } from '../workspace/home-layout.ts';
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

/** The person's own conversions, as pairs that override every configuration file. */
export function conversionSettings({ conversion }: Workspace): (readonly [key: string, value: string])[] {
  return conversion.map((entry) => {
    const at = entry.indexOf('\n');
    return at === -1 ? ([entry, 'true'] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
  });
}

function open(folder: string, spec: ScratchSpec): ScratchRepository {
  const { workspace, signal } = spec;
  const gitDir = join(folder, 'git');
  const files = join(folder, 'files');
  mkdirSync(files);
  const objects = join(workspace.commonDir as string, 'objects');
  makeGitFolder(gitDir, { objects, head: workspace.baseCommit as string });
  const { name, email } = workspace.author ?? { name: 'Mayday', email: 'mayday@localhost' };
  const date = `${Math.floor(spec.at / 1000)} +0000`;
  const env = {
    ...shadowEnvironment(),
    // Filters are the person's programs and may need the person's home.
    HOME: process.env['HOME'] ?? '/nonexistent',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: files,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
    ...settingsEnvironment([
      ...conversionSettings(workspace),
      ['core.hooksPath', '/dev/null'],
      ['core.fsmonitor', 'false'],
      // A delivery must not fail because of a warning about line endings.
      ['core.safecrlf', 'false'],
      // Not the index, which is thrown away.
      ['core.fsync', 'loose-object,pack,pack-metadata,reference'],
      ['core.fsyncMethod', 'batch'],
    ]),
  };
  const tryGit: ScratchRepository['tryGit'] = async (args, call = {}) =>
    await runGit({ args, cwd: files, env, ...call, signal });
  return {
    files,
    folder,
    tryGit,
    git: async (args, call) =>
      expectGit(await tryGit(args, call), `writing the delivery (git ${String(args[0])})`),
  };
}
