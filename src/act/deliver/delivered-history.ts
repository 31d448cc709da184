/**
 * `deliveredHistory`: decides by the configuration (`delivery:`) what becomes of the agent's own commits and of the repository's hooks.
 * By default the work is one commit that quotes the agent's messages, and hooks are not run. The person is told both.
 */
import { visibleText } from '../../core/text/visible-text.ts';
import { counted } from '../../core/text/counted.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { createRedactor, type Redactor } from '../../record/redaction/redact.ts';
import type { ActContext } from '../act.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { type AgentCommits, agentCommits } from './agent-commits.ts';
import { unjudgedPath } from './unjudged-path.ts';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { keptSettings } from '../workspace/kept-settings.ts';

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
