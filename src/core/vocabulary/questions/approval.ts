/** `Approval`: a person's approval at a gate, bound to the run, the attempt, the tree and the question. `BlockerKey`: what it lifts. */
export interface Approval {
  /** The id of its record in the ledger. */
  readonly id: string;
  readonly question: string;
  readonly option: string;
  readonly by: string;
  readonly note: string;
  readonly at: number;
  readonly tree: string;
  readonly attempt: number;
  /** The blockers that it lifts. */
  readonly keys: readonly StoredKey[];
  readonly used: boolean;
}

export interface BlockerKey {
  readonly code: string;
  readonly source: string;
  /** The fields that the row of the blocker names in `key`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Older journals hold the key as text: the code and the words for the case. */
export type StoredKey = BlockerKey | string;

/** `seq`: the place of the answer in the journal. */
export function approvalId(runId: string, seq: number): string {
  return `${runId}.${seq}.approval`;
}
