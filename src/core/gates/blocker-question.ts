/** `blockerQuestion`: the real decision behind a blocker, in the words of its row. */
import type { RunState } from '../state/run-state.ts';
import { scopeLeft } from '../state/scope-left.ts';
import { BLOCKERS, isBlockerCode } from '../vocabulary/blocker.ts';
import { blockerEvidence } from '../vocabulary/blocker-evidence.ts';
import type { Blocker, BlockerAsked, BlockerWords } from '../vocabulary/blocker-rule.ts';
import { ownBranch } from '../vocabulary/task.ts';

interface BlockerQuestion extends BlockerWords {
  readonly kind: string;
}

export function blockerQuestion(state: RunState, blocker: Blocker): BlockerQuestion {
  const { code, resolutions } = blocker;
  const evidence = blockerEvidence(blocker);
  if (!isBlockerCode(code)) return { kind: code, text: `${code}: ${evidence.join('; ')}` };
  const { kind = code, question } = BLOCKERS[code];
  const asked = {
    found: blocker,
    evidence,
    resolutions,
    scope: state.scope.allowed,
    scopeLeft: scopeLeft(state),
    isProposed: state.explore === 'proposed',
    sink: state.sink,
    ownBranch: ownBranch(state.runId),
  };
  return { kind, ...(question as (asked: BlockerAsked) => BlockerWords)(asked) };
}
