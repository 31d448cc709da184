/** `LeaseRecord`: which process owns a run. Time decides when a lease may be taken, the fence decides which writer is accepted. */

export interface Lease {
  readonly runId: string;
  /** The owning process: host, boot id, pid, start time and incarnation as JSON; the store never parses it. */
  readonly owner: string;
  readonly fence: number;
  readonly expiresAt: number;
  /** By the store's clock; afterwards another process may take the lease. */
  readonly expired: boolean;
  /** False: the owner is on another host of the fleet. Whatever is seen here says nothing about it. */
  readonly isHere: boolean;
}

export interface LeaseRecord {
  lease(runId: string): Promise<Lease | null>;
  /**
   * Takes the lease of a run of this host if it is free or expired, or if its fence is `observedDeadFence` (the caller saw that the
   * owner is dead). Returns the new fence, which is larger than every earlier one, or null.
   */
  acquireLease(ask: {
    runId: string;
    owner: string;
    ttlMs: number;
    observedDeadFence?: number;
  }): Promise<number | null>;
  /** False when another process holds the lease: stop acting at once. */
  renewLease(ask: { runId: string; fence: number; ttlMs: number }): Promise<boolean>;
  releaseLease(runId: string, fence: number): Promise<void>;
}
