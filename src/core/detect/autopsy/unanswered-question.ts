/** `unansweredQuestion`: the question with which a run ended and that no person answered; null if it did not end with one. */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind } from '../call-kind.ts';
import { changes } from '../detectors/staleness.ts';
import { closingWords } from './run-end.ts';
import type { OpenCall } from '../agent-turn.ts';
import type { RecordedTurn } from './recorded-turn.ts';

/** The last question of a text, if not more than a request to answer it follows. */
const LAST_QUESTION = /(?:^|[.!?:\n])\s*([^.!?\n]{6,400}\?)["'*)\s]*(?:[^.!?\n]{1,160}[.!]\s*){0,2}$/;

export function unansweredQuestion(
  entries: readonly TranscriptEntry[],
  turns: readonly RecordedTurn[],
  inFlight: readonly OpenCall[],
): string | null {
  const asked = inFlight.find(({ tool, input }) => callKind(tool, input) === 'ask');
  if (asked !== undefined) return asked.input;
  // An agent that did the work and offers more has finished; a person who spoke last has answered.
  const last = entries.findLast(({ type }) => type === 'message' || type === 'result' || type === 'error');
  if (turns.some(changes) || last?.type === 'error' || (last?.type === 'message' && last.role === 'person'))
    return null;
  return LAST_QUESTION.exec(closingWords(entries))?.[1]?.trim() ?? null;
}
