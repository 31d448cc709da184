/**
 * `deliveredHistory`: decides by the configuration (`delivery:`) what becomes of the agent's own commits and of the repository's hooks.
 * By default the work is one commit that quotes the agent's messages, and hooks are not run. The person is told both. `agentCommits`: the
 * commits in the worktree of the agent. `unjudgedPath`: content in them that no gate judged.
 */
import { visibleText } from '../../core/text/visible-text.ts';
import { counted } from '../../core/text/counted.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { createRedactor, type Redactor } from '../../record/redaction/redact.ts';
import type { ActContext } from '../act.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { keptSettings } from '../workspace/kept-settings.ts';
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { noteIn, worktreeGitDir } from '../../platform/git/worktree.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { commitWork } from './commit-work.ts';
import { gitIn } from './repository-git.ts';

export interface DeliveredHistory {
  /** The agent's last commit, where its commits are kept below the delivered one; else null. */
  readonly parent: string | null;
  /** Paragraphs for the message of the delivered commit. */
  readonly words: readonly string[];
  /** Notes for the person, shown after the delivery. */
  readonly notes: readonly string[];
}

export async function deliveredHistory(
  { home, state, env, signal }: ActContext,
  {
    sink,
    salvage,
    tree,
  }: { readonly sink: RunState['sink']; readonly salvage: boolean; readonly tree: string },
): Promise<DeliveredHistory> {
  if (sink.type === 'none' || sink.type === 'directory') return { parent: null, words: [], notes: [] };
  const workspace = await openWorkspace({ home, runId: state.runId });
  const [hooks, commits] = await Promise.all([
    salvage ? [] : commitHooks(workspace, { isPushed: sink.type === 'pull_request' }, signal),
    agentCommits(workspace, signal),
  ]);
  const skipped =
    hooks.length === 0 ? [] : [`hooks of the repository that were not run: ${hooks.join(', ')}`];
  if (commits === null) return { parent: null, words: [], notes: skipped };
  const redactor = createRedactor({ environment: env });
  const count = `${counted(commits.messages.length, `${commits.isCut ? 'or more ' : ''}commit`)} of the agent`;
  const why = state.options.commits === 'keep' ? whyNotKept(state, commits, redactor, sink.type) : null;
  const unjudged =
    state.options.commits === 'keep' && why === null
      ? await unjudgedPath(workspace, { head: commits.head, tree, at: state.updatedAt, signal })
      : null;
  const refusal = unjudged === null ? why : `one of them holds ${unjudged} in a version that was not judged`;
  if (state.options.commits === 'keep' && refusal === null)
    return {
      parent: commits.head,
      words: [],
      notes: [`${count} kept below the delivered one; every version in them was judged`, ...skipped],
    };
  const reason = refusal === null ? '' : `, not kept: ${refusal}`;
  return {
    parent: null,
    words: [agentWords(commits, redactor)],
    notes: [`${count} made one, with the messages in its body${reason}`, ...skipped],
  };
}

/** Says why the agent's commits cannot be kept, before their content is compared; null: nothing is known against it. */
function whyNotKept(
  state: RunState,
  { messages, isCut }: AgentCommits,
  redactor: Redactor,
  sink: string,
): string | null {
  if (sink === 'patch') return 'a patch has no history';
  if (isCut) return 'there are too many';
  if (state.delivery.split !== null) return 'only a part of the work is delivered';
  return messages.some((message) => redactor.find(message).length > 0) ? 'a message holds a secret' : null;
}

const MAX_COMMIT_CHARS = 600;
const MAX_CHARS = 6_000;

/**
 * Quotes the agent's own commit messages for the message of the delivered commit. The text is bounded and has no secrets and no control
 * characters.
 */
function agentWords({ messages, isCut }: AgentCommits, redactor: Redactor): string {
  const quoted: string[] = [];
  let length = 0;
  for (const message of messages) {
    const clean = redactor.redact(message);
    const text = clean.length > MAX_COMMIT_CHARS ? `${clean.slice(0, MAX_COMMIT_CHARS - 1)}…` : clean;
    if ((length += text.length) > MAX_CHARS) break;
    // In a quote, no line of the agent can count as a trailer of this commit.
    quoted.push(
      text
        .split('\n')
        .map((line) => `> ${visibleText(line, ' ')}`.trimEnd())
        .join('\n'),
    );
  }
  const isWhole = !isCut && quoted.length === messages.length;
  const count = counted(messages.length, isCut ? 'newest commit' : 'commit');
  return [
    `The agent's own words, from ${count} that are one commit here${isWhole ? '' : ' (the first of them)'}:`,
    ...quoted,
  ].join('\n\n');
}

const ON_COMMIT = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const ON_PUSH = ['pre-push'];

/** Names the hooks that the person's own `git commit` (or push) would run. A delivery runs none of them, and the person is told so. */
async function commitHooks(
  workspace: Workspace,
  { isPushed }: { readonly isPushed: boolean },
  signal?: AbortSignal,
): Promise<string[]> {
  const { commonDir, repository } = workspace;
  if (commonDir === null) return [];
  const settings = await keptSettings(workspace, process.env, signal);
  const path =
    settings.findLast(({ scope, key }) => scope === 'local' && key === 'core.hookspath')?.value ?? '';
  const folder = path === '' ? join(commonDir, 'hooks') : resolve(repository, path);
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of [...ON_COMMIT, ...(isPushed ? ON_PUSH : [])])
    if (names.includes(name) && (await isMeant(folder, name))) found.push(name);
  return found;
}

async function isMeant(folder: string, name: string): Promise<boolean> {
  // Husky sets `core.hooksPath` to a folder `_` with a wrapper for every hook; the project's own hooks are in the folder above.
  if (basename(folder) === '_')
    return (await stat(join(dirname(folder), name)).catch(() => null))?.isFile() === true;
  return (((await stat(join(folder, name)).catch(() => null))?.mode ?? 0) & 0o111) !== 0;
}

interface AgentCommits {
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

interface History {
  /** The agent's last commit. */
  readonly head: string;
  /** The shadow tree that was judged. */
  readonly tree: string;
  /** The date of the commit that the history is compared with. */
  readonly at: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A path whose version in some commit is neither that of the base nor that of the judged tree; null: there is none. Where these commits
 * are delivered, every version in them is delivered too.
 */
export async function unjudgedPath(
  workspace: Workspace,
  { head, tree, at, signal }: History,
): Promise<string | null> {
  const commonDir = workspace.commonDir as string;
  const baseCommit = workspace.baseCommit as string;
  const git = async (...args: string[]) =>
    expectGit(await gitIn(commonDir, signal)(...args), "reading the agent's commits").stdout;
  const changes = async (commit: string) =>
    entriesOf(await git('diff-tree', '-r', '-z', '--no-renames', baseCommit, commit));
  const spec = { workspace, tree, baseCommit, parent: baseCommit, message: '', at, signal };
  const judged = await changes((await commitWork(spec)).commit);
  const commits = (await git('rev-list', `${baseCommit}..${head}`)).toString('utf8').split('\n');
  for (const commit of commits.filter(Boolean))
    for (const [path, version] of await changes(commit))
      if (judged.get(path) !== version) return rawToText(path);
  return null;
}

/** Maps each path to its mode and object after the change. */
function entriesOf(raw: Buffer): Map<string, string> {
  const fields = splitNul(raw);
  const entries = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , object = ''] = (fields[at] as string).split(' ');
    entries.set(fields[at + 1] as string, `${mode} ${object}`);
  }
  return entries;
}
