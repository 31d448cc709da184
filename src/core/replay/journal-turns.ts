/** `journalTurns`: a journal as turns: each fact with what was decided on it. */
import type { Decision, Fact, RunEvent } from '../vocabulary/events/event.ts';
import { isFact } from '../step.ts';
import { isDecision } from './decision-line.ts';

export interface JournalTurn {
  /** Of the fact, in the journal. */
  readonly seq: number;
  readonly fact: Fact;
  readonly decisions: readonly Decision[];
  /** Lines of a newer Mayday: they keep their place and mean nothing here. */
  readonly unread: readonly RunEvent[];
}

export function journalTurns(events: readonly RunEvent[]): readonly JournalTurn[] {
  const turns: { seq: number; fact: Fact; decisions: Decision[]; unread: RunEvent[] }[] = [];
  for (const [index, event] of events.entries()) {
    const turn = turns.at(-1);
    if (isFact(event)) turns.push({ seq: index + 1, fact: event, decisions: [], unread: [] });
    else if (isDecision(event)) turn?.decisions.push(event);
    else turn?.unread.push(event);
  }
  return turns;
}
