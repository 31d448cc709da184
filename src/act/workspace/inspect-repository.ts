/**
 * `inspectRepository`: tells whether the folder of the person is a git repository or a plain folder, and refuses one that Mayday must
 * not work in.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isFolder } from '../../platform/file/file-kind.ts';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { type GitSettings, guardedGit } from '../../platform/git/git.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { homeInside } from './home-outside.ts';
import { refuseUnsafeFolder } from './refuse-unsafe-folder.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { conversionSettings, filterCover, readPersonSettings } from './person-settings.ts';

export interface RepositoryFacts {
  readonly kind: 'git' | 'none';
  /** The top of the checkout; without git, the folder itself. */
  readonly root: string;
  /** The folder of the person below the root; empty at the top. */
  readonly prefix: string;
  readonly commonDir: string | null;
  readonly head: string | null;
  readonly branch: string | null;
  /** The first thousand changed and untracked paths. */
  readonly dirty: readonly string[];
  readonly problems: readonly RepositoryProblem[];
}

/** A warning for the person; the run starts all the same. */
export interface RepositoryProblem {
  readonly code: 'submodules' | 'shallow' | 'operation_in_progress' | 'sparse_checkout';
  readonly text: string;
}

interface InspectOptions {
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** False: a repository without a commit will do. */
  readonly needsCommit?: boolean;
}

export async function inspectRepository(cwd: string, options: InspectOptions): Promise<RepositoryFacts> {
  const env = options.env ?? process.env;
  const folder = refuseUnsafeFolder(resolve(cwd), options.home, env);
  const place = locateRepository(folder);
  if (place === null) return plainFolder(folder);
  const { workTree: root, commonDir: common, gitDir } = place;
  if (root === null || (gitDir === common && isBare(common)))
    throw usageError(
      'REPOSITORY_IS_BARE',
      `${folder} is a bare repository or a git directory, without files`,
      [['do', 'go to a checkout of it (`git worktree add ../work`) and run Mayday there']],
    );
  refuseUnsafeFolder(root, options.home, env);
  const { head, branch, dirty } = await readStatus(root, common, { ...options, env });
  if (head === null && options.needsCommit !== false)
    throw usageError('REPOSITORY_HAS_NO_COMMITS', `the repository at ${root} has no commits yet`, [
      ['happened', 'a run needs a base to work from and to compare with'],
      ['do', '`git add -A && git commit -m "start"`, then run Mayday again'],
    ]);
  return {
    kind: 'git',
    root,
    prefix: relative(root, realOrSame(folder)),
    commonDir: common,
    head,
    branch,
    dirty: withoutHome(root, options.home, dirty),
    problems: findProblems(root, common, gitDir),
  };
}

/** A configuration has some lines. */
const MAX_CONFIG_BYTES = 1024 * 1024;

function isBare(commonDir: string): boolean {
  const read = readPlainFile(join(commonDir, 'config'), MAX_CONFIG_BYTES, { follow: true });
  return read.type === 'text' && /^\s*bare\s*=\s*true\s*$/im.test(read.text);
}

function plainFolder(root: string): RepositoryFacts {
  return {
    kind: 'none',
    root,
    prefix: '',
    commonDir: null,
    head: null,
    branch: null,
    dirty: [],
    problems: [],
  };
}

/** Files that Mayday keeps below the root are no uncommitted changes of the person. */
function withoutHome(root: string, home: string, dirty: readonly string[]): string[] {
  const inside = homeInside(root, home);
  return dirty.filter((path) => inside === null || !isInside(path, inside));
}

function findProblems(root: string, commonDir: string, gitDir: string): RepositoryProblem[] {
  const problems: RepositoryProblem[] = [];
  if (existsSync(join(root, '.gitmodules')))
    problems.push({
      code: 'submodules',
      text: 'The repository has submodules, and the workspace has none of their files: let setup fill them (git submodule update --init).',
    });
  if (existsSync(join(commonDir, 'shallow')))
    problems.push({
      code: 'shallow',
      text: 'The repository is shallow; history before the cut is not there.',
    });
  for (const [file, what] of OPERATIONS) {
    if (existsSync(join(gitDir, file)))
      problems.push({
        code: 'operation_in_progress',
        text: `A ${what} is in progress in your checkout; the run starts from HEAD and leaves it alone.`,
      });
  }
  if (existsSync(join(gitDir, 'info/sparse-checkout')))
    problems.push({
      code: 'sparse_checkout',
      text: 'Your checkout is sparse; the workspace may hold more files.',
    });
  return problems;
}

const OPERATIONS: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

const MAX_DIRTY = 1_000;

interface Status {
  readonly head: string | null;
  readonly branch: string | null;
  readonly dirty: string[];
}

/**
 * Reads the commit, the branch and the uncommitted changes of the person's checkout. It runs nothing that the configuration of the
 * checkout names. A filter of the person for all repositories (LFS) runs inside the cover where a file seems changed without it.
 */
async function readStatus(
  root: string,
  commonDir: string,
  { home, env, signal }: InspectOptions & { readonly env: NodeJS.ProcessEnv },
): Promise<Status> {
  const { all, conversion, attributes, excludesFile } = await readPersonSettings(
    root,
    commonDir,
    env,
    signal,
  );
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--ignore-submodules=all'];
  const settings: GitSettings = [...conversionSettings({ conversion }), ['core.excludesFile', excludesFile]];
  const call = { args, cwd: root, env, attributes, home: isFolder(home) ? home : undefined, signal };
  const status = await guardedGit(call, settings);
  if (status.exitCode !== 0)
    throw usageError('REPOSITORY_UNREADABLE', `git cannot read the repository at ${root}`, [
      ['happened', `git says: ${status.stderr.trim().slice(0, 500)}`],
      ['do', 'run `git status` here and follow its advice'],
    ]);
  const plain = statusIn(status);
  const isLocal = new Set(all.filter(({ scope }) => LOCAL.includes(scope)).map(({ key }) => key));
  const own = settings.filter(([key]) => !isLocal.has(key));
  const cover = filterCover(own, { home, runId: NO_RUN, show: [] });
  if (plain.changed === 0 || cover.cover === undefined || call.home === undefined) return plain;
  const filtered = await guardedGit({ ...call, ...cover }, own);
  return filtered.exitCode === 0 ? statusIn(filtered) : plain;
}

/** What a repository itself names is not run to look at it. */
const LOCAL = ['local', 'worktree'];
const NO_RUN = 'none';

function statusIn(status: GitResult): Status & { readonly changed: number } {
  const lines = splitNul(status.stdout);
  const told = (name: string) => {
    const text = lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(10 + name.length);
    return text === undefined || text === '(initial)' || text === '(detached)' ? null : rawToText(text);
  };
  return {
    head: told('oid'),
    branch: told('head'),
    changed: lines.filter((line) => /^[1u] /.test(line)).length,
    dirty: lines
      .filter((line) => !line.startsWith('#'))
      .slice(0, MAX_DIRTY)
      .map((line) => rawToText(pathOf(line))),
  };
}

/** The number of fields before the path, by the first letter of the line (`git status --porcelain=v2`). */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };

function pathOf(line: string): string {
  let at = 0;
  for (let field = 0; field < (FIELDS[line[0] ?? ''] ?? 1); field += 1) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
