/**
 * What became of a run that is over, or of one that nobody watched: where it got stuck, since when, what that cost, why,
 * and what to do next. Only what the transcript shows; where it shows too little, the state is `unknown`.
 */
import type { Diagnosis, DiagnosisInput } from '../diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass, type Strategy } from '../failure-class.ts';
import type { Signal, SignalType } from '../signal.ts';
import type { TranscriptEntry } from '../transcript.ts';
import { autopsyBrief } from './autopsy-brief.ts';
import { changes } from './staleness.ts';
import { suspectStep } from './suspect-step.ts';
import { followTrail } from './trail.ts';
import type { Turn } from './turn.ts';
import { createWatch, watchNext } from './watch.ts';

export type AutopsyState = 'progressing' | 'stuck' | 'failed' | 'finished' | 'unknown';
export type Diagnose = (input: DiagnosisInput) => Diagnosis;

export interface Autopsy {
  readonly id: string | null;
  readonly state: AutopsyState;
  readonly signals: readonly Signal[];
  readonly firstStuckStep: number | null;
  readonly class: FailureClass | null;
  readonly rootCause: string | null;
  readonly diagnosis: Diagnosis | null;
  readonly suspectedStep: number | null;
  readonly wastedSteps: number;
  readonly next: { readonly strategy: Strategy | null; readonly brief: string | null };
  /** The words the run began with. */
  readonly task: string;
  readonly turns: readonly Turn[];
  /** The last change before it got stuck, or the last of all. */
  readonly lastChange: Turn | null;
  readonly endedBy: EndedBy;
}

export type EndedBy = 'person' | 'error' | 'result' | 'cut off';

const SIGNAL_CLASS: Readonly<Partial<Record<SignalType, FailureClass>>> = {
  stalled: 'stalled',
  frozen: 'frozen',
  subagent_hang: 'stalled',
  waiting_for_input: 'waiting_for_input',
  budget: 'budget_exhausted',
  compaction_loop: 'context_overflow',
  denied_again: 'permission_denied',
  tool_missing: 'missing_dependency',
  false_success: 'false_success',
};
/** Trouble that is not being stuck. */
const NOT_STUCK: ReadonlySet<SignalType> = new Set(['false_success', 'scope_drift', 'overdue', 'budget']);
/** New, useful turns after the last alarm that make it history. */
const RECOVERED_TURNS = 8;
const TELLING_TURNS = 3;
const SUBMITTED = /^(submit|finish|complete|exit)\b|COMPLETE_TASK|TERMINATE|task (is )?(complete|done)/i;
const RAN_OUT =
  /exit_(cost|context|abort|timeout)|autosubmitted|max(imum)? (turns|iterations|steps)|limit (reached|exceeded)|out of budget/i;
const INTERRUPTED = /^\[(Request interrupted by user|turn aborted|aborted)/;

export function autopsy(
  id: string | null,
  entries: readonly TranscriptEntry[],
  diagnose: Diagnose | null = null,
): Autopsy {
  const { signals, turns } = observe(entries);
  const alarms = signals.filter((signal) => signal.severity === 'critical' && !NOT_STUCK.has(signal.type));
  const endedBy = endOf(entries);
  const state = stateOf(entries, turns, alarms, endedBy);
  const stuck = state === 'stuck';
  const firstStuckStep = stuck
    ? Math.min(...alarms.map((signal) => signal.sinceStep ?? signal.atStep ?? Infinity))
    : null;
  const failure = failureText(entries, turns, firstStuckStep);
  const diagnosis =
    diagnose === null || failure === null || state === 'finished' || state === 'unknown'
      ? null
      : diagnose(failure);
  const failureClass = classOf(state, alarms, diagnosis, entries);
  const lastChange =
    turns.findLast((turn) => changes(turn) && (firstStuckStep === null || turn.step < firstStuckStep)) ??
    null;
  const task = taskOf(entries);
  const rootCause = causeOf(state, alarms, diagnosis, failure);
  return {
    id,
    state,
    signals,
    firstStuckStep,
    class: failureClass,
    rootCause,
    diagnosis,
    suspectedStep: state === 'finished' || state === 'progressing' ? null : suspectStep(entries),
    wastedSteps: firstStuckStep === null ? 0 : entries.length - firstStuckStep,
    next: nextOf(failureClass, diagnosis, { task, turns, firstStuckStep, lastChange, rootCause }),
    task,
    turns,
    lastChange,
    endedBy,
  };
}

function observe(entries: readonly TranscriptEntry[]): {
  signals: readonly Signal[];
  turns: readonly Turn[];
} {
  let watch = createWatch();
  const signals: Signal[] = [];
  const turns: Turn[] = [];
  for (const [step, entry] of entries.entries()) {
    const { turn } = followTrail(watch.trail, entry, step);
    if (turn !== null) turns.push(turn);
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    signals.push(...watched.signals);
  }
  return { signals, turns };
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

function endOf(entries: readonly TranscriptEntry[]): EndedBy {
  const last = entries.findLast(
    (entry) => entry.type !== 'usage' && entry.type !== 'unknown' && entry.type !== 'progress',
  );
  if (last === undefined) return 'cut off';
  switch (last.type) {
    case 'result':
      return last.isError ? 'error' : 'result';
    case 'error':
    case 'retry':
      return 'error';
    case 'message':
      if (last.role === 'person') return INTERRUPTED.test(last.text) ? 'person' : 'cut off';
      return RAN_OUT.test(last.text.slice(0, 200)) ? 'error' : 'result';
    case 'tool_result': {
      const call = entries.findLast((entry) => entry.type === 'tool_call' && entry.id === last.id);
      const input = call?.type === 'tool_call' ? call.input.slice(0, 200) : '';
      if (RAN_OUT.test(input) || RAN_OUT.test(last.output.slice(0, 200))) return 'error';
      return SUBMITTED.test(input) ? 'result' : 'cut off';
    }
    case 'tool_call':
      return SUBMITTED.test(last.input.slice(0, 200)) || SUBMITTED.test(last.tool) ? 'result' : 'cut off';
    default:
      return 'cut off';
  }
}

/** The output that names the trouble best: the last failure while it was stuck, or the last of all. */
function failureText(
  entries: readonly TranscriptEntry[],
  turns: readonly Turn[],
  since: number | null,
): DiagnosisInput | null {
  const turn = turns.findLast((each) => each.failed && (since === null || each.step >= since));
  const error = entries.findLast(
    (entry) => entry.type === 'error' || (entry.type === 'result' && entry.isError),
  );
  if (error !== undefined && (error.type === 'error' || error.type === 'result') && since === null)
    return { output: error.text };
  if (turn === undefined) return null;
  const result = entries[turn.step];
  const output =
    result?.type === 'tool_result' ? result.output : result?.type === 'error' ? result.text : turn.errorLine;
  return { output, command: turn.input };
}

function classOf(
  state: AutopsyState,
  alarms: readonly Signal[],
  diagnosis: Diagnosis | null,
  entries: readonly TranscriptEntry[],
): FailureClass | null {
  switch (state) {
    case 'stuck': {
      const told = alarms.map((signal) => SIGNAL_CLASS[signal.type]).find((each) => each !== undefined);
      return alarms.some((signal) => SIGNAL_CLASS[signal.type] === undefined)
        ? 'looping'
        : (told ?? 'looping');
    }
    case 'failed': {
      if (diagnosis !== null && diagnosis.failureType !== 'success') return diagnosis.failureType;
      const last = entries.findLast((entry) => entry.type === 'tool_result' || entry.type === 'message');
      const text = last?.type === 'tool_result' ? last.output : last?.type === 'message' ? last.text : '';
      if (RAN_OUT.test(text)) return 'budget_exhausted';
      return INTERRUPTED.test(text) ? 'interrupted' : 'unknown';
    }
    case 'finished':
    case 'progressing':
    case 'unknown':
      return null;
  }
}

function causeOf(
  state: AutopsyState,
  alarms: readonly Signal[],
  diagnosis: Diagnosis | null,
  failure: DiagnosisInput | null,
): string | null {
  if (state !== 'stuck' && state !== 'failed') return null;
  if (diagnosis !== null && diagnosis.failureType !== 'success' && diagnosis.failureType !== 'unknown')
    return diagnosis.rootCause;
  const surest = surestOf(alarms);
  return surest?.reason ?? failure?.output.trim().split('\n', 1)[0]?.slice(0, 300) ?? null;
}

/** The exact word before the general one. */
const TELLING: readonly SignalType[] = [
  'tool_missing',
  'denied_again',
  'test_repeat',
  'repeated_error',
  'looping',
  'edit_undo',
];

export function surestOf(signals: readonly Signal[]): Signal | undefined {
  const rank = (signal: Signal) => (TELLING.indexOf(signal.type) + TELLING.length + 1) % (TELLING.length + 1);
  return signals.toSorted((a, b) => rank(a) - rank(b) || b.confidence - a.confidence)[0];
}

function nextOf(
  failureClass: FailureClass | null,
  diagnosis: Diagnosis | null,
  facts: Parameters<typeof autopsyBrief>[0],
): Autopsy['next'] {
  if (failureClass === null) return { strategy: null, brief: null };
  // A loop around something only a person can mend is not mended by resuming.
  const unmendable = diagnosis !== null && diagnosis.failureType !== 'success' && !diagnosis.recoverable;
  const { strategy } = FAILURE_CLASSES[failureClass];
  return { strategy: unmendable ? 'escalate' : strategy, brief: autopsyBrief(facts) };
}

function taskOf(entries: readonly TranscriptEntry[]): string {
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'person');
  return first?.type === 'message' ? first.text : '';
}
