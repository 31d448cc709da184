/**
 * `LeaseKeeping`: renews the lease of a run, and stops the keeper's work in time if that fails. While the record does not answer,
 * another keeper may take the run, and this keeper must not act on it any more.
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

  /** Aborts work that may only be done while the lease is fresh. Work that was aborted begins again after the next renewal. */
  get work(): AbortSignal {
    return this.#work.signal;
  }

  /** False: another keeper has the run. A keeper that slept learns it here, before it acts. */
  async keep(): Promise<boolean> {
    if (performance.now() - this.#renewedAt < this.#policy.lease_renew_ms) return true;
    // The lease counts from the renewal at the store, which is not before it was asked for.
    const asked = performance.now();
    if (!(await this.#renew())) return false;
    this.#renewedAt = asked;
    clearTimeout(this.#deadline);
    if (this.#work.signal.aborted) this.#work = new AbortController();
    this.#deadline = this.#arm();
    return true;
  }

  end(): void {
    clearTimeout(this.#deadline);
  }

  #arm(): NodeJS.Timeout {
    const passed = performance.now() - this.#renewedAt;
    return setTimeout(() => this.#work.abort(), Math.max(0, this.#policy.lease_stop_ms - passed));
  }
}
