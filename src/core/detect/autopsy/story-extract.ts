/** `storyExtract`: what a model needs to know about a run to say why it went as it did. Steps are indices of entries. */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callText } from '../detector.ts';
import { changes } from '../staleness.ts';
import type { Autopsy } from './autopsy.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { allOf, type Repeated } from './repeated-turns.ts';
import { closingWords } from './run-end.ts';

export interface CallPlace {
  /** The call in one line. */
  readonly call: string;
  readonly callStep: number;
  /** The entry that holds its answer. */
  readonly step: number;
  readonly failed: boolean;
  /** The line that names its failure; empty if it did not fail. */
  readonly line: string;
}

export interface RepeatedPlace extends CallPlace {
  readonly count: number;
  readonly firstStep: number;
  readonly lastStep: number;
}

export function storyExtract(entries: readonly TranscriptEntry[], found: Autopsy) {
  const { turns, repeatedLine: line, lastChange, lastGreen, lastCheck } = found;
  const stretch = stretchOf(found);
  const [first, last] = [stretch[0], stretch.at(-1)];
  return {
    task: found.task,
    state: found.state,
    endedBy: found.endedBy,
    inFlight: found.inFlight,
    lastWords: closingWords(entries),
    calls: turns.length,
    edits: turns.filter(changes).length,
    /** From the first step of the trouble to its last call; null where the record shows none. */
    stretch:
      first === undefined || last === undefined
        ? null
        : {
            fromStep: found.firstStuckStep ?? first.callStep,
            toStep: last.step,
            calls: stretch.length,
            edits: stretch.filter(changes).length,
          },
    repeats: found.groups.map((group) => repeatedCall(turns, group)),
    /** The line that failing calls of the stretch print most often, word for word. */
    line:
      line === null
        ? null
        : {
            text: line.text,
            count: line.turns.length,
            firstStep: line.turns[0]?.step ?? 0,
            lastStep: line.turns.at(-1)?.step ?? 0,
          },
    lastChange: placeOf(lastChange),
    lastGreen: placeOf(lastGreen),
    lastCheck: placeOf(lastCheck),
    /** The turns to show in full. */
    shown: shownTurns(found, stretch).flatMap((turn) => placeOf(turn) ?? []),
  };
}

/** The turns while it was stuck; of a run that was not, from the first to the last of what repeats. */
function stretchOf({ turns, firstStuckStep, overIn, repeats }: Autopsy): readonly RecordedTurn[] {
  const from = firstStuckStep ?? repeats?.first.callStep ?? Infinity;
  const until = firstStuckStep === null ? (repeats?.last.step ?? 0) : (overIn?.callStep ?? Infinity);
  return turns.filter(({ callStep }) => callStep >= from && callStep < until);
}

/** The last good turn, the first two, the middle and the last of the stretch, the last check. */
function shownTurns(
  { turns, lastChange, lastGreen, lastCheck }: Autopsy,
  stretch: readonly RecordedTurn[],
): readonly RecordedTurn[] {
  const good = (lastChange?.step ?? -1) > (lastGreen?.step ?? -1) ? lastChange : lastGreen;
  const chosen = new Set([
    good,
    stretch[0],
    stretch[1],
    stretch[Math.floor(stretch.length / 2)],
    stretch.at(-1),
    lastCheck,
  ]);
  return turns.filter((turn) => chosen.has(turn));
}

function repeatedCall(turns: readonly RecordedTurn[], group: Repeated): RepeatedPlace {
  const all = allOf(turns, group);
  return {
    ...called(group.turn),
    count: group.count,
    firstStep: all[0]?.step ?? group.first.step,
    lastStep: all.at(-1)?.step ?? group.last.step,
  };
}

function placeOf(turn: RecordedTurn | null): CallPlace | null {
  return turn === null ? null : called(turn);
}

function called(turn: RecordedTurn): CallPlace {
  const { callStep, step, failed, errorLine } = turn;
  return { call: callText(turn), callStep, step, failed, line: failed ? errorLine : '' };
}
