/**
 * `deliverAct`: the act that writes the work to its sink. Done twice, it has the same result. A failure of the sink becomes
 * `delivery_blocked`, never an error of the run.
 */
import { join } from 'node:path';
import { blocker } from '../core/vocabulary/blockers/blocker.ts';
import type { Finding } from '../core/vocabulary/blockers/blocker-rule.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import { isKeyOf } from '../core/vocabulary/blockers/blocker-key.ts';
import { unprovenBecause, unprovenText } from '../core/gates/delivery-proof.ts';
import { belongingText, judgesText, proofLines } from '../core/view/proof-json.ts';
import type { RunState } from '../core/state/run-state.ts';
import { ownBranch } from '../core/vocabulary/task.ts';
import { isolationOf } from '../core/vocabulary/isolation.ts';
import type { Act, ActContext } from './act.ts';
import { deliverBranch } from './deliver/deliver-branch.ts';
import { deliverDirectory } from './deliver/deliver-directory.ts';
import { deliverMerge } from './deliver/deliver-merge.ts';
import { deliverNone } from './deliver/deliver-none.ts';
import { deliverPatch } from './deliver/deliver-patch.ts';
import { deliverPullRequest } from './deliver/forge/deliver-pull-request.ts';
import { type DeliveredHistory, deliveredHistory } from './deliver/delivered-history.ts';
import type { DeliveryResult } from './deliver/delivery.ts';
import { runDir } from './run-files.ts';

type DeliverCommand = Parameters<Act<'deliver'>>[1];

export const deliverAct: Act<'deliver'> = async (context, command) => {
  const history = await deliveredHistory(context, command);
  const delivery = await write(context, command, history);
  const at = context.now();
  if (delivery.type === 'blocked') {
    const { blocker, commit = null, targetMoved } = delivery;
    const made = commit === null ? {} : { commit };
    const moved = targetMoved === undefined ? {} : { targetMoved };
    return [{ type: 'delivery_blocked', at, blocker, ...made, ...moved }];
  }
  const { files, commit, warnings } = delivery;
  const ref = command.sink.type === 'none' ? null : delivery.ref;
  const { salvage, tree } = command;
  const notes = commit === null ? [] : history.notes;
  const fact: Fact = { type: 'work_delivered', at, ref, files, salvage, commit, warnings, notes, tree };
  return [fact];
};

async function write(
  context: ActContext,
  command: DeliverCommand,
  history: DeliveredHistory,
): Promise<DeliveryResult> {
  const { state, home, signal, env } = context;
  const { sink, tree } = command;
  const spec = { runId: state.runId, home, tree, signal };
  const at = command.decidedAt ?? state.updatedAt;
  const reasons = command.salvage ? ['the run was abandoned'] : unprovenBecause(state).map(unprovenText);
  const commit = {
    ...spec,
    message: [message(state.task.text), ...history.words].join('\n\n'),
    trailers: [
      `Mayday-Proven: ${reasons.length === 0 ? 'yes' : 'no'}`,
      ...trailer('Mayday-Changed-Judges', judgesText(state.judges)),
      ...trailer('Mayday-Opinion', belongingText(state.judges, state.unrelated).replace(/^opinion of /, '')),
    ],
    at,
    earlier: state.deliveries,
    ...(history.parent === null ? {} : { parent: history.parent }),
  };
  const isApproved = (finding: Finding<'approval_required'>) =>
    (command.approved ?? []).some((key) => isKeyOf(key, blocker('approval_required', finding)));
  const confinedTo = 'confined' in sink && sink.confined === true ? state.repository : null;
  switch (sink.type) {
    case 'none':
      return await deliverNone(spec);
    case 'branch':
      // In place, the work is already where the person wants it; the default branch would be a second copy.
      return state.workspace?.kind !== 'worktree' && sink.name === ownBranch(state.runId)
        ? await deliverNone(spec)
        : await deliverBranch({ ...commit, branch: sink.name });
    case 'directory':
      return await deliverDirectory({ ...spec, at, path: sink.path, confinedTo, isApproved });
    case 'patch': {
      const file = sink.file === '' ? join(runDir(home, state.runId), `${state.runId}.patch`) : sink.file;
      return await deliverPatch({
        ...commit,
        file,
        againstBase: sink.againstBase === true,
        confinedTo,
        isApproved,
      });
    }
    case 'merge':
      return await deliverMerge({ ...commit, branch: sink.branch, target: command.target ?? null });
    case 'pull_request':
      return await deliverPullRequest({
        ...commit,
        branch: ownBranch(state.runId),
        env,
        proof: proofOf(state, tree),
        notProven: reasons,
        proofLines: proofLines(state),
        isolation: isolationOf(state.attempts),
        isApproved,
      });
  }
}

function trailer(name: string, text: string): string[] {
  return text === '' ? [] : [`${name}: ${text}`];
}

function proofOf({ checks }: RunState, tree: string): string[] {
  return checks
    .filter((check) => check.purpose === 'gate' && check.tree === tree && check.variant === 'candidate')
    .map(({ command, passed, ledgerId }) => `\`${command}\`: ${passed ? 'passes' : 'fails'} (${ledgerId})`);
}

function message(task: string): string {
  const [first = '', ...rest] = task.trim().split('\n');
  const subject = first.length > 72 ? `${first.slice(0, 71)}…` : first;
  return [
    subject || 'work of an agent',
    ...(rest.length > 0 || subject !== first ? ['', task.trim()] : []),
  ].join('\n');
}
