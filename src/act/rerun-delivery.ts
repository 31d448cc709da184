/**
 * `rerunDelivery`: checks a delivered commit from outside. It clones the commit into a fresh folder with a fresh home, compares it with
 * the judged tree and runs the checks there again. Of the files that the run left behind it uses only the judged tree.
 */
import { temporaryFolder } from '../platform/storage-error.ts';
import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { matchesAny } from '../core/text/glob.ts';
import type { CheckResult } from '../core/vocabulary/work.ts';
import { closedGit, expectGit, lineOf, withStandIn } from '../platform/git/git.ts';
import { locateRepository } from '../platform/git/locate-repository.ts';
import { rawToText, rawUnder, splitNul } from '../platform/git/raw-path.ts';
import { commandFolder, removeCommandFolder } from '../platform/process/command-folder.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';
import type { GitResult } from '../platform/git/start-git.ts';
import { checkEnvironment } from './checks/check-environment.ts';
import { conversionSettings, filterCover } from './workspace/person-settings.ts';
import { type Equipment, equipTree } from './project/equip-tree.ts';
import { treeChanges } from './checkpoint/tree-changes.ts';
import { folderTree } from './checkpoint/tree-entries.ts';
import { folderOf, hashedTree } from './workspace/published-commits.ts';
import { isInSubmodule, submodulesIn } from './workspace/submodules.ts';
import type { Workspace } from './workspace/workspace.ts';

export interface RerunSpec extends Omit<Equipment, 'env'> {
  readonly home: string;
  readonly repository: string;
  readonly commit: string;
  readonly baseCommit: string;
  /** Shadow trees: `baseTree` before the work, `tree` as it was judged. */
  readonly baseTree: string;
  readonly tree: string;
  /** Where the judged tree is kept; null: it is no longer kept. */
  readonly workspace: Workspace | null;
  /** Globs of the files that the task was allowed to change. */
  readonly scope: readonly string[];
  readonly commands: readonly string[];
  readonly folder: string;
  /** Variables that the task names. */
  readonly environment: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

export type RerunCheck = Pick<CheckResult, 'command' | 'exitCode' | 'passed' | 'outputTail'>;

export interface Rerun {
  readonly checks: readonly RerunCheck[];
  /** Differences between the commit and the record. */
  readonly problems: readonly string[];
  /** What could not be compared. */
  readonly remarks: readonly string[];
}

type Git = (...args: string[]) => Promise<GitResult>;

const TAIL_CHARACTERS = 2_000;
const SHOWN = 5;

export async function rerunDelivery(spec: RerunSpec): Promise<Rerun> {
  const folder = temporaryFolder('mayday-rerun-');
  // Other agents can write the temporary folder: the git directory is there only once Mayday's own git is done with it.
  const own = await commandFolder(spec.home, null);
  try {
    const clone = join(folder, 'clone');
    await mkdir(clone);
    const gitDir = join(own, 'git');
    const git = gitIn(clone, gitDir, spec);
    const missing = await fetchCommit(git, spec);
    if (missing !== null) return { checks: [], problems: [missing], remarks: [] };
    const work = await judgedWork(git, spec);
    const problems = [...work.problems];
    const remarks: string[] = [];
    if (spec.workspace === null)
      remarks.push('the judged tree is no longer kept: its content was not compared');
    else problems.push(...(await compareContent(git, { clone, gitDir }, spec, spec.workspace, work.commit)));
    expectGit(
      await git('checkout', '--quiet', '--force', '--detach', spec.commit),
      'checking out the delivery',
    );
    await cp(gitDir, join(clone, '.git'), { recursive: true });
    const checks = await runAgain(folder, clone, spec);
    if (spec.workspace !== null)
      problems.push(...(await compareSubmodules(git, clone, spec, spec.workspace, work.commit)));
    return { checks, problems, remarks };
  } finally {
    await removeCommandFolder(own);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Git with no configuration but the conversions that were recorded before the agent started. A fetch hashes every object again. */
function gitIn(cwd: string, gitDir: string, { workspace, home, env, signal }: RerunSpec): Git {
  const settings = workspace === null ? [] : conversionSettings(workspace);
  const { cover } = filterCover(settings, { home, runId: workspace?.runId ?? '', show: [gitDir] });
  const gitEnv = { GIT_DIR: gitDir, GIT_WORK_TREE: cwd, GIT_NO_REPLACE_OBJECTS: '1' };
  return async (...args) => {
    const covered = args[0] === 'checkout' ? cover : undefined;
    return await closedGit({ args, cwd, env, gitEnv, cover: covered, signal }, settings);
  };
}

async function fetchCommit(git: Git, { repository, commit, home, env }: RerunSpec): Promise<string | null> {
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const init = await git('init', '--quiet', '--template=', `--object-format=${format}`);
  expectGit(init, 'making a clean clone');
  // The other end of a fetch reads the configuration of its repository.
  const got = await withStandIn({ home, env }, locateRepository(repository), (standIn) =>
    git('fetch', '--quiet', '--no-tags', '--no-auto-gc', standIn, commit),
  );
  return got.exitCode === 0
    ? null
    : `the delivered commit ${commit} cannot be fetched: ${got.stderr.trim().slice(0, 300)}`;
}

/** Finds the commit with the judged work: the delivered commit, or the one that it merged. A merge must add nothing of its own. */
async function judgedWork(
  git: Git,
  { commit, baseCommit }: RerunSpec,
): Promise<{ readonly commit: string; readonly problems: readonly string[] }> {
  const [, ...parents] = lineOf(await git('rev-list', '--parents', '--max-count=1', commit)).split(' ');
  const [first = '', merged] = parents;
  const work = merged ?? commit;
  const stands = (await git('merge-base', '--is-ancestor', baseCommit, work)).exitCode === 0;
  const problems = stands ? [] : [`the delivered commit does not stand on the base ${baseCommit}`];
  if (merged === undefined || !stands) return { commit: work, problems };
  const clean = lineOf(await git('merge-tree', '--write-tree', first, merged));
  const tree = lineOf(await git('rev-parse', `${commit}^{tree}`));
  return clean === tree
    ? { commit: work, problems }
    : { commit: work, problems: ['the merge holds what neither side brought'] };
}

async function compareContent(
  git: Git,
  { clone, gitDir }: { readonly clone: string; readonly gitDir: string },
  spec: RerunSpec,
  { shadow }: Workspace,
  work: string,
): Promise<string[]> {
  const { baseTree, tree, baseCommit, scope, signal } = spec;
  if ((await shadowGit(shadow, ['cat-file', '-e', `${tree}^{tree}`], { signal })).exitCode !== 0)
    return [`the judged tree ${tree} is not kept: nothing shows that it was judged`];
  const all = await treeChanges(shadow, baseTree, tree, signal);
  const moved = await movedSubmodules(git, spec, shadow, work);
  const judged = all.filter(({ rawPath }) => !isInSubmodule(rawPath, moved));
  const inMoved = all.map(({ rawPath }) => rawPath).filter((path) => isInSubmodule(path, moved));
  const names = new Set(judged.map(({ rawPath }) => rawPath));
  const delivered = splitNul(
    (await git('diff-tree', '-r', '-z', '--no-renames', '--name-only', baseCommit, work)).stdout,
  ).filter((path) => !moved.includes(path));
  expectGit(await git('checkout', '--quiet', '--force', '--detach', work), 'checking out the delivery');
  const indexFile = join(gitDir, 'judged-index');
  const call = { workTree: clone, indexFile, signal };
  expectGit(await shadowGit(shadow, ['read-tree', tree], call), 'reading the judged tree');
  await shadowGit(shadow, ['update-index', '-q', '--refresh'], call);
  const differs = splitNul((await shadowGit(shadow, ['diff-files', '-z', '--name-only'], call)).stdout);
  const kept: string[] = [];
  for (const { type, rawPath } of judged)
    if (type === 'deleted' && (await lstat(rawUnder(clone, rawPath)).catch(() => null)) !== null)
      kept.push(rawPath);
  const told = (what: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`${what}: ${paths.slice(0, SHOWN).map(rawToText).join(', ')}`];
  return [
    ...told(
      'delivered and never judged',
      delivered.filter((path) => !names.has(path)),
    ),
    ...told('delivered otherwise than it was judged', [
      ...differs.filter((path) => names.has(path)),
      ...kept,
    ]),
    ...told(
      'outside the scope on record',
      [...delivered, ...inMoved].filter((path) => !matchesAny(rawToText(path), scope)),
    ),
  ];
}

/** Submodules of the commit in which something was judged. */
async function movedSubmodules(
  git: Git,
  { baseTree, tree, signal }: RerunSpec,
  shadow: string,
  work: string,
) {
  const changes = await treeChanges(shadow, baseTree, tree, signal);
  const modules = submodulesIn((await git('ls-tree', '-r', '-z', work)).stdout);
  return modules.filter((module) => changes.some(({ rawPath }) => isInSubmodule(rawPath, [module])));
}

/** Once the set-up has filled them: a commit in any repository counts by its hash. */
async function compareSubmodules(
  git: Git,
  clone: string,
  spec: RerunSpec,
  { shadow }: Workspace,
  work: string,
): Promise<string[]> {
  const { repository, tree, signal } = spec;
  const problems: string[] = [];
  for (const module of await movedSubmodules(git, spec, shadow, work)) {
    const name = rawToText(module);
    const commit = lineOf(await git('rev-parse', `${work}:${name}`));
    const judged = await folderTree(shadow, tree, module, signal);
    const found = [clone, repository].map((at) => hashedTree(folderOf(at, module), commit, signal));
    if (judged === null || !(await Promise.all(found)).includes(judged))
      problems.push(`${name}: its commit ${commit} is not what was judged, or in no checkout of it`);
  }
  return problems;
}

async function runAgain(folder: string, clone: string, spec: RerunSpec): Promise<RerunCheck[]> {
  if (spec.commands.length === 0) return [];
  const [own, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [own, temporary]) await mkdir(path, { mode: 0o700 });
  const named = checkEnvironment(spec.env, spec.environment, [spec.home]);
  const given = Object.entries(named).filter(([name]) => !name.startsWith('XDG_'));
  const env = { ...Object.fromEntries(given), HOME: own, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const { repository: from, signal } = spec;
  const hidden = spec.hidden && { ...spec.hidden, owns: [folder], ownTemporary: [folder, from] };
  await equipTree({ ...spec, from, to: clone, isGit: true, env, hidden });
  const checks: RerunCheck[] = [];
  for (const command of spec.commands) {
    const { exitCode, timedOut, output } = await runCommand({
      argv: ['sh', '-c', command],
      cwd: join(clone, spec.folder),
      env,
      timeoutMs: spec.timeoutMs,
      hidden,
      signal,
    });
    const outputTail = output.slice(-TAIL_CHARACTERS);
    const passed = exitCode === 0 && !timedOut;
    checks.push({ command, exitCode: timedOut ? null : exitCode, passed, outputTail });
  }
  return checks;
}
