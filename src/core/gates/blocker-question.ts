/** `blockerQuestion`: asks a person for the decision behind a blocker. Names from outside are plain or quoted between marks. */
import { type RunState, scopeLeft } from '../state/run-state.ts';
import { nameOrQuote } from '../text/quote-fenced.ts';
import { BLOCKERS, isBlockerCode } from '../vocabulary/blockers/blocker.ts';
import { blockerEvidence } from '../vocabulary/blockers/blocker-evidence.ts';
import type { Blocker, BlockerAsked, BlockerWords } from '../vocabulary/blockers/blocker-rule.ts';
import { ownBranch } from '../vocabulary/task.ts';

interface BlockerQuestion extends BlockerWords {
  readonly kind: string;
}

export function blockerQuestion(state: RunState, blocker: Blocker, mark: string): BlockerQuestion {
  const quote = (text: string) => nameOrQuote(text, mark);
  const { code, resolutions } = blocker;
  const evidence = blockerEvidence(blocker).map(quote);
  const [what = '', ...details] = evidence;
  const { kind = code, question } = isBlockerCode(code) ? BLOCKERS[code] : {};
  if (question === undefined) return { kind, text: `${code}: ${evidence.join('; ')}` };
  const asked = {
    found: blocker.source === 'policy' ? { ...blocker, says: quote(blocker.says) } : blocker,
    what,
    details,
    evidence,
    resolutions,
    scope: state.scope.allowed.map(quote),
    scopeLeft: scopeLeft(state).map(quote),
    isProposed: state.explore === 'proposed',
    sink: state.sink,
    ownBranch: ownBranch(state.runId),
  };
  return { kind, ...(question as (asked: BlockerAsked) => BlockerWords)(asked) };
}
