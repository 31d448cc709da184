/**
 * `autopsy`: tells what happened in a run that is over or that Mayday did not watch: where it got stuck, since when, what that cost, why,
 * and what to do next. It uses only the transcript; if that shows too little, the state is `unknown`.
 */
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../vocabulary/classes/failure-class.ts';
import type { Strategy } from '../../vocabulary/classes/class-rule.ts';
import { type Signal, stops } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { markWithoutChance } from '../../text/quote-fenced.ts';
import { autopsyBrief } from './autopsy-brief.ts';
import { outputOf } from './find-reason.ts';
import { type AutopsyState, causeOf, classOf, failureText, surestOf, withEdits } from './autopsy-cause.ts';
import type { DetectPolicy } from '../detector.ts';
import { couldRun, lastCheck } from './last-check.ts';
import { type TranscriptEnd, endOf } from './run-end.ts';
import { changes } from '../detectors/staleness.ts';
import type { ModelSuspect } from './model-suspect.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import { ANSWER, stuckPattern } from './stuck-pattern.ts';
import {
  endlessStretch,
  openStretch,
  RECOVERED_TURNS,
  type StuckStretch,
  stuckStretch,
  usefulAfter,
} from './stuck-stretch.ts';
import { reasonOfPlace } from './reason-of-place.ts';
import { reasonOfRepeating, unmovedStretch } from './reason-of-repeating.ts';
import { withOwnHint } from './own-hint.ts';
import { reasonOfSameFailure } from './same-failure.ts';
import { switchedOff } from './switched-off.ts';
import { suspectStep } from './suspect-step.ts';
import { unansweredQuestion } from './unanswered-question.ts';
import type { OpenCall, AgentTurn } from '../agent-turn.ts';
import { createWatch, watchNext } from '../watch.ts';

export type Diagnose = (input: DiagnosisInput) => Diagnosis;

export interface Autopsy {
  readonly id: string | null;
  readonly state: AutopsyState;
  readonly signals: readonly Signal[];
  readonly firstStuckStep: number | null;
  readonly class: FailureClass | null;
  readonly rootCause: string | null;
  /** A question with which the run ended and that no person answered. */
  readonly question: string | null;
  readonly diagnosis: Diagnosis | null;
  readonly suspectedStep: number | null;
  /** The suspect that a model named, in place of the one by the rules. */
  readonly suspect?: ModelSuspect;
  readonly wastedSteps: number;
  readonly next: {
    readonly strategy: Strategy | null;
    readonly brief: string | null;
    /** What to do first, by what repeated while it was stuck. */
    readonly startHere: string | null;
  };
  /** The text with which the run began. */
  readonly task: string;
  readonly turns: readonly AgentTurn[];
  /** The surest warning that stood when the record ends, of a run that was not stuck. */
  readonly warning: Signal | null;
  /** What it did again and again while it was stuck. */
  readonly repeats: Repeated | null;
  /** Where a run that finished was stuck on its way, and what it did there again and again. */
  readonly gotOver: StuckStretch | null;
  /** The last change of a file before it got stuck, or of all if it was not stuck; null if the record shows none. */
  readonly lastChange: AgentTurn | null;
  /** The last test, build or lint that was run; null if the record shows none. */
  readonly lastCheck: AgentTurn | null;
  readonly endedBy: TranscriptEnd;
  /** The calls without a result when the transcript ends. */
  readonly inFlight: readonly OpenCall[];
}

const TELLING_TURNS = 3;

export function autopsy(
  id: string | null,
  entries: readonly TranscriptEntry[],
  diagnose: Diagnose | null = null,
  limits: Partial<DetectPolicy> = {},
  mark: string = markWithoutChance(id ?? ''),
): Autopsy {
  const { signals, turns, inFlight } = observe(entries, limits);
  const endedBy = endOf(entries, turns);
  const check = lastCheck(turns);
  const isRed = check !== null && check.failed && couldRun(check);
  const isDone = endedBy === 'result' && !isRed;
  const critical = unresolved(signals, turns, isDone);
  const stretch =
    critical.length > 0
      ? stuckStretch(turns, critical)
      : (endlessStretch(turns, isDone) ?? (isDone ? null : unmovedStretch(entries, turns)));
  const isOpen = stretch === null && !isDone;
  const warnings = isOpen ? signals.filter((signal) => stops(signal) && !isOver(signal, turns)) : [];
  // What a run left behind without being stuck in it.
  const task = taskOf(entries);
  const off = isDone && stretch === null ? switchedOff(entries, turns, task) : null;
  const openCheck = isRed || (endedBy === 'limit' && check?.failed === true) ? check : null;
  const left =
    off !== null
      ? openStretch(
          turns.filter(({ step }) => step <= off.red.step),
          off.red,
          true,
        )
      : isOpen
        ? leftBehind(turns, endedBy, warnings, openCheck)
        : null;
  const alarms = stretch === null ? warnings : critical;
  const state = stretch === null ? stateOf(entries, turns, endedBy, left !== null) : 'stuck';
  const firstStuckStep = stretch?.fromStep ?? null;
  const trouble = stretch ?? left;
  const base = trouble === null ? null : stuckPattern(trouble, alarms, (turn) => outputOf(entries, turn));
  const repeated = base?.failure ?? null;
  const reason =
    off?.reason ??
    (repeated !== null
      ? base?.cause
        ? null
        : reasonOfSameFailure({ entries, turns, failure: repeated })
      : stretch === null
        ? null
        : reasonOfRepeating(entries, turns, stretch, alarms));
  const failure = failureText(entries, turns, base);
  const mayDiagnose = state !== 'finished' && state !== 'unknown' && endedBy !== 'limit';
  const diagnosis =
    diagnose === null || failure === null || (reason?.[0] ?? base?.cause) || (base === null && !mayDiagnose)
      ? null
      : diagnose(failure);
  const better =
    reason ??
    (repeated === null || diagnosis === null ? null : reasonOfPlace(entries, turns, repeated, diagnosis));
  const pattern =
    base === null || better === null ? base : { ...base, cause: better[0], startHere: better[1] };
  const question = stretch !== null ? null : unansweredQuestion(entries, turns, inFlight);
  const failureClass =
    question === null
      ? (reason?.[2] ?? classOf(state, alarms, diagnosis, pattern, endedBy))
      : 'waiting_for_input';
  const repeats = pattern?.call ?? null;
  // An edit that is made again and again is the trouble, not the change before it.
  const before =
    (repeats !== null && editsFile(repeats.turn) ? repeats.turns[0]?.callStep : firstStuckStep) ?? Infinity;
  const lastChange = turns.findLast((turn) => changes(turn) && turn.step < before) ?? null;
  const rootCause =
    question ??
    (state === 'failed' && endedBy === 'limit' && pattern === null
      ? 'its limit of money, turns or time was reached'
      : withEdits(
          causeOf(state, endedBy === 'error' ? [] : alarms, diagnosis, failure, pattern),
          better === null ? repeated : null,
          turns,
        ));
  const isOutside = diagnosis !== null && diagnosis.failureType !== 'success' && !diagnosis.recoverable;
  // What only a person can mend is told by the diagnosis.
  const told =
    (question === null ? pattern?.startHere : ANSWER) ?? (isOutside ? null : pattern?.otherwise) ?? null;
  // A program that is not there advises to have it.
  const startHere =
    repeated === null || reason?.[2] === 'missing_dependency'
      ? told
      : withOwnHint(told, { entries, turns, failure: repeated });
  return {
    id,
    state,
    signals,
    firstStuckStep,
    class: failureClass,
    rootCause,
    question,
    diagnosis,
    suspectedStep:
      state === 'finished' || state === 'progressing'
        ? null
        : stretch === null
          ? suspectStep(entries, signals)
          : (stretch.groups[0]?.turns[0]?.callStep ?? stretch.fromStep),
    wastedSteps: firstStuckStep === null ? 0 : entries.length - firstStuckStep,
    next: nextOf(failureClass, isOutside, {
      task,
      turns,
      firstStuckStep,
      rootCause,
      startHere,
      mark,
    }),
    task,
    turns,
    warning: surestOf(warnings) ?? null,
    repeats,
    gotOver: isDone && stretch === null ? overcome(signals, turns) : null,
    lastChange,
    lastCheck: check,
    endedBy,
    inFlight,
  };
}

function observe(
  entries: readonly TranscriptEntry[],
  limits: Partial<DetectPolicy>,
): {
  signals: readonly Signal[];
  turns: readonly AgentTurn[];
  inFlight: readonly OpenCall[];
} {
  let watch = createWatch(limits);
  const signals: Signal[] = [];
  const turns: AgentTurn[] = [];
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    if (watched.turn !== null) turns.push(watched.turn);
    signals.push(...watched.signals);
  }
  return { signals, turns, inFlight: watch.trail.open };
}

/** The signals for which it would have been stopped, unless it finished long after them. */
function unresolved(
  signals: readonly Signal[],
  turns: readonly AgentTurn[],
  isDone: boolean,
): readonly Signal[] {
  const critical = signals.filter((signal) => stops(signal) && signal.severity === 'critical');
  const last = critical.at(-1);
  return last === undefined || (isDone && isOver(last, turns)) ? [] : critical;
}

/** The stretch up to the last signal for which it would have been stopped. */
function overcome(signals: readonly Signal[], turns: readonly AgentTurn[]): StuckStretch | null {
  const critical = unresolved(signals, turns, false);
  const end = critical.at(-1)?.atStep;
  if (end === undefined) return null;
  return stuckStretch(
    turns.filter(({ step }) => step <= end),
    critical,
  );
}

function leftBehind(
  turns: readonly AgentTurn[],
  endedBy: TranscriptEnd,
  warnings: readonly Signal[],
  red: AgentTurn | null,
): StuckStretch | null {
  if (endedBy === 'person' || endedBy === 'error') return null;
  if (endedBy === 'cut off' && warnings.length > 0) return stuckStretch(turns, warnings);
  const open = openStretch(turns, red, endedBy === 'result');
  if (endedBy === 'limit' && open === null && warnings.length > 0) return stuckStretch(turns, warnings);
  return endedBy !== 'cut off' || (red !== null && (open?.groups[0]?.count ?? 0) >= RED_RUNS) ? open : null;
}

/** A check that is red in as many runs when the record ends is the story of it. */
const RED_RUNS = 4;

function isOver({ atStep }: Signal, turns: readonly AgentTurn[]): boolean {
  return usefulAfter(turns, atStep ?? 0) >= RECOVERED_TURNS;
}

function stateOf(
  entries: readonly TranscriptEntry[],
  turns: readonly AgentTurn[],
  endedBy: TranscriptEnd,
  leftFailure: boolean,
): AutopsyState {
  if (endedBy === 'error' || endedBy === 'limit' || endedBy === 'gave up') return 'failed';
  if (endedBy === 'result' && leftFailure) return 'failed';
  if (endedBy === 'result') return 'finished';
  if (turns.length < TELLING_TURNS)
    return entries.some((entry) => entry.type === 'message' && entry.role === 'agent') && turns.length > 0
      ? 'progressing'
      : 'unknown';
  return endedBy === 'person' ? 'failed' : 'progressing';
}

function nextOf(
  failureClass: FailureClass | null,
  isOutside: boolean,
  facts: Parameters<typeof autopsyBrief>[0],
): Autopsy['next'] {
  if (failureClass === null) return { strategy: null, brief: null, startHere: null };
  // Resuming does not end a loop whose cause only a person can mend.
  const { strategy } = FAILURE_CLASSES[failureClass];
  return {
    strategy: isOutside ? 'escalate' : strategy,
    brief: autopsyBrief(facts),
    startHere: facts.startHere,
  };
}

function taskOf(entries: readonly TranscriptEntry[]): string {
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'person');
  return first?.type === 'message' ? first.text : '';
}
