/** `Lead`: something that the record shows and no call followed up. `callOf`: the number of a call; `LATEST`: how far back is looked. */
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FailureRecord } from './find-reason.ts';

export interface Lead {
  /** What the record shows. */
  readonly told: string;
  /** What to do with it. */
  readonly look: string;
}

/** What was shown before them is another part of a long record. */
export const LATEST = 400;

export function callOf({ turns }: FailureRecord, turn: RecordedTurn): number {
  return turns.indexOf(turn) + 1;
}
