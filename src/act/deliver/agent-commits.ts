/** `agentCommits`: reads the commits that the agent made in its worktree. Their messages and versions were not checked one by one. */
import { guardedGit } from '../../platform/git/git.ts';
import { noteIn, worktreeGitDir } from '../../platform/git/worktree.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface AgentCommits {
  /** The HEAD of the worktree; it descends from the base. */
  readonly head: string;
  /** The messages of the newest MAX_COMMITS commits, oldest first. */
  readonly messages: readonly string[];
  /** True: there are more commits than these. */
  readonly isCut: boolean;
}

/** The messages of more commits are too long for one message. */
const MAX_COMMITS = 50;

/** Null: the agent made no commits, or its HEAD does not descend from the base. */
export async function agentCommits(workspace: Workspace, signal?: AbortSignal): Promise<AgentCommits | null> {
  const { commonDir, baseCommit, kind, path } = workspace;
  if (kind !== 'worktree' || commonDir === null || baseCommit === null) return null;
  const own = worktreeGitDir(commonDir, path);
  if (own === null) return null;
  // Most agents make no commit, and then the file tells all.
  if (noteIn(own, 'HEAD') === `${baseCommit}\n`) return null;
  const git = async (args: readonly string[], input = '') =>
    await guardedGit({ args, cwd: commonDir, env: process.env, gitEnv: { GIT_DIR: own }, input, signal });
  const found = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const head = found.stdout.toString('utf8').trim();
  if (found.exitCode !== 0 || head === baseCommit) return null;
  if ((await git(['merge-base', '--is-ancestor', baseCommit, head])).exitCode !== 0) return null;
  // A commit that a branch or tag of the person held before the run is not new.
  const known = [baseCommit, ...new Set(Object.values(workspace.refs ?? {}))];
  const range = `${[head, ...known.map((hash) => `^${hash}`)].join('\n')}\n`;
  const walk = [
    'rev-list',
    '--ignore-missing',
    `--max-count=${MAX_COMMITS + 1}`,
    '--format=%B%x00',
    '--stdin',
  ];
  const listed = await git(walk, range);
  if (listed.exitCode !== 0) return null;
  const texts = listed.stdout.toString('utf8').split('\0\n');
  const messages = texts
    .map((text) => text.replace(/^commit [0-9a-f]+\n/, '').trim())
    .slice(0, texts.length - 1);
  if (messages.length === 0) return null;
  return {
    head,
    messages: messages.slice(0, MAX_COMMITS).toReversed(),
    isCut: messages.length > MAX_COMMITS,
  };
}
