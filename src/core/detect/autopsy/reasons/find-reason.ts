/** `FindReason`, `firstReason`: one way to find why something fails again and again. */
import type { FailureClass } from '../../../vocabulary/classes/failure-class.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { Repeated } from '../repeated-turns.ts';

/** `failureClass`: where the reason is of another class than what was noticed. */
export type Reason = readonly [cause: string, startHere: string, failureClass?: FailureClass];

export interface FailureRecord {
  readonly turns: readonly RecordedTurn[];
  readonly failure: Repeated;
  /** What the person asked for. */
  readonly task: string;
}

export type FindReason = (record: FailureRecord) => Reason | null;

export function firstReason(record: FailureRecord, ways: readonly FindReason[]): Reason | null {
  for (const find of ways) {
    const reason = find(record);
    if (reason !== null) return reason;
  }
  return null;
}
