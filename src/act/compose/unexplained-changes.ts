/**
 * `unexplainedChanges`: finds what changed in the person's repository since the run was prepared, decides what the person commits, pushes
 * or runs next, and has no explanation. Commands in a checkout of the person explain it (its log of HEAD shows them; a checkout younger
 * than the run may be the agent's), or the recorded delivery of another run. A move that brings in a commit of the agent's worktree is
 * never explained, nor is a setting. A new branch is no move. A deleted branch is explained where another ref holds its commits. Limit:
 * what an agent does with git in the person's own checkout looks like the person's doing.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryChange } from '../../core/vocabulary/events/compose-facts.ts';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { worktreeGitDir } from '../../platform/git/worktree.ts';
import { gitIn } from '../deliver/repository-git.ts';
import { changesSince, isHiding, isSetting, undoOf, wholeFolders } from '../workspace/repository-changes.ts';
import { inGitFolder } from '../workspace/repository-digest.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface Circumstances {
  /** When the run was created, milliseconds since the epoch. */
  readonly since: number;
  /** Reads the commits that other runs of this repository delivered; called only where something changed. */
  readonly deliveries?: (() => Promise<readonly string[]>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A line of a log of HEAD. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly command: string;
}

/** Of more, all are asked about, and so many are named. */
const MAX_CHANGES = 100;
/** A busy day writes half as many lines. The newest lines are read. */
const MAX_LOG_LINES = 2_000;
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** The log of HEAD also notes each checkout, which moves no branch. */
const CHECKOUT = /^checkout: /;
/** The log of HEAD shows the steps of a rebase or bisection. A merge stops at a conflict, or ends. */
const STEPWISE = /^(?:BISECT_|(?:rebase-merge|rebase-apply|sequencer)\/)/;
const UNFINISHED =
  /^(?:MERGE_HEAD$|CHERRY_PICK_HEAD$|REVERT_HEAD$|BISECT_|(?:rebase-merge|rebase-apply|sequencer)\/)/;
/** Through these git shows the person another object, or another text with it, than the one that a gate judged. */
const SHOWN_INSTEAD = /^refs\/(?:replace|notes)\//;

export async function unexplainedChanges(
  workspace: Workspace,
  { since, deliveries, signal }: Circumstances,
): Promise<readonly RepositoryChange[]> {
  const { commonDir, kind } = workspace;
  if (commonDir === null) return [];
  const changes = await changesSince(workspace, 'prepared', signal);
  const whole = wholeFolders(changes);
  const decisive = changes.filter((change) => {
    const [folder, file] = inGitFolder(change.name);
    // Git takes the folder of a new submodule as it finds it; nothing uses that of a new checkout by itself.
    if (whole.has(folder))
      return (
        change.is !== null && /^modules\/.*\/\/(?:config$|hooks\/)/.test(change.name) && isSetting(change)
      );
    // In place, the agent may commit on the branch.
    return isSetting(change) || (kind === 'worktree' && (isHiding(change) || isMove(file, change)));
  });
  if (decisive.length === 0) return [];
  const steps = await checkoutSteps(commonDir, since);
  const known = { commonDir, since, changes, steps, delivered: (await deliveries?.()) ?? [] };
  const unexplained: RepositoryChange[] = [];
  for (const change of decisive.slice(0, MAX_CHANGES))
    if (
      decisive.length > MAX_CHANGES ||
      isSetting(change) ||
      isHiding(change) ||
      !(await isExplained(workspace, known, change, signal))
    )
      unexplained.push({ ...change, ...undoOf(workspace, change) });
  return unexplained;
}

function isMove(file: string, { was }: RepositoryChange): boolean {
  if (/^refs\/(?:heads|tags)\//.test(file)) return was !== null;
  return file === 'HEAD' || UNFINISHED.test(file) || SHOWN_INSTEAD.test(file);
}

interface Known {
  readonly commonDir: string;
  readonly since: number;
  readonly changes: readonly RepositoryChange[];
  /** Of all checkouts of the person. */
  readonly steps: readonly Step[];
  readonly delivered: readonly string[];
}

async function isExplained(
  { baseCommit, branch, path }: Workspace,
  { commonDir, since, changes, steps, delivered }: Known,
  { name, was, is }: RepositoryChange,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [folder, file] = inGitFolder(name);
  const isRecent = ({ at }: Step) => at >= Math.floor(since / 1000);
  const recent = stepsIn(join(commonDir, folder)).filter(isRecent);
  if (file === 'HEAD') return recent.at(-1)?.to === is || recent.some(({ command }) => endsAt(command, is));
  if (UNFINISHED.test(file)) {
    const index = `${name.slice(0, -file.length)}index:`;
    const hasConflict = changes.some(
      (other) => other.name.startsWith(index) && other.is?.includes('conflict'),
    );
    return hasConflict || (recent.length > 0 && (is === null || STEPWISE.test(file)));
  }
  if (file.startsWith('refs/replace/')) return false;
  if (SHOWN_INSTEAD.test(file) || folder !== '') return steps.some(isRecent) || recent.length > 0;
  const git = async (...args: string[]) =>
    (await gitIn(commonDir, signal)(...args)).stdout.toString('utf8').trim();
  if (is === null)
    return (
      name !== `refs/heads/${branch}` &&
      (await git('for-each-ref', '--count=1', '--contains', `${was}`)) !== ''
    );
  if (name.startsWith('refs/heads/mayday/') && delivered.includes(is)) return true;
  const moves = steps
    .filter(({ command }) => !CHECKOUT.test(command))
    .map(({ from, to }) => [from, to] as const);
  for (const to of delivered) moves.push([await git('rev-parse', '--verify', '--quiet', `${to}^`), to]);
  if (!leads(moves, `${was}`, is)) return false;
  const own = worktreeGitDir(commonDir, path);
  const made = new Set((own === null ? [] : stepsIn(own)).map(({ to }) => to));
  made.delete(baseCommit as string);
  const brought = await git('rev-list', `--max-count=${MAX_LOG_LINES}`, is, `^${was}`);
  return !brought.split('\n').some((commit) => made.has(commit));
}

/** `checkout: moving from main to feature`, `rebase (finish): returning to refs/heads/feature`. */
function endsAt(command: string, head: string | null): boolean {
  const ref = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head ?? '')?.[1];
  return ref !== undefined && (command.endsWith(` ${ref}`) || command.endsWith(` refs/heads/${ref}`));
}

function leads(moves: readonly (readonly [from: string, to: string])[], from: string, to: string): boolean {
  const reached = new Set([from]);
  // A set also visits what is added meanwhile.
  for (const at of reached) for (const [before, after] of moves) if (before === at) reached.add(after);
  return reached.has(to);
}

async function checkoutSteps(commonDir: string, since: number): Promise<Step[]> {
  const linked = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  const folders = [commonDir];
  for (const name of linked) {
    const folder = join(commonDir, 'worktrees', name);
    const born = (await stat(folder).catch(() => null))?.birthtimeMs ?? 0;
    if (born > 0 && born < since) folders.push(folder);
  }
  return folders.flatMap(stepsIn);
}

function stepsIn(gitFolder: string): Step[] {
  const log = readPlainFile(join(gitFolder, 'logs/HEAD'), MAX_LOG_BYTES);
  const lines = log.type === 'text' ? log.text.split('\n').filter(Boolean) : [];
  return lines.slice(-MAX_LOG_LINES).map((line) => {
    const [who = '', command = ''] = line.split('\t');
    const [from = '', to = ''] = who.split(' ');
    return { from, to, at: Number(/ (\d+) [+-]\d+$/.exec(who)?.[1] ?? 0), command };
  });
}
