/** `explainTrouble`: why a run was stuck or failed, of which class that is, and what to do first. */
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../vocabulary/classes/failure-class.ts';
import { callText } from '../detector.ts';
import { causeOf, classOf, failureText, withEdits, withErrorLine } from './autopsy-cause.ts';
import type { Reason } from './reasons/find-reason.ts';
import { openAtEnd } from './open-at-end.ts';
import { withOwnHint } from './reasons/own-hint.ts';
import { reasonOfRepeating } from './reasons/reason-of-repeating.ts';
import type { TranscriptReading } from './transcript-reading.ts';
import type { RunTrouble } from './run-trouble.ts';
import { reasonOfSameFailure } from './reasons/same-failure.ts';
import { ANSWER, type StuckPattern, stuckPattern } from './stuck-pattern.ts';
import { reasonOfSearches } from './vain-searches.ts';
import { reasonOfWandering } from './wandering.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind } from '../call-kind.ts';
import { changes } from '../detectors/staleness.ts';
import { closingWords } from './run-end.ts';
import type { OpenCall } from '../agent-turn.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { counted } from '../../text/counted.ts';
import { editsFile, editsWithin, type Repeated } from './repeated-turns.ts';
import { editedPath } from './side-effects.ts';
import { ALREADY_THERE } from './reasons/advice-by-error.ts';
import { TEST_FILE } from './reasons/switched-off.ts';

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
  /** The agent can mend it. */
  readonly isMendable: boolean;
  /** Only a person can mend it. */
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
    diagnose === null || failure === null || (reason?.[0] ?? base?.cause) || (base === null && !mayDiagnose)
      ? null
      : diagnose(failure);
  const better =
    reason ?? (repeated === null || diagnosis === null ? null : reasonOfPlace(turns, repeated, diagnosis));
  const pattern =
    base === null || better === null ? base : { ...base, cause: better[0], startHere: better[1], by: null };
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
      ? (reason?.[2] ?? classOf(state, alarms, diagnosis, pattern, endedBy))
      : 'waiting_for_input';
  return {
    pattern,
    diagnosis,
    failureClass,
    isMendable:
      by === 'agent' ||
      (!isOutside &&
        (diagnosis?.recoverable ?? (failureClass === null || FAILURE_CLASSES[failureClass].recoverable))),
    rootCause: question ?? cause,
    question,
    startHere: nextStep(record, trouble, startHereOf(record, pattern, question, reason, isOutside)),
    isOutside,
  };
}

/** What the record shows about the reason, better than the error tells it. */
function reasonOf(
  { entries, turns }: TranscriptReading,
  trouble: RunTrouble,
  base: StuckPattern | null,
): Reason | null {
  const { off, stretch, alarms, isWandering } = trouble;
  if (off !== null) return off.reason;
  if (stretch !== null && isWandering) return reasonOfWandering(entries, stretch);
  const [main] = stretch?.groups ?? [];
  if (main?.kind === 'search') return reasonOfSearches(turns, main);
  const failure = base?.failure ?? null;
  if (failure !== null) return base?.cause ? null : reasonOfSameFailure({ turns, failure });
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
  const restore = `Restore ${path} first (\`git checkout -- ${path}\`): \`${callText(turn)}\` was meant for ${meant} and was put there.`;
  return rest === null ? restore : `${restore} ${rest}`;
}

function startHereOf(
  { turns }: TranscriptReading,
  pattern: StuckPattern | null,
  question: string | null,
  reason: Reason | null,
  isOutside: boolean,
): string | null {
  const known = (question === null ? pattern?.startHere : ANSWER) ?? null;
  const failure = pattern?.failure ?? null;
  // A program that is not there advises to have it.
  const isAdvised = failure !== null && reason?.[2] !== 'missing_dependency';
  const told = isAdvised ? withOwnHint(known, { turns, failure }) : known;
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

/** What a machine, a network or an account answers. */
const NOT_IN_CODE: ReadonlySet<FailureClass> = new Set(['network_failure', 'auth_failure']);

function reasonOfPlace(
  turns: readonly RecordedTurn[],
  { turn, turns: members, count }: Repeated,
  diagnosis: Diagnosis,
): Reason | null {
  const [first, last] = [members[0] as RecordedTurn, members.at(-1) as RecordedTurn];
  const file = diagnosis.subject?.file ?? '';
  if (
    count < 2 ||
    diagnosis.failureType === 'success' ||
    diagnosis.failureType === 'unknown' ||
    editsFile(turn)
  )
    return null;
  const edits = editsWithin(turns, first.step, last.callStep);
  const paths = [...new Set(edits.flatMap((each) => editedPath(each) ?? []))];
  const cause = withErrorLine(diagnosis.rootCause, turn.errorLine).replace(/\.+$/, '');
  const named = paths.slice(0, 3).join(', ');
  const where = diagnosis.subject?.row ? `${file}, line ${diagnosis.subject.row}` : file;
  if (edits.length === 0 || file === '' || named === '') return null;
  const done = `${counted(edits.length, 'edit')} of ${named}`;
  const isSame = (path: string) =>
    path.endsWith(file.replace(/^(?:\.?\/)+/, '')) || file.endsWith(path.replace(/^\.\//, ''));
  const name = file.slice(file.lastIndexOf('/') + 1);
  const isRead = turns.some(({ input, kind }) => kind !== 'test' && input.includes(name));
  if (ALREADY_THERE.test(turn.errorLine))
    return [
      `${cause}. ${done} left it as it is in ${count} runs: probably what an earlier run made is still there`,
      `Look at what is there (the file, the table, its rows) and remove it, or let ${named} skip it; then run \`${callText(turn)}\` once.`,
    ];
  if (NOT_IN_CODE.has(diagnosis.failureType))
    return [
      `${cause}. That is not in the code: ${done} cannot mend it`,
      `${diagnosis.humanInstructions ?? diagnosis.suggestedActions[0] ?? ''} Take back what was changed for it in ${named}.`.trim(),
    ];
  if (paths.some(isSame))
    return [
      `${cause}. ${done} left it as it is: all ${count} runs fail alike, so probably the edits share an assumption that is wrong`,
      `Look at ${where} as it is now, say what the message asks for there, and change that; then run \`${callText(turn)}\` once.`,
    ];
  if (!TEST_FILE.test(file) && diagnosis.category === 'environment') return null;
  if (!TEST_FILE.test(file))
    return [
      `${cause}. It fails in ${file}, and no edit touched that: ${done} cannot mend it`,
      `Open ${where}: the failure is there. Mend it, take back what was changed for it in ${named}, and run \`${callText(turn)}\`.`,
    ];
  const unread = isRead ? '' : `Open ${where}, which was never read, and follow where the value comes from. `;
  return [
    [
      `${cause}. ${done} did not change that in ${count} runs: probably they say the same in other words,`,
      'or do not reach what the test looks at (a copy, another object, an input of another kind)',
    ].join(' '),
    `${unread}Print in ${named} what goes in and what comes out while \`${callText(turn)}\` runs; edit where it first is wrong.`,
  ];
}
