/** `editUndo`: notices one change that is made and undone again and again. Many, each undone once, are clean-up. */
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { hashExact } from '../../text-hash.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface Flip {
  /** Has the same value for an edit and its opposite. */
  readonly change: number;
  readonly to: number;
  readonly flips: number;
  readonly since: { readonly at: number; readonly step: number };
}

interface UndoState {
  readonly recent: readonly Flip[];
  readonly lastTree: number;
  readonly raised: Level;
}

const REMEMBERED = 48;
const NONE: UndoState = { recent: [], lastTree: 0, raised: 0 };

export const editUndo: Detector<UndoState> = {
  name: 'edit and undo',
  init: NONE,
  next: (state, { entry, turn, step, policy }) => {
    if (entry.type === 'progress' && entry.kind !== 'tree') return [NONE, []];
    const seen = entry.type === 'progress' ? treeSeen(entry.detail) : editSeen(turn);
    if (seen === null || seen.to === state.lastTree) return [state, []];
    const lastTree = entry.type === 'progress' ? seen.to : state.lastTree;
    const known = state.recent.find((each) => each.change === seen.change);
    const flip: Flip = {
      ...seen,
      flips:
        known === undefined ? 0 : known.flips + (known.to !== seen.to || entry.type === 'progress' ? 1 : 0),
      // The first time it is taken back; making it was honest work.
      since: known === undefined || known.flips === 0 ? { at: entry.at, step } : known.since,
    };
    const recent = [...state.recent.filter((each) => each !== known).slice(1 - REMEMBERED), flip];
    const level = levelOf(flip.flips, policy.undo_warn, policy.undo_stop);
    if (level === 0 || level <= state.raised) return [{ recent, lastTree, raised: level }, []];
    return raise({ recent, lastTree, raised: level }, entry, step, {
      type: 'edit_undo',
      severity: severityOf(level),
      reason: `the same change was made and taken back ${flip.flips} times`,
      sinceAt: flip.since.at,
      sinceStep: flip.since.step,
      evidence: [turn === null ? 'the tree is one that was there before' : quote(turn.input)],
      confidence: level === 2 ? 0.85 : 0.6,
      suggestedAction: 'show the agent both versions and ask for the check that decides between them',
      disproof: 'a third version, or a check that passes',
    });
  },
};

type Seen = Pick<Flip, 'change' | 'to'>;

/** A tree that was there before and comes back counts as a change that was undone. */
function treeSeen(detail: string): Seen {
  const tree = hashExact(detail);
  return { change: tree, to: tree };
}

function editSeen(turn: AgentTurn | null): Seen | null {
  if (turn === null || !changes(turn) || turn.edit === null) return null;
  const { path, from, to } = turn.edit;
  if (from === 0 || to === 0 || from === to) return null;
  return { change: hashExact(path) ^ from ^ to || 1, to };
}
