/** `LedgerRecord`: the chained evidence of runs, and of decisions that belong to no run. */

export interface NewLedgerEntry {
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  /** Canonical JSON; the chain holds only a salted commitment to it, so that it can be erased. */
  readonly payload: string;
}

export interface LedgerEntry {
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly salt: string;
  /** Null once erased. */
  readonly payload: string | null;
  readonly commitment: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Name of a chain of evidence that belongs to no run; no run is ever called so. */
export type SharedChain = `@${string}`;

export interface LedgerRecord {
  /** Of a run, or of a shared chain. */
  ledger(runId: string): Promise<readonly LedgerEntry[]>;
  /** Evidence that belongs to no run, such as a person's approval of a lesson. */
  appendEvidence(chain: SharedChain, entries: readonly NewLedgerEntry[]): Promise<void>;
  /** Erases a payload (a leaked secret); the chain stays valid. */
  erase(ledgerId: string): Promise<void>;
}
