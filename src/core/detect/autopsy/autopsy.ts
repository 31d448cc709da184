/** `autopsy`, `withOpinion`: what the record of a run proves that is over: where it got stuck, what repeated, how it ended. */
import { FAILURE_CLASSES } from '../../vocabulary/classes/failure-class.ts';
import type { Strategy } from '../../vocabulary/classes/class-rule.ts';
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { markWithoutChance } from '../../text/quote-fenced.ts';
import { autopsyBrief, briefWithOpinion } from './autopsy-brief.ts';
import { type Diagnose, type Explanation, explainTrouble, surestOf } from './autopsy-cause.ts';
import type { DetectPolicy } from '../detector.ts';
import { changes } from '../staleness.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import { readWhole, type TranscriptReading } from './transcript-reading.ts';
import { findTrouble, type RunTrouble } from './run-trouble.ts';
import type { StoryOpinion } from './story-opinion.ts';
import { suspectStep } from './suspect-step.ts';
import { passes, type RecordedTurn } from './recorded-turn.ts';

type Read = Pick<TranscriptReading, 'task' | 'turns' | 'lastCheck' | 'endedBy' | 'inFlight'>;
type Trouble = Pick<RunTrouble, 'state' | 'signals' | 'overIn' | 'gotOver'>;

export interface Autopsy extends Read, Trouble, Omit<Explanation, 'advice'> {
  readonly id: string | null;
  readonly firstStuckStep: number | null;
  readonly suspectedStep: number | null;
  readonly wastedSteps: number;
  readonly next: {
    readonly strategy: Strategy | null;
    readonly brief: string | null;
    /** What to do about a proven class of failure; null where a loop or nothing is proven. */
    readonly startHere: string | null;
  };
  /** The surest warning that stood when the record ends, of a run that was not stuck. */
  readonly warning: Signal | null;
  /** What it did again and again, the most frequent first: while it was stuck, or up to its end. */
  readonly groups: readonly Repeated[];
  /** The first of `groups`. */
  readonly repeats: Repeated | null;
  /** The last change of a file before it got stuck, or of all if it was not stuck; null if the record shows none. */
  readonly lastChange: RecordedTurn | null;
  /** The last check that passed before it got stuck, or of all if it was not stuck; null if the record shows none. */
  readonly lastGreen: RecordedTurn | null;
  /** What a model thinks about it, apart from what is proven. */
  readonly opinion?: StoryOpinion;
  /** Why there is none. */
  readonly noOpinion?: string;
  /** The mark around text of programs and agents in the brief. */
  readonly mark: string;
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
  const { advice, ...explanation } = explainTrouble(record, trouble, diagnose);
  const { turns, task, lastCheck, endedBy, inFlight } = record;
  const { state, signals, overIn, gotOver } = trouble;
  const firstStuckStep = trouble.stretch?.fromStep ?? null;
  const groups = (trouble.stretch ?? trouble.left)?.groups ?? [];
  const repeats = groups[0] ?? null;
  const before = beforeTrouble(repeats, firstStuckStep);
  const found = {
    id,
    ...explanation,
    state,
    signals,
    overIn,
    gotOver,
    task,
    turns,
    lastCheck,
    endedBy,
    inFlight,
    firstStuckStep,
    suspectedStep: suspectedStep(record, trouble),
    wastedSteps: firstStuckStep === null ? 0 : (overIn?.callStep ?? entries.length) - firstStuckStep,
    warning: surestOf(trouble.alarms.filter(() => state !== 'stuck')) ?? null,
    groups,
    repeats,
    lastChange: turns.findLast((turn) => changes(turn) && turn.step < before) ?? null,
    lastGreen: turns.findLast((turn) => turn.kind === 'test' && passes(turn) && turn.step < before) ?? null,
    mark,
  };
  const brief = found.class !== null || groups.length > 0 ? autopsyBrief(found, mark) : null;
  return { ...found, next: { ...nextOf(found, advice), brief } };
}

/** The opinion decides nothing: state, class and cause stay what the record proves. */
export function withOpinion(found: Autopsy, opinion: StoryOpinion): Autopsy {
  const { next, mark } = found;
  const isTold = next.brief !== null && opinion.answer.stuck === 'stuck';
  const brief = isTold ? briefWithOpinion(next.brief, opinion, mark) : next.brief;
  return { ...found, opinion, next: { ...next, brief } };
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
function beforeTrouble(repeats: Repeated | null, firstStuckStep: number | null): number {
  const edited = repeats !== null && editsFile(repeats.turn) ? repeats.turns[0]?.callStep : undefined;
  return edited ?? firstStuckStep ?? Infinity;
}

/** Resuming does not end a loop whose cause only a person can mend. */
function nextOf({ class: found, needsPerson }: Omit<Explanation, 'advice'>, advice: string | null) {
  if (found === null) return { strategy: null, startHere: null };
  const { strategy } = FAILURE_CLASSES[found];
  return { strategy: needsPerson ? ('escalate' as const) : strategy, startHere: advice };
}
