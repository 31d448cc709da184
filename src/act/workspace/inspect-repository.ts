/**
 * `inspectRepository`: tells whether the folder of the person is a git repository or a plain folder, and refuses one that Mayday must
 * not work in.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInside } from '../../platform/file/inside.ts';
import { guardedGit, lineOf, expectGit } from '../../platform/git/git.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { homeInside } from './home-outside.ts';
import { refuseUnsafeFolder } from './refuse-unsafe-folder.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { localFilterGuards, mayHaveFilters } from './local-filter-guards.ts';

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
  const ask = async (...args: string[]) =>
    await guardedGit({ args, cwd: folder, env, signal: options.signal });
  const found = await ask(
    'rev-parse',
    '--is-bare-repository',
    '--is-inside-git-dir',
    '--git-common-dir',
    '--git-dir',
    // These come last, because without a checkout git stops its answer here.
    '--show-toplevel',
    '--show-prefix',
  );
  const [bare, insideGitDir, commonDir = '.git', gitDir = '.git', root, prefix = ''] =
    lineOf(found).split('\n');
  if (bare === 'true' || insideGitDir === 'true')
    throw usageError(
      'REPOSITORY_IS_BARE',
      `${folder} is a bare repository or a git directory, without files`,
      [['do', 'go to a checkout of it (`git worktree add ../work`) and run Mayday there']],
    );
  if (found.exitCode !== 0 || root === undefined) {
    if (/not a git repository/i.test(found.stderr)) return plainFolder(folder);
    throw usageError('REPOSITORY_UNREADABLE', `git cannot read the repository at ${folder}`, [
      ['happened', `git says: ${found.stderr.trim().slice(0, 500)}`],
      ['do', 'run `git status` here and follow its advice'],
    ]);
  }
  refuseUnsafeFolder(root, options.home, env);
  const filters = mayHaveFilters(resolve(folder, commonDir))
    ? await localFilterGuards(root, env, options.signal)
    : [];
  const { head, branch, dirty } = await readStatus(root, filters, env, options.signal);
  if (head === null && options.needsCommit !== false)
    throw usageError('REPOSITORY_HAS_NO_COMMITS', `the repository at ${root} has no commits yet`, [
      ['happened', 'a run needs a base to work from and to compare with'],
      ['do', '`git add -A && git commit -m "start"`, then run Mayday again'],
    ]);
  const common = realpathSync.native(resolve(folder, commonDir));
  return {
    kind: 'git',
    root,
    prefix: prefix.replace(/\/$/, ''),
    commonDir: common,
    head,
    branch,
    dirty: withoutHome(root, options.home, dirty),
    problems: findProblems(root, common, resolve(folder, gitDir)),
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
 * Reads the commit, the branch and the uncommitted changes of the person's checkout in one call. It runs nothing that the configuration
 * of the checkout names.
 */
async function readStatus(
  root: string,
  filters: Awaited<ReturnType<typeof localFilterGuards>>,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Status> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--ignore-submodules=all'];
  const status = await guardedGit({ args, cwd: root, env, signal }, filters);
  const lines = splitNul(expectGit(status, 'looking at the checkout').stdout);
  const told = (name: string) => {
    const text = lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(10 + name.length);
    return text === undefined || text === '(initial)' || text === '(detached)' ? null : rawToText(text);
  };
  return {
    head: told('oid'),
    branch: told('head'),
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
