/**
 * `assertOwnJournal`: throws, before a keeper takes a run, if its journal has events that no keeper wrote. What is anchored must be as it
 * was anchored. What follows the anchor can only be the last moment of a keeper that died: facts that the core would take there, and
 * words of people with their signature. Another program wrote anything else into the database, and Mayday does not act on it.
 */
import { journalTurns } from '../../core/replay/journal-turns.ts';
import { fold } from '../../core/state/fold.ts';
import { step } from '../../core/step.ts';
import type { Decision } from '../../core/vocabulary/events/event.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { isSignedWord } from '../mail/mail.ts';
import { personKeyOrNull } from '../mail/person-key.ts';
import { readEvent } from '../load-state.ts';

interface Place {
  readonly home: string;
  readonly record: RunRecord;
}

export async function assertOwnJournal(place: Place, runId: string): Promise<void> {
  const event = await foreignEvent(place, runId);
  if (event === null) return;
  throw new MaydayError(
    'JOURNAL_FORGED',
    `the journal of run ${runId} was changed by another hand than a keeper's, at event ${event}`,
    [
      ['did', 'nothing: the run is left as it is, no agent was started and nothing is delivered'],
      ['do', `mayday verify and mayday show ${runId} tell what is there; start the task again as a new run`],
    ],
  );
}

/** The number of the first event that no keeper wrote; null: there is none. */
async function foreignEvent({ home, record }: Place, runId: string): Promise<number | null> {
  const anchored = await record.anchored(runId);
  if (anchored === null) return null;
  const [changed] = anchored.changed;
  if (changed !== undefined) return changed;
  const events = (await record.events(runId)).map(readEvent);
  const turns = journalTurns(events);
  const first = Math.max(anchored.upTo, 1) + 1;
  // A decision has its fact before it, in the same commit.
  if (events.length >= first && !turns.some(({ seq }) => seq === first)) return first;
  const key = personKeyOrNull(home);
  for (const { seq, fact, decisions } of turns.filter((turn) => turn.seq >= first)) {
    const isWord = fact.type === 'question_answered' || fact.type === 'accept_requested';
    if (isWord && !isSignedWord(key, runId, fact)) return seq;
    const before = fold(runId, events.slice(0, seq - 1));
    const decided = before === null ? null : step(before, fact);
    if (decided === null || typesOf(decided.decisions) !== typesOf(decisions)) return seq;
  }
  return null;
}

function typesOf(decisions: readonly Decision[]): string {
  return decisions.map(({ type }) => type).join();
}
