/** `exploreGate`: the blockers at the exit of the explore stage: a missing or stale scope, an open decision, a missing approval. */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker, Finding } from '../vocabulary/blockers/blocker-rule.ts';
import { globsOverlap } from '../text/glob.ts';
import type { RunState } from '../state/run-state.ts';
import { isJudged } from './approvals.ts';

export function exploreGate(state: RunState): readonly Blocker[] {
  const { explore, proposal, staleScope, policy } = state;
  if (explore === 'looking' && state.attempts.length > 0)
    return [blocker('scope_missing', { source: 'explore' })];
  return [
    ...(staleScope.length > 0 ? [blocker('scope_stale', { source: 'base', gone: staleScope })] : []),
    ...pendingDecisions(state),
    ...(explore === 'proposed' && policy.explore_confirm > 0
      ? [
          blocker('approval_missing', {
            source: 'proposal',
            scope: proposal?.scope ?? [],
            checks: proposal?.checks ?? [],
            summary: proposal?.summary ?? '',
          }),
        ]
      : []),
    ...neededApprovals(state),
  ];
}

export function scopeSentence({ scope, task }: RunState): string {
  return task.scope.length === 0 && scope.allowed.length === 1 && scope.allowed[0] === '**'
    ? 'scope: the whole workspace, by default policy'
    : `scope: ${scope.allowed.join(', ')} (${scope.by})`;
}

function pendingDecisions(state: RunState): Blocker[] {
  const wanted = namedScope(state);
  const open: readonly Finding<'decision_pending'>[] = [
    ...(state.task.decisions ?? [])
      .filter(({ answer }) => answer === null)
      .map(({ question }) => ({ source: 'task' as const, question })),
    ...(state.proposal?.decisions ?? []).map(({ question, options }) => ({
      source: 'agent' as const,
      question,
      options,
    })),
    ...state.rules.decisions
      .filter(({ answer, paths }) => answer === null && globsOverlap(paths, wanted))
      .map(({ question, file }) => ({ source: 'repository' as const, question, file })),
  ];
  return open
    .map((finding) => blocker('decision_pending', finding))
    .filter((found) => !isJudged(state, found));
}

function neededApprovals(state: RunState): Blocker[] {
  const wanted = namedScope(state);
  return state.rules.rules
    .filter(({ approval, paths }) => approval === 'before' && globsOverlap(paths, wanted))
    .map(({ id, says, paths }) => blocker('approval_missing', { source: 'policy', rule: id, says, paths }))
    .filter((found) => !isJudged(state, found));
}

/** The paths that the task or the proposal names. A default scope names none: the compose gate sees what the work touches. */
function namedScope({ task, proposal, explore }: RunState): readonly string[] {
  return explore === 'off' ? task.scope : [...task.scope, ...(proposal?.scope ?? [])];
}
