/**
 * `classOf`, `causeOf`, `withEdits`, `withErrorLine`, `failureText`: why a run got stuck or failed: the class, the sentence, what was
 * edited in vain, the line that repeated, and the output from which they were read. `surestOf`: of several signals.
 */
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import { type Signal, SIGNALS } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { commandOf } from '../call-kind.ts';
import { LISTED_LINE, TRACEBACK } from '../error-line.ts';
import { readResult, withoutStatus } from '../result-text.ts';
import { endOf, type TranscriptEnd } from './run-end.ts';
import { callText, quote } from '../detector.ts';
import { inRecord, otherResults, tellOthers } from './other-results.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { changes } from '../staleness.ts';
import { editsFile, editsWithin, failsOtherwise, type Repeated } from './repeated-turns.ts';
import type { StuckPattern } from './stuck-pattern.ts';
import { counted } from '../../text/counted.ts';
import { firstLine } from '../../text/first-line.ts';

export type AutopsyState = 'progressing' | 'stuck' | 'failed' | 'finished' | 'unknown';

/**
 * The output that names the trouble best: the failure that repeats most while the run was stuck; otherwise the last error of the agent
 * itself; otherwise the last failed call.
 */
export function failureText(
  entries: readonly TranscriptEntry[],
  turns: readonly RecordedTurn[],
  pattern: StuckPattern | null,
): DiagnosisInput | null {
  // A failure that came once while the run was stuck is not why it was stuck.
  const turn = pattern === null ? lastFailure(turns) : pattern.failure?.turn;
  const error = entries.findLast(
    (entry) =>
      entry.type === 'error' || (entry.type === 'result' && entry.isError) || isCrash(entry, entries),
  );
  if (error !== undefined && 'text' in error && pattern === null)
    return { output: error.text.slice(Math.max(0, error.text.indexOf(TRACEBACK))) };
  if (turn === undefined) return null;
  const result = entries[turn.step];
  const output =
    result?.type === 'tool_result' ? result.output : result?.type === 'error' ? result.text : turn.errorLine;
  return { output: editsFile(turn) ? withoutListing(output) : output, command: commandOf(turn.input) };
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

/** The last entry is a message that reports a crash. */
function isCrash(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): boolean {
  return entry === entries.at(-1) && entry.type === 'message' && endOf(entries, []) === 'error';
}

/** An editor that refuses shows the file; its lines say nothing about the refusal. */
function withoutListing(output: string): string {
  const told = output.split('\n').filter((line) => !LISTED_LINE.test(line));
  return told.join('\n').trim() === '' ? output : told.join('\n');
}

const ENDED_AS: Readonly<Partial<Record<TranscriptEnd, FailureClass>>> = {
  person: 'interrupted',
  limit: 'budget_exhausted',
  result: 'false_success',
};

/** `alarms`: the signals that nothing resolved; of a run that was not stuck, its warnings. */
export function classOf(
  state: AutopsyState,
  alarms: readonly Signal[],
  diagnosis: Diagnosis | null,
  pattern: StuckPattern | null,
  endedBy: TranscriptEnd,
): FailureClass | null {
  switch (state) {
    case 'stuck': {
      if (pattern?.call?.kind === 'ask') return 'waiting_for_input';
      if (pattern?.call?.kind === 'look') return 'stalled';
      const classes = alarms.map((signal) => SIGNALS[signal.type].class);
      return classes.includes('looping') ? 'looping' : (classes[0] ?? 'looping');
    }
    case 'failed':
      // A limit ends work of any kind: a failure that came once before it is not why.
      if (endedBy === 'limit' && pattern === null) return 'budget_exhausted';
      if (diagnosis !== null && diagnosis.failureType !== 'success') return diagnosis.failureType;
      return ENDED_AS[endedBy] ?? 'unknown';
    case 'progressing': {
      if (pattern === null) return null;
      const [warning] = alarms;
      return warning === undefined ? 'looping' : SIGNALS[warning.type].class;
    }
    case 'finished':
    case 'unknown':
      return null;
  }
}

export function causeOf(
  state: AutopsyState,
  alarms: readonly Signal[],
  diagnosis: Diagnosis | null,
  failure: DiagnosisInput | null,
  pattern: StuckPattern | null,
): string | null {
  if (state !== 'stuck' && state !== 'failed' && pattern === null) return null;
  if (pattern !== null && pattern.cause !== null) return pattern.cause;
  // A sentence about the answer of an editor tells less than the line for which it refuses the edit.
  const failing = pattern?.failure?.turn;
  const isTold = failing === undefined || !editsFile(failing);
  if (
    isTold &&
    diagnosis !== null &&
    diagnosis.failureType !== 'success' &&
    diagnosis.failureType !== 'unknown'
  )
    return BARE_STATUS.test(diagnosis.rootCause) && failure !== null
      ? statusTold(failure, diagnosis.rootCause)
      : withErrorLine(diagnosis.rootCause, failing?.errorLine ?? '');
  const repeats = pattern === null ? null : repetition(pattern);
  if (repeats !== null) return repeats;
  const surest = surestOf(alarms);
  return surest?.reason ?? (failure ? namingLine(failure.output) : null);
}

/** The line of an output that names its failure, otherwise the first. */
function namingLine(output: string): string {
  const { errorLine } = readResult({ output, isError: true, marksErrors: true, input: '', kind: 'other' });
  return errorLine || firstLine(output).slice(0, 300);
}

const BARE_STATUS = /^exit code -?\d+\.?$/i;

/** A status alone tells nothing: which command ended with it, and what it said last. */
function statusTold({ output, command }: DiagnosisInput, status: string): string {
  const last = withoutStatus(output).trim().split('\n').at(-1) ?? '';
  const said = last === '' ? 'printed nothing' : `said last: ${quote(last)}`;
  return `\`${quote(command ?? '')}\` ended with ${status.toLowerCase().replace(/\.$/, '')} and ${said}`;
}

/** Marks before a line make it a little longer. */
const LONGER_CHARS = 12;
/** A word that names one thing. */
const NAMING_WORD = /[\d/_]|[a-z][A-Z]/;

/** The diagnosis in its own words, and the line that repeated where they leave most of it out. */
export function withErrorLine(rootCause: string, errorLine: string): string {
  const [bare = '', place = ''] = rootCause.split(/ (?=\([^()]*:\d+\)\.?$)/);
  // The line holds the cause and more: the line instead.
  if (
    bare !== '' &&
    errorLine.length > rootCause.length + LONGER_CHARS &&
    errorLine.includes(bare.replace(/\.+$/, ''))
  )
    return `${quote(errorLine)} ${place}`.trim();
  const all = [...new Set(errorLine.match(/[\w.:/-]{4,}/g))];
  const naming = all.filter((word) => NAMING_WORD.test(word));
  const words = new Set(naming.length > 1 ? naming : all);
  const said = [...words].filter((word) => rootCause.includes(word)).length;
  // Less than half of its words are in the cause: both.
  return said * 2 >= words.size ? rootCause : `${rootCause.replace(/\.+$/, '')}: ${quote(errorLine)}`;
}

const SHOWS: Readonly<Record<StuckPattern['shows'], string>> = {
  'the same page': 'stayed on the same page each time',
  'no effect': 'changed nothing: each answer begins alike',
  'another part': 'showed another part each time',
  'nothing new': 'gave the same answer each time',
};

/** What the run did over and over, rather than that it did so. */
function repetition({ failure, call, shows }: StuckPattern): string | null {
  // A check that was red once, at the end.
  if (failure?.count === 1) return `${callText(failure.turn)} failed: ${quote(failure.turn.errorLine)}`;
  if (failure !== null) {
    const how = failsOtherwise(failure) ? 'in another way each time, one of them' : 'alike';
    return `${callText(failure.turn)} failed ${failure.count} times ${how}: ${quote(failure.turn.errorLine)}`;
  }
  if (call === null) return null;
  if (editsFile(call.turn))
    return `the same edit was made ${call.count} times, and accepted: ${callText(call.turn)}`;
  const looks = call.turn.kind === 'read' || call.turn.kind === 'search';
  const found = call.turn.barren ? `${looks ? 'found' : 'printed'} nothing each time` : SHOWS[shows];
  const isSame = new Set(call.turns.map(({ result }) => result)).size === 1;
  return `${callText(call.turn)} was made ${call.count} times${shows === 'nothing new' && !isSame ? '' : ` and ${found}`}`;
}

/** Adds what was edited between the failures, and whether that made a difference. */
export function withEdits(
  cause: string | null,
  failure: Repeated | null,
  turns: readonly RecordedTurn[],
): string | null {
  if (cause === null || failure === null || editsFile(failure.first)) return cause;
  const edits = editsWithin(turns, failure.first.step, failure.last.callStep);
  const paths = new Set(edits.flatMap(({ edit }) => edit?.path ?? []));
  if (edits.length === 0 || paths.size === 0) return cause;
  const named = `${[...paths].slice(0, 3).join(', ')}${paths.size > 3 ? ' and others' : ''}`;
  const others = otherResults(turns, inRecord(turns, failure));
  const done = `${cause.replace(/\.+$/, '')}; ${counted(edits.length, 'edit')} came in between (${named})`;
  return others.length === 0 ? done : `${done}, with other results meanwhile (${tellOthers(others)})`;
}

export function surestOf(signals: readonly Signal[]): Signal | undefined {
  const rank = ({ type }: Signal) => SIGNALS[type].exactness ?? Number.MAX_SAFE_INTEGER;
  return signals.toSorted((a, b) => rank(a) - rank(b) || b.confidence - a.confidence)[0];
}
