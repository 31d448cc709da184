/** `RunTrouble`, `findTrouble`: where a run was stuck: where a critical signal of it was never resolved, and only there. */
import { type Signal, type SignalType, stops } from '../../vocabulary/signal.ts';
import { bareCommand, checkOf } from '../check-mark.ts';
import { callText, quote } from '../detector.ts';
import { changes } from '../staleness.ts';
import { gapsWith, type RecordedTurn } from './recorded-turn.ts';
import { editsFile, type GroupKind, type Repeated } from './repeated-turns.ts';
import {
  endlessStretch,
  openStretch,
  RECOVERED_TURNS,
  type StuckStretch,
  stuckStretch,
  usefulAfter,
} from './stuck-stretch.ts';
import type { TranscriptReading } from './transcript-reading.ts';

export type AutopsyState = 'progressing' | 'stuck' | 'failed' | 'finished' | 'unknown';

export interface RunTrouble {
  readonly state: AutopsyState;
  /** Those of the watch, and the one that only the end of the record proves. */
  readonly signals: readonly Signal[];
  /** Where it was stuck to its end; null if it was not. */
  readonly stretch: StuckStretch | null;
  /** What it left behind without being stuck in it. */
  readonly left: StuckStretch | null;
  /** The signals that nothing resolved; of a run that was not stuck, its warnings. */
  readonly alarms: readonly Signal[];
  /** The call in which it got over what it was stuck in; null if it did not. */
  readonly overIn: RecordedTurn | null;
  /** Where a run that finished was stuck on its way. */
  readonly gotOver: StuckStretch | null;
}

/** Fewer calls tell nothing about a run. */
const TELLING_TURNS = 3;

export function findTrouble(record: TranscriptReading): RunTrouble {
  const { turns, signals, isDone } = record;
  const critical = unresolved(signals, turns, isDone);
  if (critical.length > 0) return stuckIn(stuckStretch(turns, critical), critical, record, signals);
  // A run that ends by its own word is believed, or told by its red check.
  const endless = record.endedBy === 'result' ? null : endlessStretch(sinceWord(record));
  if (endless !== null) {
    const late = afterwards(endless);
    return stuckIn(endless, [late], record, [...signals, late]);
  }
  const warnings = isDone ? [] : signals.filter((signal) => stops(signal) && !isOver(signal, turns));
  const left = isDone ? null : leftBehind(record, warnings);
  const gotOver = isDone ? overcome(signals, turns) : null;
  const base = { signals, stretch: null, left, overIn: null, gotOver };
  const state = stateOf(record, left !== null);
  // A limit that was passed stops no agent, and is no progress either.
  const passed = signals.filter(({ severity }) => severity === 'critical');
  return state === 'progressing' && passed.length > 0
    ? { ...base, state: 'failed', alarms: passed }
    : { ...base, state, alarms: warnings };
}

function sinceWord({ entries, turns }: TranscriptReading): readonly RecordedTurn[] {
  const last = turns.at(-1)?.callStep ?? 0;
  const word = entries.findLastIndex(
    (entry, step) => entry.type === 'message' && entry.role === 'person' && step < last,
  );
  return turns.filter(({ callStep }) => callStep > word);
}

function stuckIn(
  stretch: StuckStretch,
  alarms: readonly Signal[],
  { turns }: TranscriptReading,
  signals: readonly Signal[],
): RunTrouble {
  const overIn = gotOverIn(turns, stretch);
  return { state: 'stuck', signals, stretch, left: null, alarms, overIn, gotOver: null };
}

const AFTERWARDS: Readonly<Record<GroupKind, SignalType>> = {
  error: 'repeated_error',
  check: 'repeated_error',
  complaint: 'repeated_error',
  ask: 'waiting_for_input',
  look: 'stalled',
  call: 'looping',
};

/** The signal for what was done again and again up to the end of the record: no watch can know that it is the end. */
function afterwards({ groups: [main], fromStep }: StuckStretch): Signal {
  const { kind, turn, first, last, count } = main as Repeated;
  return {
    type: AFTERWARDS[kind],
    severity: 'critical',
    reason: `${callText(turn)} ${turn.failed ? 'failed' : 'was made'} ${count} times, up to the end of the record`,
    evidence: [quote(turn.failed ? turn.errorLine : turn.output)],
    confidence: 0.9,
    sinceAt: first.at,
    sinceStep: fromStep,
    at: last.at,
    atStep: last.step,
    suggestedAction: 'see why this call did not succeed before the run goes on',
    disproof: 'the same call succeeds afterwards',
  };
}

/** The signals for which it would have been stopped, unless it finished long after them. */
function unresolved(
  signals: readonly Signal[],
  turns: readonly RecordedTurn[],
  isDone: boolean,
): readonly Signal[] {
  const critical = signals.filter((signal) => stops(signal) && signal.severity === 'critical');
  const last = critical.at(-1);
  return last === undefined || (isDone && isOver(last, turns)) ? [] : critical;
}

function overcome(signals: readonly Signal[], turns: readonly RecordedTurn[]): StuckStretch | null {
  const critical = unresolved(signals, turns, false);
  const end = critical.at(-1)?.atStep;
  if (end === undefined) return null;
  return stuckStretch(
    turns.filter(({ step }) => step <= end),
    critical,
  );
}

/** A check that is red in as many runs when the record ends is the story of it. */
const RED_RUNS = 4;

function leftBehind(record: TranscriptReading, warnings: readonly Signal[]): StuckStretch | null {
  const { turns, endedBy, lastCheck, isRed } = record;
  if (endedBy === 'person' || endedBy === 'error') return null;
  const red = isRed || (endedBy === 'limit' && lastCheck?.failed === true) ? lastCheck : null;
  if (endedBy === 'cut off' && warnings.length > 0) return stuckStretch(turns, warnings);
  const open = openStretch(turns, red, endedBy === 'result');
  if (endedBy === 'limit' && open === null && warnings.length > 0) return stuckStretch(turns, warnings);
  return endedBy !== 'cut off' || (red !== null && (open?.groups[0]?.count ?? 0) >= RED_RUNS) ? open : null;
}

function isOver({ atStep }: Signal, turns: readonly RecordedTurn[]): boolean {
  return usefulAfter(turns, atStep ?? 0) >= RECOVERED_TURNS;
}

function stateOf({ entries, turns, endedBy }: TranscriptReading, leftFailure: boolean): AutopsyState {
  if (endedBy === 'error' || endedBy === 'limit' || endedBy === 'gave up') return 'failed';
  if (endedBy === 'result' && leftFailure) return 'failed';
  if (endedBy === 'result') return 'finished';
  if (turns.length < TELLING_TURNS)
    return entries.some((entry) => entry.type === 'message' && entry.role === 'agent') && turns.length > 0
      ? 'progressing'
      : 'unknown';
  return endedBy === 'person' ? 'failed' : 'progressing';
}

/** Null if it was in the same trouble to its end. */
function gotOverIn(turns: readonly RecordedTurn[], { groups: [main] }: StuckStretch): RecordedTurn | null {
  const last = main?.turns.at(-1);
  if (main === undefined || last === undefined) return null;
  const isSuccess = (turn: RecordedTurn) =>
    editsFile(main.turn) ? editsFile(turn) && changes(turn) : succeeds(main, turn);
  // What worked in between and did not end the trouble does not end it this time either.
  if (gapsWith(turns, main.turns, isSuccess) * 2 >= main.count - 1) return null;
  return turns.find((turn) => turn.step > last.step && isSuccess(turn)) ?? null;
}

function succeeds({ turn: stuck }: Repeated, turn: RecordedTurn): boolean {
  if (turn.failed || turn.barren || turn.waiting !== null) return false;
  if (!stuck.failed) return changes(turn);
  const check = checkOf(stuck);
  return check === 0 ? programOf(turn) === programOf(stuck) : checkOf(turn) === check;
}

function programOf({ tool, input }: RecordedTurn): string {
  return `${tool} ${/^\S+/.exec(bareCommand(input))?.[0] ?? ''}`;
}
