/**
 * `rerunDelivery`: checks a delivered commit from outside. It clones the commit into a fresh folder with a fresh home, compares it with
 * the judged tree and runs the checks there again. Of the files that the run left behind it uses only the judged tree.
 */
import { temporaryFolder } from '../platform/storage-error.ts';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { matchesAny } from '../core/text/glob.ts';
import type { CheckResult } from '../core/vocabulary/work.ts';
import { expectGit, type GitResult, lineOf, runGit, settingsEnvironment } from '../platform/git/git.ts';
import { rawToText, rawUnder, splitNul } from '../platform/git/raw-path.ts';
import { runCommand } from '../platform/process/run-command.ts';
import { shadowEnvironment, shadowGit } from '../platform/git/shadow-git.ts';
import { checkEnvironment } from './checks/check-environment.ts';
import { conversionSettings } from './deliver/scratch-repository.ts';
import { type Equipment, equipTree } from './project/equip-tree.ts';
import { treeChanges } from './checkpoint/tree-changes.ts';
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
  try {
    const clone = join(folder, 'clone');
    await mkdir(clone);
    const git = gitIn(clone, spec);
    const missing = await fetchCommit(git, spec);
    if (missing !== null) return { checks: [], problems: [missing], remarks: [] };
    const work = await judgedWork(git, spec);
    const problems = [...work.problems];
    const remarks: string[] = [];
    if (spec.workspace === null)
      remarks.push('the judged tree is no longer kept: its content was not compared');
    else problems.push(...(await compareContent(git, clone, spec, spec.workspace, work.commit)));
    expectGit(
      await git('checkout', '--quiet', '--force', '--detach', spec.commit),
      'checking out the delivery',
    );
    return { checks: await runAgain(folder, clone, spec), problems, remarks };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Git with no configuration but the conversions that were recorded before the agent started. A fetch hashes every object again. */
function gitIn(cwd: string, { workspace, signal }: RerunSpec): Git {
  const settings = workspace === null ? [] : conversionSettings(workspace);
  const env = {
    ...shadowEnvironment(),
    // Filters are the person's programs and may need the person's home.
    HOME: process.env['HOME'] ?? '/nonexistent',
    ...settingsEnvironment([...settings, ['core.hooksPath', '/dev/null'], ['advice.detachedHead', 'false']]),
  };
  return async (...args) => await runGit({ args, cwd, env, signal });
}

async function fetchCommit(git: Git, { repository, commit }: RerunSpec): Promise<string | null> {
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const init = await git('init', '--quiet', '--template=', `--object-format=${format}`, '.');
  expectGit(init, 'making a clean clone');
  const got = await git('fetch', '--quiet', '--no-tags', '--no-auto-gc', repository, commit);
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
  clone: string,
  spec: RerunSpec,
  { shadow }: Workspace,
  work: string,
): Promise<string[]> {
  const { baseTree, tree, baseCommit, scope, signal } = spec;
  if ((await shadowGit(shadow, ['cat-file', '-e', `${tree}^{tree}`], { signal })).exitCode !== 0)
    return [`the judged tree ${tree} is not kept: nothing shows that it was judged`];
  const judged = await treeChanges(shadow, baseTree, tree, signal);
  const names = new Set(judged.map(({ rawPath }) => rawPath));
  const delivered = splitNul(
    (await git('diff-tree', '-r', '-z', '--no-renames', '--name-only', baseCommit, work)).stdout,
  );
  expectGit(await git('checkout', '--quiet', '--force', '--detach', work), 'checking out the delivery');
  const indexFile = join(clone, '.git/judged-index');
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
      delivered.filter((path) => !matchesAny(rawToText(path), scope)),
    ),
  ];
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
