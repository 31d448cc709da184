/** `explainTrouble`: why a run was stuck or failed, of which class that is, and what to do first. */
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import { callText } from '../detector.ts';
import { causeOf, classOf, failureText, withEdits } from './autopsy-cause.ts';
import { type Reason, takeBack } from './reasons/find-reason.ts';
import { openAtEnd } from './open-at-end.ts';
import { withOwnHint } from './reasons/own-hint.ts';
import { reasonOfPlace } from './reasons/reason-of-place.ts';
import { reasonOfRepeating } from './reasons/reason-of-repeating.ts';
import type { TranscriptReading } from './transcript-reading.ts';
import type { RunTrouble } from './run-trouble.ts';
import { editsFile } from './repeated-turns.ts';
import { waysTried } from './reasons/ways-out.ts';
import { reasonOfSameFailure } from './reasons/same-failure.ts';
import { ANSWER, type StuckPattern, stuckPattern } from './stuck-pattern.ts';
import { reasonOfSearches } from './vain-searches.ts';
import { reasonOfWandering } from './wandering.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind } from '../call-kind.ts';
import { changes } from '../staleness.ts';
import { closingWords } from './run-end.ts';
import type { OpenCall } from '../agent-turn.ts';
import type { RecordedTurn } from './recorded-turn.ts';

export type Diagnose = (input: DiagnosisInput) => Diagnosis;

export interface Explanation {
  /** What it did again and again. */
  readonly pattern: StuckPattern | null;
  readonly diagnosis: Diagnosis | null;
  readonly failureClass: FailureClass | null;
  readonly rootCause: string | null;
  /** A question with which the run ended and that no person answered. */
  readonly question: string | null;
  readonly startHere: string | null;
  /** Null where the record proves neither. */
  readonly mendableBy: 'agent' | 'person' | null;
  /** A person is asked first. */
  readonly isOutside: boolean;
}

export function explainTrouble(
  record: TranscriptReading,
  trouble: RunTrouble,
  diagnose: Diagnose | null,
): Explanation {
  const { entries, turns, endedBy } = record;
  const { state, alarms } = trouble;
  const where = trouble.stretch ?? trouble.left;
  const base = where === null ? null : stuckPattern(where, alarms, turns);
  const repeated = base?.failure ?? null;
  const reason = reasonOf(record, trouble, base);
  const failure = failureText(entries, turns, base);
  const mayDiagnose = state !== 'finished' && state !== 'unknown' && endedBy !== 'limit';
  const diagnosis =
    diagnose === null || failure === null || (reason?.cause ?? base?.cause) || (base === null && !mayDiagnose)
      ? null
      : diagnose(failure);
  const better =
    reason ??
    (repeated === null || diagnosis === null
      ? null
      : reasonOfPlace({ turns, failure: repeated, task: record.task }, diagnosis, base?.startHere ?? null));
  const pattern =
    base === null || better === null
      ? base
      : { ...base, cause: better.cause, startHere: better.startHere, by: reason === null ? base.by : null };
  const question = trouble.stretch !== null ? null : unansweredQuestion(entries, turns, record.inFlight);
  const by = question === null && trouble.overIn === null ? (pattern?.by ?? null) : null;
  const isForeign = diagnosis !== null && diagnosis.failureType !== 'success' && !diagnosis.recoverable;
  const isOutside = by === 'person' || (by === null && isForeign);
  const cause =
    state === 'failed' && endedBy === 'limit' && pattern === null
      ? 'its limit of money, turns or time was reached'
      : withEdits(
          causeOf(state, endedBy === 'error' ? [] : alarms, diagnosis, failure, pattern),
          better === null ? repeated : null,
          turns,
        );
  const failureClass =
    question === null
      ? (reason?.failureClass ?? classOf(state, alarms, diagnosis, pattern, endedBy))
      : 'waiting_for_input';
  return {
    pattern,
    diagnosis,
    failureClass,
    mendableBy:
      question === null
        ? mendableBy(record, trouble, pattern, by, reason?.failureClass, diagnosis?.failureType)
        : 'person',
    rootCause: question ?? tidied(cause),
    question,
    startHere: tidied(nextStep(record, trouble, startHereOf(record, pattern, question, reason, isOutside))),
    isOutside,
  };
}

/**
 * A person: an account or a right is missing, or each way to have what is absent failed. The agent: it got over the trouble, or the same
 * editor took another of its edits.
 */
function mendableBy(
  { turns }: TranscriptReading,
  { overIn }: RunTrouble,
  pattern: StuckPattern | null,
  by: StuckPattern['by'],
  reasonClass: FailureClass | undefined,
  told: Diagnosis['failureType'] | undefined,
): Explanation['mendableBy'] {
  if (overIn !== null) return 'agent';
  const isBarred =
    reasonClass === 'environment' || (reasonClass === 'missing_dependency' && waysTried(turns, 0).length > 0);
  if (by === 'person' || isBarred || (reasonClass ?? told) === 'auth_failure') return 'person';
  const refused = pattern?.failure?.turn;
  const isRefusedEdit = refused !== undefined && editsFile(refused);
  return isRefusedEdit && turns.some((turn) => changes(turn) && turn.tool === refused.tool) ? 'agent' : null;
}

/** A quoted sentence brings its own end. */
function tidied(text: string | null): string | null {
  return text === null ? null : text.replace(/(?<!\.)\.\.(?=[\s;,)]|$)/g, '.').replace(/…\.(?=\s|$)/g, '…');
}

/** What the record shows about the reason, better than the error tells it. */
function reasonOf(
  { entries, turns, task }: TranscriptReading,
  trouble: RunTrouble,
  base: StuckPattern | null,
): Reason | null {
  const { off, stretch, alarms, isWandering } = trouble;
  if (off !== null) return off.reason;
  if (stretch !== null && isWandering) return reasonOfWandering(entries, stretch);
  const [main] = stretch?.groups ?? [];
  if (main?.kind === 'search') return reasonOfSearches(turns, main);
  const failure = base?.failure ?? null;
  if (failure !== null) return base?.cause ? null : reasonOfSameFailure({ turns, failure, task });
  return stretch === null ? null : reasonOfRepeating(entries, turns, stretch, alarms);
}

/** What was put into the wrong file is taken back first; a trouble that is over needs no advice. */
function nextStep(
  record: TranscriptReading,
  { state, overIn, misplaced }: RunTrouble,
  told: string | null,
): string | null {
  const rest = overIn === null ? told : openAtEnd(record);
  if (misplaced === null || (state !== 'stuck' && state !== 'failed')) return rest;
  const { path, meant, turn } = misplaced;
  const restore = `${takeBack(path)} first: \`${callText(turn)}\` was meant for ${meant} and was put there.`;
  return rest === null ? restore : `${restore} ${rest}`;
}

function startHereOf(
  { turns, task }: TranscriptReading,
  pattern: StuckPattern | null,
  question: string | null,
  reason: Reason | null,
  isOutside: boolean,
): string | null {
  const known = (question === null ? pattern?.startHere : ANSWER) ?? null;
  const failure = pattern?.failure ?? null;
  // A program that is not there advises to have it.
  const isAdvised = failure !== null && reason?.failureClass !== 'missing_dependency';
  const told = isAdvised ? withOwnHint(known, { turns, failure, task }) : known;
  // What only a person can mend is told by the diagnosis.
  return told ?? (isOutside ? null : (pattern?.otherwise ?? null));
}

/** The last question of a text, if not more than a request to answer it follows. */
const LAST_QUESTION = /(?:^|[.!?:\n])\s*([^.!?\n]{6,400}\?)["'*)\s]*(?:[^.!?\n]{1,160}[.!]\s*){0,2}$/;

function unansweredQuestion(
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
