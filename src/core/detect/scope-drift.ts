/** Edits outside what was agreed. The first is a word, the third a habit; whether the scope grows is a person's decision. */
import { matchesAny } from '../text/glob.ts';
import { type Detector, levelOf, quote, severityOf, type Level } from './detector.ts';
import { changes } from './staleness.ts';

interface DriftState {
  readonly outside: readonly string[];
  readonly since: number;
  readonly raised: Level;
}

const STOP = 3;

export const scopeDrift: Detector<DriftState> = {
  name: 'scope drift',
  init: { outside: [], since: 0, raised: 0 },
  next: (state, { turn, policy }) => {
    if (turn === null || turn.edit === null || policy.scope.length === 0 || !changes(turn))
      return [state, []];
    const { path } = turn.edit;
    if (inScope(path, policy.scope) || state.outside.includes(path)) return [state, []];
    const outside = [...state.outside.slice(-7), path];
    const level = levelOf(outside.length, 1, STOP);
    const next = { outside, since: state.since === 0 ? turn.at : state.since, raised: level };
    if (level <= state.raised) return [next, []];
    return [
      next,
      [
        {
          type: 'scope_drift',
          severity: severityOf(level as 1 | 2),
          reason: `${outside.length === 1 ? 'a file' : `${outside.length} files`} outside the scope changed: ${quote(outside.join(', '))}`,
          sinceAt: next.since,
          at: turn.at,
          atStep: turn.step,
          evidence: outside,
          confidence: 0.85,
          suggestedAction:
            'ask whether the scope should grow to these paths; go back to explore if it should not',
          disproof: 'the scope is expanded, or the change is taken back',
        },
      ],
    ];
  },
};

/** Agents name files by absolute paths, people scopes by relative ones; where the workspace begins is not told. */
function inScope(path: string, scope: readonly string[]): boolean {
  if (!path.startsWith('/')) return matchesAny(path, scope);
  const parts = path.split('/');
  return parts.some((_, index) => matchesAny(parts.slice(index).join('/'), scope));
}
