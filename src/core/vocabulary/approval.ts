/** `Approval`: a person's word at a gate, and the key of the blocker that it lifts. */
import type { Blocker } from './blocker.ts';
import { blockerCase } from './blocker-evidence.ts';

export interface Approval {
  /** Of its record in the ledger. */
  readonly id: string;
  readonly question: string;
  readonly option: string;
  readonly by: string;
  readonly note: string;
  readonly at: number;
  readonly tree: string;
  readonly attempt: number;
  /** What it lifts. */
  readonly keys: readonly string[];
  readonly used: boolean;
}

/** `seq`: of the answer in the journal. */
export function approvalId(runId: string, seq: number): string {
  return `${runId}.${seq}.approval`;
}

/** What makes two blockers the same decision: the code and what names the case. */
export function blockerKey(blocker: Blocker): string {
  return `${blocker.code}|${blockerCase(blocker)}`;
}

/** The code of the blocker that the key names. */
export function keyCode(key: string): string {
  return key.slice(0, key.indexOf('|'));
}
