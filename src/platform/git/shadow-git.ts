/**
 * `ensureShadow`, `shadowGit`: make a shadow repository and run git on it. It is Mayday's own git directory outside every workspace, with
 * its own copy of every object, so that checkpoints outlive the repository they were taken from. Git reads only Mayday's configuration
 * there, no hook, filter, monitor or attribute of the workspace has an effect, and file contents are stored byte for byte.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLOSED, NO_HOME } from './closed-environment.ts';
import { expectGit } from './git.ts';
import { type GitResult, runGit } from './start-git.ts';

export interface ShadowCall {
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The author of all checkpoints. Because the date is fixed, equal checkpoints are equal commits. */
const FIXED_IDENTITY = {
  GIT_AUTHOR_NAME: 'Mayday',
  GIT_AUTHOR_EMAIL: 'mayday@localhost',
  GIT_AUTHOR_DATE: '946684800 +0000',
  GIT_COMMITTER_NAME: 'Mayday',
  GIT_COMMITTER_EMAIL: 'mayday@localhost',
  GIT_COMMITTER_DATE: '946684800 +0000',
};

/** Overrides every .gitattributes of the workspace: no conversion, no filter, no encoding. */
const ATTRIBUTES = '* -text !eol -ident !filter !working-tree-encoding !diff !merge\n';

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	symlinks = true
	ignorecase = false
	precomposeunicode = false
	protectNTFS = false
	protectHFS = false
	hooksPath = /dev/null
	fsmonitor = false
	untrackedCache = false
	logAllRefUpdates = false
	autocrlf = false
	looseCompression = 1
	bigFileThreshold = 64m
	fsync = loose-object,pack,pack-metadata,reference
	fsyncMethod = batch
[pack]
	compression = 1
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
[advice]
	addEmbeddedRepo = false
`;

export function shadowEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    ...CLOSED,
    ...NO_HOME,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    ...FIXED_IDENTITY,
  };
}

/** Makes the shadow repository if it does not exist. Two processes may do it at once. */
export async function ensureShadow(gitDir: string, signal?: AbortSignal): Promise<void> {
  if (existsSync(join(gitDir, 'HEAD'))) return;
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 });
  const fresh = `${gitDir}.new-${randomUUID()}`;
  try {
    await mkdir(fresh, { mode: 0o700 });
    const init = await runGit({
      args: ['init', '--quiet', '--bare', '--template=', fresh],
      cwd: dirname(gitDir),
      env: shadowEnvironment(),
      signal,
    });
    expectGit(init, 'making the shadow repository');
    await mkdir(join(fresh, 'info'), { recursive: true });
    await writeFile(join(fresh, 'info/attributes'), ATTRIBUTES);
    await writeFile(join(fresh, 'config'), CONFIG);
    await rename(fresh, gitDir).catch(async (error: unknown) => {
      // Another process made it first: that repository is used.
      if (!existsSync(join(gitDir, 'HEAD'))) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

export async function shadowGit(
  gitDir: string,
  args: readonly string[],
  call: ShadowCall = {},
): Promise<GitResult> {
  return await runGit({
    args: [...(call.config ?? []).flatMap((setting) => ['-c', setting]), ...args],
    cwd: call.workTree ?? gitDir,
    env: {
      ...shadowEnvironment(),
      GIT_DIR: gitDir,
      ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
      ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
      ...call.env,
    },
    ...(call.input === undefined ? {} : { input: call.input }),
    ownIndex: call.indexFile,
    signal: call.signal,
  });
}
