/** Leases: which process owns a run. Time decides who may take a lease, the fence decides who may write. */

export interface Lease {
  readonly runId: string;
  /** Who: host, boot id, pid, start time and incarnation as JSON; compared by others, never parsed by the store. */
  readonly owner: string;
  readonly fence: number;
  readonly expiresAt: number;
  /** By the store's clock: another may take it. */
  readonly expired: boolean;
}

export interface LeaseRecord {
  lease(runId: string): Promise<Lease | null>;
  /**
   * Takes the lease if it is free or expired, or if its fence is `observedDeadFence` (the caller saw the owner
   * dead with its own eyes). Returns the new fence, which is larger than every earlier one, or null.
   */
  acquireLease(ask: {
    runId: string;
    owner: string;
    ttlMs: number;
    observedDeadFence?: number;
  }): Promise<number | null>;
  /** False when the fence is no longer ours: stop acting at once. */
  renewLease(ask: { runId: string; fence: number; ttlMs: number }): Promise<boolean>;
  releaseLease(runId: string, fence: number): Promise<void>;
}
