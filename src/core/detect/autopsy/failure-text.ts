/** `failureText`, `namingLine`, `unansweredQuestion`: the output of a run that names its trouble best. */
import { firstLine } from '../../text/first-line.ts';
import type { DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind, commandOf } from '../call-kind.ts';
import { TRACEBACK } from '../error-line.ts';
import { readResult } from '../result-text.ts';
import { changes } from '../staleness.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import type { Repeated } from './repeated-turns.ts';
import { closingWords, endOf } from './run-end.ts';
import type { TranscriptReading } from './transcript-reading.ts';

/**
 * The output that names the trouble best: the failure that repeats most while the run was stuck; otherwise the last error of the agent
 * itself; otherwise the last failed call.
 */
export function failureText(
  { entries, turns }: TranscriptReading,
  main: Repeated | null,
): DiagnosisInput | null {
  const error = entries.findLast(
    (entry) =>
      entry.type === 'error' || (entry.type === 'result' && entry.isError) || isCrash(entry, entries),
  );
  if (error !== undefined && 'text' in error && main === null)
    return { output: error.text.slice(Math.max(0, error.text.indexOf(TRACEBACK))) };
  // A failure that came once while the run was stuck is not why it was stuck.
  const turn = main === null ? lastFailure(turns) : main.turn.failed ? main.turn : undefined;
  return turn === undefined ? null : { output: turn.output, command: commandOf(turn.input) };
}

/** A program that never worked afterwards tells more than a look at what is not there. */
function lastFailure(turns: readonly RecordedTurn[]): RecordedTurn | undefined {
  const broken = turns.findLast(
    (each) =>
      each.failed &&
      (each.kind === 'test' || each.kind === 'run') &&
      !turns.some((later) => later.step > each.step && (changes(later) || later.call === each.call)),
  );
  return broken ?? turns.findLast((each) => each.failed);
}

function isCrash(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): boolean {
  return entry === entries.at(-1) && entry.type === 'message' && endOf(entries, []) === 'error';
}

export function namingLine(output: string): string {
  const { errorLine } = readResult({ output, isError: true, marksErrors: true, input: '', kind: 'other' });
  return errorLine || firstLine(output).slice(0, 300);
}

/** The last question of a text, if not more than a request to answer it follows. */
const LAST_QUESTION = /(?:^|[.!?:\n])\s*([^.!?\n]{6,400}\?)["'*)\s]*(?:[^.!?\n]{1,160}[.!]\s*){0,2}$/;

export function unansweredQuestion({ entries, turns, inFlight }: TranscriptReading): string | null {
  const asked = inFlight.find(({ tool, input }) => callKind(tool, input) === 'ask');
  if (asked !== undefined) return asked.input;
  // An agent that did the work and offers more has finished; a person who spoke last has answered.
  const last = entries.findLast(({ type }) => type === 'message' || type === 'result' || type === 'error');
  if (turns.some(changes) || last?.type === 'error' || (last?.type === 'message' && last.role === 'person'))
    return null;
  return LAST_QUESTION.exec(closingWords(entries))?.[1]?.trim() ?? null;
}
