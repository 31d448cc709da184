/** The exit of the explore stage: is it recorded what may change, is nothing undecided, did whoever must agree agree? */
import { blocker, type Blocker } from '../blocker.ts';
import { globsOverlap } from '../glob.ts';
import type { RunState } from '../run-state.ts';
import { sameQuestion } from './rules.ts';

export function exploreGate(state: RunState): readonly Blocker[] {
  const { explore, proposal, staleScope, policy } = state;
  if (explore === 'looking' && state.attempts.length > 0)
    return [blocker('scope_missing', ['the agent looked and proposed nothing'])];
  return [
    ...(staleScope.length > 0 ? [blocker('scope_stale', staleScope)] : []),
    ...pendingDecisions(state),
    ...(explore === 'proposed' && policy.explore_confirm > 0
      ? [
          blocker('approval_missing', [
            `proposed scope: ${(proposal?.scope ?? []).join(', ')}`,
            ...(proposal?.checks ?? []).map((check) => `proposed check: ${check}`),
            ...(proposal?.summary ? [proposal.summary] : []),
          ]),
        ]
      : []),
    ...neededApprovals(state),
  ];
}

/** How the scope came to be, for the record that opens the gate. */
export function scopeSentence({ scope, task }: RunState): string {
  return task.scope.length === 0 && scope.allowed.length === 1 && scope.allowed[0] === '**'
    ? 'scope: the whole workspace, by default policy'
    : `scope: ${scope.allowed.join(', ')} (${scope.by})`;
}

function pendingDecisions(state: RunState): Blocker[] {
  const wanted = namedScope(state);
  const open = [
    ...(state.task.decisions ?? [])
      .filter(({ answer }) => answer === null)
      .map(({ question }) => ({ question, why: 'open in the task' })),
    ...(state.proposal?.decisions ?? []).map(({ question, options }) => ({
      question,
      why: options.length > 0 ? `the agent asks: ${options.join(' or ')}` : 'the agent asks',
    })),
    ...state.rules.decisions
      .filter(({ answer, paths }) => answer === null && globsOverlap(paths, wanted))
      .map(({ question, file }) => ({ question, why: `open in ${file}` })),
  ];
  return open
    .filter(({ question }) => !state.judgments.some((one) => sameQuestion(one.question, question)))
    .map(({ question, why }) => blocker('decision_pending', [question, why]));
}

function neededApprovals(state: RunState): Blocker[] {
  const wanted = namedScope(state);
  return state.rules.rules
    .filter(({ approval, paths }) => approval === 'before' && globsOverlap(paths, wanted))
    .map(({ id, says, paths }) =>
      blocker('approval_missing', [`policy ${id}: ${says}`, `paths: ${paths.join(', ')}`]),
    )
    .filter(
      ({ evidence }) => !state.judgments.some(({ question }) => sameQuestion(question, evidence[0] ?? '')),
    );
}

/** A default scope names nothing: what it touches is seen at compose. */
function namedScope({ task, proposal, explore }: RunState): readonly string[] {
  return explore === 'off' ? task.scope : [...task.scope, ...(proposal?.scope ?? [])];
}
