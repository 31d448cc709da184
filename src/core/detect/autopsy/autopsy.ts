/**
 * `autopsy`: tells what happened in a run that is over or that Mayday did not watch: where it got stuck, since when, what that cost, why,
 * and what to do next. It uses only the transcript; if that shows too little, the state is `unknown`.
 */
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../vocabulary/classes/failure-class.ts';
import type { Strategy } from '../../vocabulary/classes/class-rule.ts';
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { markWithoutChance } from '../../text/quote-fenced.ts';
import { autopsyBrief } from './autopsy-brief.ts';
import { type AutopsyState, surestOf } from './autopsy-cause.ts';
import type { DetectPolicy } from '../detector.ts';
import type { TranscriptEnd } from './run-end.ts';
import { changes } from '../staleness.ts';
import { type Diagnose, explainTrouble } from './explain-trouble.ts';
import type { ModelSuspect } from './step-digest.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import { readWhole, type TranscriptReading } from './transcript-reading.ts';
import { findTrouble, type RunTrouble } from './run-trouble.ts';
import type { StuckStretch } from './stuck-stretch.ts';
import { suspectStep } from './suspect-step.ts';
import type { OpenCall } from '../agent-turn.ts';
import type { RecordedTurn } from './recorded-turn.ts';

export interface Autopsy {
  readonly id: string | null;
  readonly state: AutopsyState;
  readonly signals: readonly Signal[];
  readonly firstStuckStep: number | null;
  readonly class: FailureClass | null;
  readonly rootCause: string | null;
  /** Who can mend the cause; null where the record proves neither. */
  readonly mendableBy: 'agent' | 'person' | null;
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
  readonly turns: readonly RecordedTurn[];
  /** The surest warning that stood when the record ends, of a run that was not stuck. */
  readonly warning: Signal | null;
  /** What it did again and again while it was stuck. */
  readonly repeats: Repeated | null;
  /** The call in which a stuck run got over its trouble, although it did not end well; null if it did not. */
  readonly overIn: RecordedTurn | null;
  /** Where a run that finished was stuck on its way, and what it did there again and again. */
  readonly gotOver: StuckStretch | null;
  /** The last change of a file before it got stuck, or of all if it was not stuck; null if the record shows none. */
  readonly lastChange: RecordedTurn | null;
  /** The last test, build or lint that was run; null if the record shows none. */
  readonly lastCheck: RecordedTurn | null;
  readonly endedBy: TranscriptEnd;
  /** The calls without a result when the transcript ends. */
  readonly inFlight: readonly OpenCall[];
}

export function autopsy(
  id: string | null,
  entries: readonly TranscriptEntry[],
  diagnose: Diagnose | null = null,
  limits: Partial<DetectPolicy> = {},
  mark: string = markWithoutChance(id ?? ''),
): Autopsy {
  const record = readWhole(entries, limits);
  const trouble = findTrouble(record);
  const told = explainTrouble(record, trouble, diagnose);
  const { signals, turns, task } = record;
  const { rootCause, startHere, failureClass, question, diagnosis } = told;
  const firstStuckStep = trouble.stretch?.fromStep ?? null;
  const repeats = told.pattern?.call ?? null;
  return {
    id,
    state: trouble.state,
    signals,
    firstStuckStep,
    class: failureClass,
    rootCause,
    mendableBy: told.mendableBy,
    question,
    diagnosis,
    suspectedStep: suspectedStep(record, trouble),
    wastedSteps: firstStuckStep === null ? 0 : (trouble.overIn?.callStep ?? entries.length) - firstStuckStep,
    next: nextOf(failureClass, told.isOutside, { task, turns, firstStuckStep, rootCause, startHere, mark }),
    task,
    turns,
    warning: surestOf(trouble.warnings) ?? null,
    repeats,
    overIn: trouble.overIn,
    gotOver: trouble.gotOver,
    lastChange: lastChange(turns, repeats, firstStuckStep),
    lastCheck: record.lastCheck,
    endedBy: record.endedBy,
    inFlight: record.inFlight,
  };
}

function suspectedStep(
  { entries, signals }: TranscriptReading,
  { state, stretch }: RunTrouble,
): number | null {
  if (state === 'finished' || state === 'progressing') return null;
  return stretch === null
    ? suspectStep(entries, signals)
    : (stretch.groups[0]?.turns[0]?.callStep ?? stretch.fromStep);
}

/** An edit that is made again and again is the trouble, not the change before it. */
function lastChange(
  turns: readonly RecordedTurn[],
  repeats: Repeated | null,
  firstStuckStep: number | null,
): RecordedTurn | null {
  const before =
    (repeats !== null && editsFile(repeats.turn) ? repeats.turns[0]?.callStep : firstStuckStep) ?? Infinity;
  return turns.findLast((turn) => changes(turn) && turn.step < before) ?? null;
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
