/**
 * What the detectors share: calls in flight, the recent turns, and where the last real progress was.
 * Bounded whatever the length of the run. A new word from a person, a commit, a changed check result and a finished
 * subtask begin a new trail; a changed tree only marks a place, because repeating an edit changes the tree, too.
 */
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { hashExact, hashLoose } from './text-hash.ts';
import { completeTurn, type OpenCall, type Turn } from './turn.ts';

/** Three times round the longest cycle. */
export const TRAIL_TURNS = 48;
/** More calls in flight than any agent makes; the oldest is forgotten. */
const OPEN_CALLS = 64;
const KNOWN_PROGRESS = 64;
const KNOWN_WORDS = 16;

export interface Trail {
  readonly turns: readonly Turn[];
  readonly open: readonly OpenCall[];
  /** Step of the last tree never seen before. */
  readonly treeStep: number;
  /** Step and time of the last thing that counts as progress. */
  readonly progressStep: number;
  readonly progressAt: number;
  readonly knownProgress: readonly number[];
  /** What a person, or a harness in a person's place, has said lately. */
  readonly knownWords: readonly number[];
  /** Time of the last entry of any kind; negative when none was heard. */
  readonly heardAt: number;
}

export const EMPTY_TRAIL: Trail = {
  turns: [],
  open: [],
  treeStep: -1,
  progressStep: -1,
  progressAt: 0,
  knownProgress: [],
  knownWords: [],
  heardAt: -1,
};

export interface Followed {
  readonly trail: Trail;
  /** The turn this entry completed, already the last one of the trail. */
  readonly turn: Turn | null;
}

export function followTrail(before: Trail, entry: TranscriptEntry, step: number): Followed {
  const trail = { ...before, heardAt: entry.at };
  switch (entry.type) {
    case 'tool_call': {
      const { id, tool, input, at, parentId = null } = entry;
      const call: OpenCall = { id, tool, input, at, parentId, step };
      return { trail: { ...trail, open: [...trail.open.slice(1 - OPEN_CALLS), call] }, turn: null };
    }
    case 'tool_result': {
      const call = trail.open.find((open) => open.id === entry.id);
      if (call === undefined) return { trail, turn: null };
      const turn = completeTurn(call, entry.output, entry.isError, step, entry.at, trail.turns.at(-1));
      return withTurn({ ...trail, open: trail.open.filter((open) => open !== call) }, turn);
    }
    case 'error': {
      // An answer the harness could not read as a call: a turn that failed, and no two such are the same call.
      const call: OpenCall = { id: '', tool: '', input: `${step}`, at: entry.at, parentId: null, step };
      return withTurn(trail, { ...completeTurn(call, entry.text, true, step, entry.at), kind: 'run' });
    }
    case 'progress':
      return { trail: afterProgress(trail, entry.kind, entry.detail, step, entry.at), turn: null };
    case 'message':
      return {
        trail: entry.role === 'person' ? afterWord(trail, entry.text, step, entry.at) : trail,
        turn: null,
      };
    default:
      return { trail, turn: null };
  }
}

function withTurn(trail: Trail, turn: Turn): Followed {
  return { trail: { ...trail, turns: [...trail.turns.slice(1 - TRAIL_TURNS), turn] }, turn };
}

/** Harnesses say "go on" in the person's place; only a word not heard before is a word. */
function afterWord(trail: Trail, text: string, step: number, at: number): Trail {
  const word = hashLoose(text);
  if (trail.knownWords.includes(word)) return trail;
  const knownWords = [...trail.knownWords.slice(1 - KNOWN_WORDS), word];
  return { ...trail, knownWords, turns: [], progressStep: step, progressAt: at };
}

function afterProgress(trail: Trail, kind: string, detail: string, step: number, at: number): Trail {
  const known = hashExact(`${kind} ${detail}`);
  // A tree or a result that was there before is a way back, not a way forward.
  if (trail.knownProgress.includes(known)) return trail;
  const knownProgress = [...trail.knownProgress.slice(1 - KNOWN_PROGRESS), known];
  const marked = { ...trail, knownProgress, progressStep: step, progressAt: at };
  return kind === 'tree' ? { ...marked, treeStep: step } : { ...marked, turns: [] };
}
