/** Edits that take back earlier edits of the same file, and trees that come back: work that cancels itself. */
import { type Detector, type Level, levelOf, quote, severityOf } from './detector.ts';
import { changes } from './staleness.ts';
import { hashExact } from './text-hash.ts';
import type { Turn } from './turn.ts';

interface Change {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

interface UndoState {
  readonly recent: readonly Change[];
  readonly trees: readonly number[];
  readonly undone: number;
  readonly since: number;
  readonly raised: Level;
}

const REMEMBERED = 48;

export const editUndo: Detector<UndoState> = {
  name: 'edit and undo',
  init: { recent: [], trees: [], undone: 0, since: 0, raised: 0 },
  next: (state, { entry, turn, step, policy }) => {
    if (entry.type === 'progress' && entry.kind !== 'tree') {
      return [{ ...state, recent: [], undone: 0, raised: 0 }, []];
    }
    const back =
      entry.type === 'progress' ? treeBack(state, hashExact(entry.detail), entry.at) : editBack(state, turn);
    if (back === null) return [state, []];
    const level = levelOf(back.undone, policy.undoWarn, policy.undoStop);
    if (level === 0 || level <= state.raised) return [{ ...back, raised: level }, []];
    return [
      { ...back, raised: level },
      [
        {
          type: 'edit_undo',
          severity: severityOf(level),
          reason: `${back.undone} edits took back earlier ones`,
          sinceAt: back.since,
          at: entry.at,
          atStep: step,
          evidence: [turn === null ? 'the tree is one that was there before' : quote(turn.input)],
          confidence: level === 2 ? 0.85 : 0.6,
          suggestedAction: 'show the agent both versions and ask for the check that decides between them',
          disproof: 'a third version, or a check that passes',
        },
      ],
    ];
  },
};

type Progressed = Omit<UndoState, 'raised'>;

function treeBack(state: UndoState, tree: number, at: number): Progressed {
  const trees = [...state.trees.slice(1 - REMEMBERED), tree];
  const came = state.trees.includes(tree) && state.trees.at(-1) !== tree;
  return { ...state, trees, ...(came ? counted(state, at) : {}) };
}

function editBack(state: UndoState, turn: Turn | null): Progressed | null {
  if (turn === null || !changes(turn)) return null;
  const { edit } = turn;
  if (edit === null || edit.from === 0 || edit.to === 0) return null;
  const change = { ...edit, at: turn.at };
  const undid = state.recent.find(
    (other) =>
      other.path === change.path &&
      other.from === change.to &&
      other.to === change.from &&
      other.from !== other.to,
  );
  const recent = [...state.recent.slice(1 - REMEMBERED), change];
  return { ...state, recent, ...(undid === undefined ? {} : counted(state, undid.at)) };
}

function counted(state: UndoState, at: number): Pick<UndoState, 'undone' | 'since'> {
  return { undone: state.undone + 1, since: state.undone === 0 ? at : state.since };
}
