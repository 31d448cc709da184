/** `RunTrouble`, `findTrouble`: where a run was stuck, what it left behind without being stuck in it, and the state that follows. */
import { type Signal, stops } from '../../vocabulary/signal.ts';
import { gapsWith, type RecordedTurn } from './recorded-turn.ts';
import type { AutopsyState } from './autopsy-cause.ts';
import { type MisplacedEdit, misplacedEdit } from './open-at-end.ts';
import { unmovedStretch } from './reasons/reason-of-repeating.ts';
import type { TranscriptReading } from './transcript-reading.ts';
import {
  endlessStretch,
  openStretch,
  RECOVERED_TURNS,
  type StuckStretch,
  stuckStretch,
  usefulAfter,
} from './stuck-stretch.ts';
import { vainSearches } from './vain-searches.ts';
import { wanderingStretch } from './wandering.ts';
import { sameResultStretch } from './same-result-stretch.ts';
import { type SwitchedOff, switchedOff } from './reasons/switched-off.ts';
import { bareCommand, checkOf } from '../check-mark.ts';
import { changes } from '../staleness.ts';
import { pageIn } from './page-shown.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';

export interface RunTrouble {
  readonly state: AutopsyState;
  /** Where it was stuck to its end; null if it was not. */
  readonly stretch: StuckStretch | null;
  /** It is stuck because it goes from page to page in circles. */
  readonly isWandering: boolean;
  /** What it left behind without being stuck in it. */
  readonly left: StuckStretch | null;
  readonly off: SwitchedOff | null;
  /** The signals that nothing resolved; of a run that was not stuck, its warnings. */
  readonly alarms: readonly Signal[];
  readonly warnings: readonly Signal[];
  /** An edit that went into another file than the agent meant, and was not taken back. */
  readonly misplaced: MisplacedEdit | null;
  /** The call in which it got over what it was stuck in; null if it did not. */
  readonly overIn: RecordedTurn | null;
  /** Where a run that finished was stuck on its way. */
  readonly gotOver: StuckStretch | null;
}

/** Fewer calls tell nothing about a run. */
const TELLING_TURNS = 3;

export function findTrouble(record: TranscriptReading): RunTrouble {
  const { entries, turns, signals, isDone } = record;
  const wandering = wanderingStretch(entries, turns);
  const critical = isDone && wandering?.isOver === true ? [] : unresolved(signals, turns, isDone);
  const noticed =
    sameResultStretch(turns, isDone) ??
    (critical.length > 0
      ? stuckStretch(turns, critical)
      : (endlessStretch(turns, isDone) ?? (isDone ? null : (unmovedStretch(turns) ?? vainSearches(turns)))));
  const circles = wandering === null || wandering.isOver ? null : wandering.stretch;
  const isWandering = circles !== null && isPartOf(noticed, circles);
  const stretch = isWandering
    ? { ...circles, fromStep: Math.min(circles.fromStep, noticed?.fromStep ?? Infinity) }
    : noticed;
  const isOpen = stretch === null && !isDone;
  const warnings = isOpen ? signals.filter((signal) => stops(signal) && !isOver(signal, turns)) : [];
  const off = isDone && stretch === null ? switchedOff(turns, record.task) : null;
  const left =
    off !== null
      ? openStretch(
          turns.filter(({ step }) => step <= off.red.step),
          off.red,
          true,
        )
      : isOpen
        ? leftBehind(record, warnings)
        : null;
  const misplaced = misplacedEdit(turns);
  return {
    state: stretch === null ? stateOf(record, left !== null) : 'stuck',
    stretch,
    isWandering,
    left,
    off,
    alarms: stretch === null ? warnings : critical,
    warnings,
    misplaced,
    overIn:
      stretch === null || isWandering || (stretch.groups[0]?.turn.sameResult ?? null) !== null
        ? null
        : gotOverIn(turns, stretch, misplaced?.turn),
    gotOver:
      isDone && stretch === null
        ? (overcome(signals, turns) ?? sameResultStretch(turns, true, true) ?? wandering?.stretch ?? null)
        : null,
  };
}

/** Clicks that repeat are the end of a search that went in circles before, or a part of it. */
function isPartOf(noticed: StuckStretch | null, circles: StuckStretch): boolean {
  const [clicks] = noticed?.groups ?? [];
  const isInside = circles.groups.some(({ turns }) => clicks?.turns.some((turn) => turns.includes(turn)));
  return noticed === null || circles.fromStep <= noticed.fromStep || isInside;
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

/** The stretch up to the last signal for which it would have been stopped. */
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
  const red = isRed || (endedBy === 'limit' && lastCheck?.failed === true) ? lastCheck : null;
  if (endedBy === 'person' || endedBy === 'error') return null;
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

/** Null if it was in the same trouble to its end. `misplaced`: an edit that was accepted in the wrong file. */
function gotOverIn(
  turns: readonly RecordedTurn[],
  { groups: [main] }: StuckStretch,
  misplaced: RecordedTurn | undefined,
): RecordedTurn | null {
  const last = main?.turns.at(-1);
  if (main === undefined || last === undefined) return null;
  const isSuccess = (turn: RecordedTurn) =>
    editsFile(main.turn) ? editsFile(turn) && changes(turn) && turn !== misplaced : succeeds(main, turn);
  // What worked in between and did not end the trouble does not end it this time either.
  if (gapsWith(turns, main.turns, isSuccess) * 2 >= main.count - 1) return null;
  return turns.find((turn) => turn.step > last.step && isSuccess(turn)) ?? null;
}

function succeeds({ turn: stuck, turns }: Repeated, turn: RecordedTurn): boolean {
  if (turn.failed || turn.barren || turn.waiting !== null) return false;
  const page = pageIn(turn.output);
  if (page !== null) {
    const before = turns.map((each) => pageIn(each.output)?.address);
    return !before.includes(page.address);
  }
  if (!stuck.failed) return changes(turn);
  const check = checkOf(stuck);
  return check === 0 ? programOf(turn) === programOf(stuck) : checkOf(turn) === check;
}

function programOf({ tool, input }: RecordedTurn): string {
  return `${tool} ${/^\S+/.exec(bareCommand(input))?.[0] ?? ''}`;
}
