/**
 * `unexplainedMoves`: finds the person's branches and tags that moved or were deleted since the agent started, without an explanation. A
 * worktree shares them, so an agent can move them. A move is explained by a checkout of the person (its log of HEAD shows the move; a
 * checkout younger than the run may be the agent's), or by the recorded delivery of another run. A move that brings in a commit of the
 * agent's worktree is never explained. A new branch is no move; a new replacement of an object is one. A deleted branch is explained where
 * another ref holds its commits. Limit: a commit that an agent makes in the person's own checkout looks like one of the person.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MovedRef } from '../../core/vocabulary/events/compose-facts.ts';
import { gitIn } from '../deliver/repository-git.ts';
import { worktreeGitDir } from '../../platform/git/worktree.ts';
import { readPersonRefs, REPLACEMENTS } from '../workspace/person-refs.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface Moves {
  /** When the run was created, milliseconds since the epoch. */
  readonly since: number;
  /** Reads the commits that other runs of this repository delivered; called only where a ref moved. */
  readonly deliveries?: (() => Promise<readonly string[]>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A move of HEAD from one commit to another. */
type Step = readonly [from: string, to: string];

const MAX_MOVES = 10;
/** A busy day writes half as many lines. The newest lines are read. */
const MAX_LOG_LINES = 2_000;
/** The log of HEAD also notes each checkout, which moves no branch. */
const CHECKOUT = /^checkout: /;

export async function unexplainedMoves(
  { refs, repository, commonDir, baseCommit, branch, path, kind }: Workspace,
  { since, deliveries, signal }: Moves,
): Promise<readonly MovedRef[]> {
  // In place, the agent may commit on the branch.
  if (refs === undefined || commonDir === null || kind !== 'worktree') return [];
  const git = async (...args: string[]) =>
    (await gitIn(commonDir, signal)(...args)).stdout.toString('utf8').trim();
  const now = await readPersonRefs(repository, true, signal);
  const replaced = Object.entries(now).filter(([name]) => name.startsWith(REPLACEMENTS) && !(name in refs));
  const moved = [
    ...Object.entries(refs),
    ...replaced.map(([name, is]) => [name, is.replace(/./g, '0')] as const),
  ]
    .filter(([name, was]) => now[name] !== was)
    .map(([name, was]): MovedRef => ({ name, was, is: now[name] ?? null }));
  if (moved.length === 0) return [];
  const steps = [...(await checkoutSteps(commonDir, since))];
  for (const commit of (await deliveries?.()) ?? []) {
    const parent = await git('rev-parse', '--verify', '--quiet', `${commit}^`);
    if (parent !== '') steps.push([parent, commit]);
  }
  const own = worktreeGitDir(commonDir, path);
  const made = new Set((own === null ? [] : await stepsIn(own)).map(([, to]) => to));
  made.delete(baseCommit as string);
  const isExplained = async ({ name, was, is }: MovedRef): Promise<boolean> => {
    if (name.startsWith(REPLACEMENTS) || (is === null && name === `refs/heads/${branch}`)) return false;
    if (is === null) return (await git('for-each-ref', '--count=1', '--contains', was)) !== '';
    if (!leads(steps, was, is)) return false;
    const brought = await git('rev-list', `--max-count=${MAX_LOG_LINES}`, is, `^${was}`);
    return !brought.split('\n').some((commit) => made.has(commit));
  };
  const unexplained: MovedRef[] = [];
  for (const move of moved) if (!(await isExplained(move))) unexplained.push(move);
  return unexplained.slice(0, MAX_MOVES);
}

function leads(steps: readonly Step[], from: string, to: string): boolean {
  const reached = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    for (const [before, after] of steps)
      if (before === at && !reached.has(after)) {
        reached.add(after);
        open.push(after);
      }
  }
  return false;
}

async function checkoutSteps(commonDir: string, since: number): Promise<readonly Step[]> {
  const linked = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  const folders = [commonDir];
  for (const name of linked) {
    const folder = join(commonDir, 'worktrees', name);
    const born = (await stat(folder).catch(() => null))?.birthtimeMs ?? 0;
    if (born > 0 && born < since) folders.push(folder);
  }
  return (await Promise.all(folders.map(stepsIn))).flat();
}

async function stepsIn(gitDir: string): Promise<readonly Step[]> {
  const log = await readFile(join(gitDir, 'logs/HEAD'), 'utf8').catch(() => '');
  return log.split('\n').filter(Boolean).slice(-MAX_LOG_LINES).flatMap(stepOf);
}

function stepOf(line: string): readonly Step[] {
  const [ids = '', said = ''] = line.split('\t');
  const [from = '', to = ''] = ids.split(' ');
  return CHECKOUT.test(said) ? [] : [[from, to]];
}
