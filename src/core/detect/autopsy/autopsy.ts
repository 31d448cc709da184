/**
 * `autopsy`: tells what happened in a run that is over or that Mayday did not watch: where it got stuck, since when, what that cost, why,
 * and what to do next. It uses only the transcript; if that shows too little, the state is `unknown`.
 */
import type { Diagnosis, DiagnosisInput } from '../../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../vocabulary/failure-class.ts';
import type { Strategy } from '../../vocabulary/class-rule.ts';
import { type Signal, stops } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { markWithoutChance } from '../../text/quote-fenced.ts';
import { autopsyBrief } from './autopsy-brief.ts';
import { type AutopsyState, causeOf, classOf, failureText } from './autopsy-cause.ts';
import type { DetectPolicy } from '../detector.ts';
import { type EndedBy, endOf } from './run-end.ts';
import { changes } from '../detectors/staleness.ts';
import type { ModelSuspect } from './model-suspect.ts';
import { stuckPattern } from './stuck-pattern.ts';
import { suspectStep } from './suspect-step.ts';
import { unansweredQuestion } from './unanswered-question.ts';
import type { OpenCall, Turn } from '../turn.ts';
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
  readonly turns: readonly Turn[];
  /** The last change before it got stuck, otherwise the last change of all. */
  readonly lastChange: Turn | null;
  readonly endedBy: EndedBy;
  /** The calls without a result when the transcript ends. */
  readonly inFlight: readonly OpenCall[];
}

/** This many useful turns after the last alarm show that the run recovered. */
const RECOVERED_TURNS = 8;
const TELLING_TURNS = 3;

export function autopsy(
  id: string | null,
  entries: readonly TranscriptEntry[],
  diagnose: Diagnose | null = null,
  limits: Partial<DetectPolicy> = {},
  mark: string = markWithoutChance(id ?? ''),
): Autopsy {
  const { signals, turns, inFlight } = observe(entries, limits);
  const alarms = signals.filter((signal) => signal.severity === 'critical' && stops(signal));
  const endedBy = endOf(entries);
  const state = stateOf(entries, turns, alarms, endedBy);
  const stuck = state === 'stuck';
  const firstStuckStep = stuck
    ? Math.min(...alarms.map((signal) => signal.sinceStep ?? signal.atStep ?? Infinity))
    : null;
  const window = firstStuckStep === null ? [] : turns.filter((turn) => turn.callStep >= firstStuckStep);
  const pattern = stuck ? stuckPattern(window, alarms) : null;
  const failure = failureText(entries, turns, pattern);
  const diagnosis =
    diagnose === null || failure === null || pattern?.cause || state === 'finished' || state === 'unknown'
      ? null
      : diagnose(failure);
  const failureClass = classOf(state, alarms, diagnosis, entries);
  const lastChange =
    turns.findLast((turn) => changes(turn) && (firstStuckStep === null || turn.step < firstStuckStep)) ??
    turns.findLast(changes) ??
    null;
  const task = taskOf(entries);
  const question = stuck ? null : unansweredQuestion(entries, turns, inFlight);
  const rootCause = question ?? causeOf(state, alarms, diagnosis, failure, pattern);
  const startHere = pattern?.startHere ?? null;
  return {
    id,
    state,
    signals,
    firstStuckStep,
    class: failureClass,
    rootCause,
    question,
    diagnosis,
    suspectedStep: state === 'finished' || state === 'progressing' ? null : suspectStep(entries, signals),
    wastedSteps: firstStuckStep === null ? 0 : entries.length - firstStuckStep,
    next: nextOf(failureClass, diagnosis, {
      task,
      turns,
      firstStuckStep,
      rootCause,
      startHere,
      mark,
    }),
    task,
    turns,
    lastChange,
    endedBy,
    inFlight,
  };
}

function observe(
  entries: readonly TranscriptEntry[],
  limits: Partial<DetectPolicy>,
): {
  signals: readonly Signal[];
  turns: readonly Turn[];
  inFlight: readonly OpenCall[];
} {
  let watch = createWatch(limits);
  const signals: Signal[] = [];
  const turns: Turn[] = [];
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    if (watched.turn !== null) turns.push(watched.turn);
    signals.push(...watched.signals);
  }
  return { signals, turns, inFlight: watch.trail.open };
}

function stateOf(
  entries: readonly TranscriptEntry[],
  turns: readonly Turn[],
  alarms: readonly Signal[],
  endedBy: EndedBy,
): AutopsyState {
  const lastAlarm = alarms.at(-1);
  const finished = endedBy === 'result';
  if (lastAlarm !== undefined) {
    const after = turns.filter(
      (turn) => turn.step > (lastAlarm.atStep ?? 0) && !turn.failed && !turn.barren,
    ).length;
    if (!(finished && after >= RECOVERED_TURNS)) return 'stuck';
  }
  if (endedBy === 'error') return 'failed';
  if (finished) return 'finished';
  if (turns.length < TELLING_TURNS)
    return entries.some((entry) => entry.type === 'message' && entry.role === 'agent') && turns.length > 0
      ? 'progressing'
      : 'unknown';
  return endedBy === 'person' ? 'failed' : 'progressing';
}

function nextOf(
  failureClass: FailureClass | null,
  diagnosis: Diagnosis | null,
  facts: Parameters<typeof autopsyBrief>[0],
): Autopsy['next'] {
  if (failureClass === null) return { strategy: null, brief: null, startHere: null };
  // Resuming does not end a loop whose cause only a person can mend.
  const unmendable = diagnosis !== null && diagnosis.failureType !== 'success' && !diagnosis.recoverable;
  const { strategy } = FAILURE_CLASSES[failureClass];
  return {
    strategy: unmendable ? 'escalate' : strategy,
    brief: autopsyBrief(facts),
    startHere: facts.startHere,
  };
}

function taskOf(entries: readonly TranscriptEntry[]): string {
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'person');
  return first?.type === 'message' ? first.text : '';
}
