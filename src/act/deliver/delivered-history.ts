/**
 * `deliveredHistory`: decides by the configuration (`delivery:`) what becomes of the agent's own commits and of the repository's hooks.
 * By default the work is one commit that quotes the agent's messages, and hooks are not run. The person is told both.
 */
import { counted } from '../../core/text/counted.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { createRedactor, type Redactor } from '../../record/redaction/redact.ts';
import type { ActContext } from '../act.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { type AgentCommits, agentCommits } from './agent-commits.ts';
import { agentWords } from './agent-words.ts';
import { commitHooks } from './commit-hooks.ts';
import { unjudgedPath } from './unjudged-path.ts';

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
  const hooks = salvage
    ? []
    : await commitHooks(workspace, { isPushed: sink.type === 'pull_request' }, signal);
  const skipped =
    hooks.length === 0 ? [] : [`hooks of the repository that were not run: ${hooks.join(', ')}`];
  const commits = await agentCommits(workspace, signal);
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
