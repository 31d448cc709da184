/** What stands where the person is: a repository Mayday can work on, a plain folder, or a place it must refuse. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { guardedGit, lineOf } from '../../platform/git.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { rawToText, splitNul } from '../../platform/raw-path.ts';
import { homeInside } from './home-outside.ts';
import { localFilterGuards } from './local-filter-guards.ts';

export interface RepositoryFacts {
  readonly kind: 'git' | 'none';
  /** Top of the checkout, or the folder itself. */
  readonly root: string;
  /** Where the person stands below the root; empty at the top. */
  readonly prefix: string;
  readonly commonDir: string | null;
  readonly head: string | null;
  readonly branch: string | null;
  /** Changed and untracked paths (the first thousand). */
  readonly dirty: readonly string[];
  readonly problems: readonly RepositoryProblem[];
}

/** Worth saying, no reason to refuse. */
export interface RepositoryProblem {
  readonly code: 'submodules' | 'shallow' | 'operation_in_progress' | 'sparse_checkout';
  readonly text: string;
}

const MAX_DIRTY = 1_000;

export async function inspectRepository(
  cwd: string,
  options: { readonly home: string; readonly env?: NodeJS.ProcessEnv; readonly signal?: AbortSignal },
): Promise<RepositoryFacts> {
  const env = options.env ?? process.env;
  const folder = await refuseUnsafeFolder(resolve(cwd), options.home, env);
  const ask = async (...args: string[]) =>
    await guardedGit({ args, cwd: folder, env, signal: options.signal });
  const found = await ask('rev-parse', '--is-bare-repository', '--is-inside-git-dir', '--git-common-dir');
  if (found.exitCode !== 0) {
    if (/not a git repository/i.test(found.stderr)) return plainFolder(folder);
    throw usageError('REPOSITORY_UNREADABLE', `git cannot read the repository at ${folder}.`, [
      ['git says', found.stderr.trim().slice(0, 500)],
      ['Try', 'Run `git status` here and follow its advice.'],
    ]);
  }
  const [bare, insideGitDir, commonDir] = lineOf(found).split('\n');
  if (bare === 'true' || insideGitDir === 'true')
    throw usageError(
      'REPOSITORY_IS_BARE',
      `${folder} is a bare repository or a git directory, without files.`,
      [['Try', 'Go to a checkout of it (`git worktree add ../work`) and run Mayday there.']],
    );
  const root = lineOf(await ask('rev-parse', '--show-toplevel'));
  await refuseUnsafeFolder(root, options.home, env);
  const head = await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (head.exitCode !== 0)
    throw usageError('REPOSITORY_HAS_NO_COMMITS', `The repository at ${root} has no commits yet.`, [
      ['Why', 'A run needs a base to work from and to compare with.'],
      ['Try', '`git add -A && git commit -m "start"`, then run Mayday again.'],
    ]);
  const branch = await ask('symbolic-ref', '--quiet', '--short', 'HEAD');
  const common = await realpath(resolve(folder, commonDir ?? '.git'));
  return {
    kind: 'git',
    root,
    prefix: lineOf(await ask('rev-parse', '--show-prefix')).replace(/\/$/, ''),
    commonDir: common,
    head: lineOf(head),
    branch: branch.exitCode === 0 ? lineOf(branch) : null,
    dirty: await withoutHome(root, options.home, await dirtyPaths(root, env, options.signal)),
    problems: await findProblems(root, common, ask),
  };
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

async function refuseUnsafeFolder(folder: string, home: string, env: NodeJS.ProcessEnv): Promise<string> {
  const facts = await lstat(folder).catch(() => null);
  if (facts === null && folder.includes('\uFFFD'))
    throw usageError('WORKSPACE_NAME_NOT_UTF8', `The path ${folder} is not valid UTF-8.`, [
      ['Why', 'Its bytes cannot be named to git and to agents without guessing.'],
      ['Try', 'Rename the folder, or bind-mount it under a plain name.'],
    ]);
  if (facts === null)
    throw usageError('WORKSPACE_MISSING', `${folder} does not exist.`, [['Try', 'Check the path.']]);
  if (facts.isSymbolicLink())
    throw usageError('WORKSPACE_IS_SYMLINK', `${folder} is a symbolic link.`, [
      ['Why', 'A link can be pointed elsewhere while a run works behind it.'],
      ['Try', `Go to the real folder: cd ${JSON.stringify(await realpath(folder).catch(() => folder))}`],
    ]);
  if (!facts.isDirectory())
    throw usageError('WORKSPACE_NOT_A_FOLDER', `${folder} is not a folder.`, [['Try', 'Check the path.']]);
  const real = await realpath(folder);
  const maydayHome = await realpath(home).catch(() => resolve(home));
  if (real === sep)
    throw usageError('WORKSPACE_IS_ROOT', 'The workspace would be the whole file system.', [
      ['Try', 'Go to a project folder and run Mayday there.'],
    ]);
  const personHome = await realpath(env['HOME'] ?? homedir()).catch(() => null);
  if (real === personHome)
    throw usageError('WORKSPACE_IS_HOME', 'The workspace would be your whole home folder.', [
      ['Try', 'Go to a project folder; if it has no repository of its own, run `git init` there first.'],
    ]);
  if (isWithin(maydayHome, join(real, 'x')) || isWithin(real, maydayHome)) {
    if (isWithin(real, join(maydayHome, 'work')) || isWithin(real, join(maydayHome, 'check')))
      throw usageError('WORKSPACE_IS_ANOTHER_RUN', `${real} belongs to another run.`, [
        ['Try', 'Start from your own checkout; `mayday ps` lists the runs and their workspaces.'],
      ]);
    if (isWithin(real, maydayHome))
      throw usageError('WORKSPACE_IS_MAYDAY_HOME', `${real} is where Mayday keeps its own state.`, [
        ['Try', 'Go to a project folder and run Mayday there.'],
      ]);
  }
  return real;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function dirtyPaths(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const filters = await localFilterGuards(root, env, signal);
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all'];
  const status = await guardedGit({ args, cwd: root, env, signal }, filters);
  return splitNul(status.stdout)
    .slice(0, MAX_DIRTY)
    .map((entry) => rawToText(entry.slice(3)));
}

/** What Mayday itself keeps below the root is nobody's uncommitted change. */
async function withoutHome(root: string, home: string, dirty: readonly string[]): Promise<string[]> {
  const inside = await homeInside(root, home);
  return dirty.filter((path) => inside === null || !`${path}/`.startsWith(`${inside}/`));
}

async function findProblems(
  root: string,
  commonDir: string,
  ask: (...args: string[]) => Promise<{ readonly stdout: Buffer }>,
): Promise<RepositoryProblem[]> {
  const problems: RepositoryProblem[] = [];
  const gitDir = resolve(root, (await ask('rev-parse', '--git-dir')).stdout.toString('utf8').trim());
  if (await exists(join(root, '.gitmodules')))
    problems.push({
      code: 'submodules',
      text: 'The repository has submodules; they are empty in the workspace unless the setup command fills them (git submodule update --init).',
    });
  if (await exists(join(commonDir, 'shallow')))
    problems.push({
      code: 'shallow',
      text: 'The repository is shallow; history before the cut is not there.',
    });
  for (const [file, what] of OPERATIONS) {
    if (await exists(join(gitDir, file)))
      problems.push({
        code: 'operation_in_progress',
        text: `A ${what} is in progress in your checkout; the run starts from HEAD and leaves it alone.`,
      });
  }
  if (await exists(join(gitDir, 'info/sparse-checkout')))
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

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
