/**
 * Holding on to a run: renews its lease, and stops own work in time when that does not succeed. A record that does not answer
 * must not leave us acting on a run that by now belongs to somebody else.
 */
import type { Policy } from '../../core/vocabulary/policy.ts';

export class LeaseKeeping {
  readonly #policy: Pick<Policy, 'lease_renew_ms' | 'lease_stop_ms'>;
  readonly #renew: () => Promise<boolean>;
  #renewedAt = performance.now();
  #work = new AbortController();
  #deadline: NodeJS.Timeout;

  /** `renew` says whether the run is still ours. */
  constructor(policy: Pick<Policy, 'lease_renew_ms' | 'lease_stop_ms'>, renew: () => Promise<boolean>) {
    this.#policy = policy;
    this.#renew = renew;
    this.#deadline = this.#arm();
  }

  /** For work that may only be done while the lease is fresh. What it stopped is begun again after the next renewal. */
  get work(): AbortSignal {
    return this.#work.signal;
  }

  /** False: the run is somebody else's. A keeper that slept finds out here, before it acts. */
  async keep(): Promise<boolean> {
    if (performance.now() - this.#renewedAt < this.#policy.lease_renew_ms) return true;
    if (!(await this.#renew())) return false;
    this.#renewedAt = performance.now();
    clearTimeout(this.#deadline);
    if (this.#work.signal.aborted) this.#work = new AbortController();
    this.#deadline = this.#arm();
    return true;
  }

  end(): void {
    clearTimeout(this.#deadline);
  }

  #arm(): NodeJS.Timeout {
    return setTimeout(() => this.#work.abort(), this.#policy.lease_stop_ms);
  }
}
