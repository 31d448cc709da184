/**
 * `Trail`, `followTrail`: what the detectors share: calls in flight, the recent turns, and the place of the last real progress. Its size
 * is bounded whatever the length of the run. A new message from a person, a commit, a changed check result and a finished subtask begin a
 * new trail. A changed tree only marks a place, because repeating an edit changes the tree, too.
 */
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { hashExact, hashLoose } from './text-hash.ts';
import { completeTurn, type OpenCall, type AgentTurn } from './agent-turn.ts';

/** Three rounds of the longest cycle. */
export const TRAIL_TURNS = 48;
/** The most calls in flight that are remembered; no agent makes more. The oldest is forgotten first. */
const OPEN_CALLS = 64;
const KNOWN_PROGRESS = 64;
const KNOWN_WORDS = 16;

export interface Trail {
  readonly turns: readonly AgentTurn[];
  readonly open: readonly OpenCall[];
  /** The step of the last tree that was never seen before. */
  readonly treeStep: number;
  readonly progressStep: number;
  readonly knownProgress: readonly number[];
  /** Hashes of the latest messages of a person, or of a harness in a person's place. */
  readonly knownWords: readonly number[];
  /** A person asked the agent to look at something every so often, so equal looks with that pause are waiting. */
  readonly askedToPoll: boolean;
  /** The time of the last entry of any kind, or of the change that it tells; negative if there was none. */
  readonly heardAt: number;
}

export const EMPTY_TRAIL: Trail = {
  turns: [],
  open: [],
  treeStep: -1,
  progressStep: -1,
  knownProgress: [],
  knownWords: [],
  askedToPoll: false,
  heardAt: -1,
};

export interface Followed {
  readonly trail: Trail;
  /** The turn that this entry completed. It is already the last turn of the trail. */
  readonly turn: AgentTurn | null;
}

export function followTrail(before: Trail, entry: TranscriptEntry, step: number): Followed {
  const heardAt =
    entry.type === 'progress' ? Math.max(before.heardAt, entry.changedAt ?? entry.at) : entry.at;
  switch (entry.type) {
    case 'tool_call': {
      const { id, tool, input, at, parentId = null } = entry;
      const call: OpenCall = { id, tool, input, at, parentId, step };
      const open = [...before.open.slice(1 - OPEN_CALLS), call];
      return { trail: { ...before, heardAt, open }, turn: null };
    }
    case 'tool_result': {
      const call = before.open.find((open) => open.id === entry.id);
      if (call === undefined) return { trail: { ...before, heardAt }, turn: null };
      const turn = completeTurn(
        call,
        { ...entry, marksErrors: entry.marksErrors === true, step, isPoll: isAskedPoll(before, call) },
        before.turns.at(-1),
      );
      const open = before.open.filter((each) => each !== call);
      return { trail: { ...before, heardAt, open, turns: withTurn(before.turns, turn) }, turn };
    }
    case 'error': {
      // An answer that the harness could not read as a call counts as a failed turn. No two of them are the same call.
      const call: OpenCall = { id: '', tool: '', input: `${step}`, at: entry.at, parentId: null, step };
      const answer = {
        output: entry.text,
        isError: true,
        marksErrors: true,
        step,
        at: entry.at,
        isPoll: false,
      };
      const turn: AgentTurn = { ...completeTurn(call, answer), kind: 'run' };
      return { trail: { ...before, heardAt, turns: withTurn(before.turns, turn) }, turn };
    }
    case 'progress':
      return { trail: afterProgress({ ...before, heardAt }, entry.kind, entry.detail, step), turn: null };
    case 'message': {
      const trail = { ...before, heardAt };
      return { trail: entry.role === 'person' ? afterWord(trail, entry.text, step) : trail, turn: null };
    }
    default:
      return { trail: { ...before, heardAt }, turn: null };
  }
}

function withTurn(turns: readonly AgentTurn[], turn: AgentTurn): readonly AgentTurn[] {
  return [...turns.slice(1 - TRAIL_TURNS), turn];
}

const ASKED_TO_POLL =
  /\b(?:poll|check|look|watch|monitor|read|list|ask|wait)\b[^.\n]{0,80}\b(?:every|each) (?:\w{1,5} )?(?:seconds?|minutes?|min|s|hours?)\b/i;
const ASKED_CHARS = 4_000;
/** A look that comes sooner is no answer to "every minute". */
const POLL_PAUSE_MS = 10_000;

/** The person asked for it, and the same look was made before, a while ago. */
function isAskedPoll({ askedToPoll, turns }: Trail, { tool, input, at }: OpenCall): boolean {
  if (!askedToPoll) return false;
  const before = turns.findLast((turn) => turn.tool === tool && input.startsWith(turn.input));
  return before !== undefined && before.at > 0 && at - before.at >= POLL_PAUSE_MS;
}

/** Harnesses send "go on" in a person's place, so only a message that was not seen before begins a new trail. */
function afterWord(trail: Trail, text: string, step: number): Trail {
  const word = hashLoose(text);
  if (trail.knownWords.includes(word)) return trail;
  const knownWords = [...trail.knownWords.slice(1 - KNOWN_WORDS), word];
  const askedToPoll = trail.askedToPoll || ASKED_TO_POLL.test(text.slice(0, ASKED_CHARS));
  return { ...trail, knownWords, askedToPoll, turns: [], progressStep: step };
}

function afterProgress(trail: Trail, kind: string, detail: string, step: number): Trail {
  const known = hashExact(`${kind} ${detail}`);
  // A tree or a result that was there before is not progress.
  if (trail.knownProgress.includes(known)) return trail;
  const knownProgress = [...trail.knownProgress.slice(1 - KNOWN_PROGRESS), known];
  const marked = { ...trail, knownProgress, progressStep: step };
  return kind === 'tree' ? { ...marked, treeStep: step } : { ...marked, turns: [] };
}
