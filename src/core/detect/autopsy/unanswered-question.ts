/** `unansweredQuestion`: the question with which a run ended and that no person answered; null if it did not end with one. */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind } from '../call-kind.ts';
import { changes } from '../detectors/staleness.ts';
import type { OpenCall, Turn } from '../turn.ts';

/** The last sentence of a text, if it asks. */
const LAST_QUESTION = /(?:^|[.!?:\n])\s*([^.!?\n]{6,400}\?)["'*)\s]*$/;

export function unansweredQuestion(
  entries: readonly TranscriptEntry[],
  turns: readonly Turn[],
  inFlight: readonly OpenCall[],
): string | null {
  const asked = inFlight.find(({ tool, input }) => callKind(tool, input) === 'ask');
  if (asked !== undefined) return asked.input;
  const last = entries.findLast(({ type }) => type !== 'usage' && type !== 'unknown' && type !== 'progress');
  const isWord =
    (last?.type === 'message' && last.role === 'agent') || (last?.type === 'result' && !last.isError);
  // An agent that did the work and offers more has finished.
  if (!isWord || turns.some(changes)) return null;
  return LAST_QUESTION.exec(last.text.slice(-800).trimEnd())?.[1]?.trim() ?? null;
}
