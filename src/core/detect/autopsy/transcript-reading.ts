/** `TranscriptReading`, `readWhole`: what an autopsy reads from a transcript before it judges: turns, signals, last check, end. */
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { OpenCall } from '../agent-turn.ts';
import { type RecordedTurn, recordTurn } from './recorded-turn.ts';
import type { DetectPolicy } from '../detector.ts';
import { createWatch, watchNext } from '../watch.ts';
import { couldRun, lastCheck } from './last-check.ts';
import { endOf, type TranscriptEnd } from './run-end.ts';

export interface TranscriptReading {
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly RecordedTurn[];
  readonly signals: readonly Signal[];
  /** The calls without a result when the transcript ends. */
  readonly inFlight: readonly OpenCall[];
  /** The text with which the run began. */
  readonly task: string;
  readonly endedBy: TranscriptEnd;
  readonly lastCheck: RecordedTurn | null;
  /** The last check ran, and failed. */
  readonly isRed: boolean;
  /** The run says that it is done, and no check says otherwise. */
  readonly isDone: boolean;
}

export function readWhole(
  entries: readonly TranscriptEntry[],
  limits: Partial<DetectPolicy>,
): TranscriptReading {
  let watch = createWatch(limits);
  const signals: Signal[] = [];
  const turns: RecordedTurn[] = [];
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    if (watched.turn !== null) turns.push(recordTurn(entries, watched.turn));
    signals.push(...watched.signals);
  }
  const endedBy = endOf(entries, turns);
  const check = lastCheck(turns);
  const isRed = check !== null && check.failed && couldRun(check);
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'person');
  return {
    entries,
    turns,
    signals,
    inFlight: watch.trail.open,
    task: first?.type === 'message' ? first.text : '',
    endedBy,
    lastCheck: check,
    isRed,
    isDone: endedBy === 'result' && !isRed,
  };
}
