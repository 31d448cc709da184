/**
 * `FindReason`, `firstReason`: one way to find why something fails again and again. `outputOf`, `inputAt`: what a call printed and was
 * given.
 */
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { AgentTurn } from '../agent-turn.ts';
import { withoutStatus } from '../result-text.ts';
import type { Repeated } from './repeated-turns.ts';

/** `failureClass`: where the reason is of another class than what was noticed. */
export type Reason = readonly [cause: string, startHere: string, failureClass?: FailureClass];

export interface FailureRecord {
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly AgentTurn[];
  readonly failure: Repeated;
}

export type FindReason = (record: FailureRecord) => Reason | null;

export function firstReason(record: FailureRecord, ways: readonly FindReason[]): Reason | null {
  for (const find of ways) {
    const reason = find(record);
    if (reason !== null) return reason;
  }
  return null;
}

export function outputOf(entries: readonly TranscriptEntry[], turn: AgentTurn): string {
  const result = entries[turn.step];
  return result?.type === 'tool_result' ? withoutStatus(result.output) : turn.errorLine;
}

export function inputAt(entries: readonly TranscriptEntry[], step: number): string {
  const call = entries[step];
  return call?.type === 'tool_call' ? call.input : '';
}
