/** `placesOf`, `spentSince`: the calls and turns of an agent and what they cost, counted from a transcript. */
import type { AgentTurn } from '../../core/detect/agent-turn.ts';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { costText } from './amounts.ts';

export interface CallPlaces {
  /** How many turns there are. */
  readonly turns: number;
  /** The call and the turn at a step, both counted from 1: the step of the call, or of what stands before it. */
  readonly of: (step: number) => readonly [call: number, turn: number];
}

/** A turn begins when the agent speaks or acts after a tool or a person did. */
export function placesOf(entries: readonly TranscriptEntry[], calls: readonly AgentTurn[]): CallPlaces {
  let turn = 0;
  let agentSpoke = false;
  const turnAt = entries.map((entry) => {
    const acts = entry.type === 'tool_call' || (entry.type === 'message' && entry.role === 'agent');
    if (acts && !agentSpoke) turn++;
    if (entry.type !== 'usage' && entry.type !== 'progress') agentSpoke = acts;
    return turn;
  });
  const of = (step: number) => {
    const call = calls.findIndex(({ callStep }) => callStep >= step);
    return [call < 0 ? calls.length : call + 1, turnAt[step] ?? turn] as const;
  };
  return { turns: turn, of };
}

export function spentSince(entries: readonly TranscriptEntry[], step: number): string | null {
  const usageUntil = (end: number): Usage | null => {
    const entry = entries.slice(0, end).findLast((each) => each.type === 'usage');
    return entry?.type === 'usage' ? entry.usage : null;
  };
  const total = usageUntil(entries.length);
  if (total === null) return null;
  // The cost of a turn is reported before its first act: count from the beginning of the turn.
  let begin = step;
  while (begin > 0 && ownTurn(entries[begin - 1])) begin--;
  const before = usageUntil(begin);
  // What is told only at the end is of the whole run, not of its end.
  const isWhole = !entries.slice(0, begin).some(({ type }) => type === 'tool_call');
  if (before === null && !isWhole) return null;
  const spent: Usage = {
    inputTokens: total.inputTokens - (before?.inputTokens ?? 0),
    outputTokens: total.outputTokens - (before?.outputTokens ?? 0),
    cacheReadTokens: total.cacheReadTokens - (before?.cacheReadTokens ?? 0),
    cacheWriteTokens: total.cacheWriteTokens - (before?.cacheWriteTokens ?? 0),
    ...(total.costUsd === undefined || (before?.costUsd === undefined && !isWhole)
      ? {}
      : { costUsd: total.costUsd - (before?.costUsd ?? 0) }),
  };
  // A record without usage tells nothing about it.
  return Object.values(spent).some((amount) => amount > 0) ? costText(spent) : null;
}

function ownTurn(entry: TranscriptEntry | undefined): boolean {
  return entry?.type === 'usage' || (entry?.type === 'message' && entry.role === 'agent');
}
