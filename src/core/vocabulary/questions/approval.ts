/** `Approval`: a person's approval at a gate, bound to the run, the attempt, the tree and the question. */
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
  /** The blockers that it lifts: `blockerKey` of each. */
  readonly keys: readonly string[];
  readonly used: boolean;
}

/** `seq`: the place of the answer in the journal. */
export function approvalId(runId: string, seq: number): string {
  return `${runId}.${seq}.approval`;
}
