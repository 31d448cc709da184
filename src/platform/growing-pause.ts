/** `GrowingPause`: the pauses between looks. What happens soon is seen at once; what takes long is looked at seldom. */
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 1;
const GROWTH = 1.5;

export class GrowingPause {
  readonly #longestMs: number;
  #nextMs = FIRST_MS;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  async wait(signal?: AbortSignal): Promise<void> {
    await sleep(this.#nextMs, undefined, signal === undefined ? {} : { signal });
    this.#nextMs = Math.min(this.#longestMs, this.#nextMs * GROWTH);
  }
}
