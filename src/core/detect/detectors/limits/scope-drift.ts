/** `scopeDrift`: notices changes outside the scope, by the agent's own edits and by the tree. The gate asks. */
import type { Signal } from '../../../vocabulary/signal.ts';
import { matchesAny } from '../../../text/glob.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { Tick } from '../../tick.ts';

interface DriftState {
  readonly outside: readonly string[];
  readonly since: number;
  readonly raised: Level;
  /** The paths of the tree that were already reported. */
  readonly told: ReadonlySet<string>;
}

const STOP = 3;
const SHOWN = 8;

export const scopeDrift: Detector<DriftState> = {
  name: 'scope drift',
  init: { outside: [], since: 0, raised: 0, told: new Set() },
  next: (state, { entry, turn, policy }) => {
    if (entry.type === 'tick') return byTree(state, entry);
    if (turn === null || turn.edit === null || policy.scope.length === 0 || !changes(turn))
      return [state, []];
    const { path } = turn.edit;
    if (inScope(path, policy.scope) || state.outside.includes(path)) return [state, []];
    const outside = [...state.outside.slice(-7), path];
    const level = levelOf(outside.length, 1, STOP);
    const next = { ...state, outside, since: state.since === 0 ? turn.at : state.since, raised: level };
    if (level <= state.raised) return [next, []];
    return raise(next, turn, turn.step, {
      type: 'scope_drift',
      severity: severityOf(level as 1 | 2),
      reason: reasonOf(outside, quote(outside.join(', '))),
      sinceAt: next.since,
      evidence: outside,
      confidence: 0.85,
      suggestedAction:
        'ask whether the scope should grow to these paths; go back to explore if it should not',
      disproof: 'the scope is expanded, or the change is taken back',
    });
  },
};

function byTree(state: DriftState, { at, work }: Tick): readonly [DriftState, readonly Signal[]] {
  const outside = (work?.changed ?? []).filter((path) => !matchesAny(path, work?.allowed ?? []));
  if (outside.every((path) => state.told.has(path))) return [state, []];
  const shown = outside.slice(0, SHOWN);
  const signal: Signal = {
    type: 'scope_drift',
    severity: 'warning',
    reason: reasonOf(outside, shown.join(', ')),
    sinceAt: at,
    at,
    evidence: shown,
    confidence: 1,
    suggestedAction: 'nothing yet: the gate will ask whether the scope should grow',
    disproof: 'the scope is expanded, or the change is taken back',
  };
  return [{ ...state, told: new Set([...state.told, ...outside]) }, [signal]];
}

function reasonOf({ length }: readonly string[], shown: string): string {
  return `${length === 1 ? 'a file' : `${length} files`} outside the scope changed: ${shown}`;
}

/**
 * Agents use absolute paths and scopes use relative ones. The detector does not know where the workspace begins, so it tries every
 * suffix.
 */
function inScope(path: string, scope: readonly string[]): boolean {
  if (!path.startsWith('/')) return matchesAny(path, scope);
  const parts = path.split('/');
  return parts.some((_, index) => matchesAny(parts.slice(index).join('/'), scope));
}
