/** `explainTrouble`, `surestOf`: what the record proves about why a run was stuck or failed. It never guesses why. */
import { counted } from '../../text/counted.ts';
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import { type Signal, SIGNALS } from '../../vocabulary/signal.ts';
import { callText, quote } from '../detector.ts';
import { failureText, namingLine, unansweredQuestion } from './failure-text.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { allOf, editsFile, editsWithin, failsOtherwise, type Repeated } from './repeated-turns.ts';
import { type RepeatedLine, repeatedLine } from './repeated-line.ts';
import type { TranscriptEnd } from './run-end.ts';
import type { RunTrouble } from './run-trouble.ts';
import { editedPaths } from './side-effects.ts';
import type { TranscriptReading } from './transcript-reading.ts';

export type Diagnose = (input: DiagnosisInput) => Diagnosis;

export interface Explanation {
  readonly diagnosis: Diagnosis | null;
  readonly class: FailureClass | null;
  /** A sentence with what the record shows; where that is not why, the sentence says so. */
  readonly rootCause: string | null;
  /** The line that the calls of the stretch print most often, word for word. */
  readonly repeatedLine: RepeatedLine | null;
  /** A question with which the run ended and that no person answered. */
  readonly question: string | null;
  /** True: only a person can mend it, by a question or a proven diagnosis. */
  readonly needsPerson: boolean;
  /** What to do about a failure whose class is proven: never about a loop. */
  readonly advice: string | null;
}

/** From here on a diagnosis counts as proven. */
const PROVEN = 0.9;
const WHY_UNKNOWN = 'why is not proven';

export function explainTrouble(
  record: TranscriptReading,
  trouble: RunTrouble,
  diagnose: Diagnose | null,
): Explanation {
  const { state, overIn } = trouble;
  const where = trouble.stretch ?? trouble.left;
  const main = where?.groups[0] ?? null;
  const failure = failureText(record, where === null ? null : main);
  const isSilent = state === 'finished' || state === 'unknown' || record.endedBy === 'limit';
  const told = failure === null || (where === null && isSilent) ? null : (diagnose?.(failure) ?? null);
  const diagnosis = told !== null && told.failureType !== 'success' ? told : null;
  const isProven =
    diagnosis !== null && diagnosis.failureType !== 'unknown' && diagnosis.confidence >= PROVEN;
  const proven = isProven ? diagnosis : null;
  // An error that the agent itself ended with is of its own class, however sure that is.
  const ended = record.endedBy === 'error' && where === null ? diagnosis : proven;
  const question = trouble.stretch === null ? unansweredQuestion(record) : null;
  const failing = main?.turn.failed === true ? allOf(record.turns, main) : null;
  const line = where === null ? null : repeatedLine(failing ?? where.turns);
  const failureClass =
    question === null ? classOf(trouble, main, ended, record.endedBy) : 'waiting_for_input';
  return {
    diagnosis,
    class: failureClass,
    rootCause: question ?? causeOf({ trouble, record, main, proven, failure, line }),
    repeatedLine: line,
    question,
    needsPerson: question !== null || (overIn === null && proven?.recoverable === false),
    advice:
      proven?.failureType === failureClass
        ? (proven.humanInstructions ?? proven.suggestedActions[0] ?? null)
        : null,
  };
}

const ENDED_AS: Readonly<Partial<Record<TranscriptEnd, FailureClass>>> = {
  person: 'interrupted',
  limit: 'budget_exhausted',
  result: 'false_success',
};

function classOf(
  { state, alarms }: RunTrouble,
  main: Repeated | null,
  read: Diagnosis | null,
  endedBy: TranscriptEnd,
): FailureClass | null {
  const classes = alarms.map((signal) => SIGNALS[signal.type].class);
  const limit = alarms.some(({ severity }) => severity === 'critical') ? classes[0] : undefined;
  switch (state) {
    case 'stuck':
      if (main?.kind === 'ask') return 'waiting_for_input';
      if (main?.kind === 'look') return 'stalled';
      return classes.includes('looping') ? 'looping' : (classes[0] ?? 'looping');
    case 'failed':
      // A limit ends work of any kind: a failure before it is not why.
      if (endedBy === 'limit' || endedBy === 'person') return ENDED_AS[endedBy] ?? null;
      if (read !== null && read.failureType !== 'success') return read.failureType;
      return ENDED_AS[endedBy] ?? limit ?? 'unknown';
    case 'progressing':
      return main?.kind === 'ask' ? 'waiting_for_input' : main === null ? null : (classes[0] ?? null);
    case 'finished':
    case 'unknown':
      return null;
  }
}

interface Known {
  readonly trouble: RunTrouble;
  readonly record: TranscriptReading;
  readonly main: Repeated | null;
  readonly proven: Diagnosis | null;
  readonly failure: DiagnosisInput | null;
  readonly line: RepeatedLine | null;
}

function causeOf(known: Known): string | null {
  const { trouble, record, main, proven } = known;
  const { state, stretch, left } = trouble;
  const isOpen = stretch !== null || left !== null;
  if (state !== 'failed' && !isOpen) return null;
  if (record.endedBy === 'limit' && main === null) return 'its limit of money, turns or time was reached';
  if (!isOpen && proven !== null) return proven.rootCause;
  const shown = shownCause(known)?.replace(/(?<!\.)\.$/, '');
  return shown === undefined ? null : `${shown}${editsBetween(main, record.turns)}; ${WHY_UNKNOWN}`;
}

function shownCause({ trouble: { alarms }, main, failure, line }: Known): string | undefined {
  if (line !== null)
    return `${counted(line.turns.length, 'failing call')} printed this line: "${quote(line.text)}"`;
  if (main !== null) return repetition(main);
  return surestOf(alarms)?.reason ?? (failure === null ? undefined : namingLine(failure.output));
}

function repetition(main: Repeated): string {
  const { turn, turns, count } = main;
  // A check that was red once, at the end.
  if (turn.failed && count === 1) return `\`${callText(turn)}\` failed: ${quote(turn.errorLine)}`;
  if (turn.failed) {
    const how = failsOtherwise(main) ? 'in another way each time, one of them' : 'alike';
    const isOneCall = new Set(turns.map(callText)).size === 1;
    const what = isOneCall ? `\`${callText(turn)}\`` : `calls such as \`${callText(turn)}\``;
    return `${what} failed ${count} times ${how}: ${quote(turn.errorLine)}`;
  }
  if (editsFile(turn)) return `the same edit was made ${count} times, and accepted: \`${callText(turn)}\``;
  const isSame = new Set(turns.map(({ result }) => result)).size === 1;
  const answered = turn.barren
    ? ' and answered nothing'
    : isSame
      ? ' and gave the same answer each time'
      : '';
  return `\`${callText(turn)}\` was made ${count} times${answered}`;
}

function editsBetween(main: Repeated | null, turns: readonly RecordedTurn[]): string {
  const edits = main?.turn.failed === true ? editsWithin(turns, main.first.step, main.last.callStep) : [];
  const paths = editedPaths(edits);
  const named = `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ' and others' : ''}`;
  return paths.length === 0 ? '' : `; ${counted(edits.length, 'edit')} in between (${named})`;
}

export function surestOf(signals: readonly Signal[]): Signal | undefined {
  const rank = ({ type }: Signal) => SIGNALS[type].exactness ?? Number.MAX_SAFE_INTEGER;
  return signals.toSorted((a, b) => rank(a) - rank(b) || b.confidence - a.confidence)[0];
}
