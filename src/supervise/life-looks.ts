/** LifeLooks sees the signs of life that are in no output: children that were started, bytes on the sockets of the tree. */
import type { Tick } from '../core/detect/tick.ts';
import type { Observation } from '../platform/observe.ts';
import { SocketMeter } from '../platform/socket-meter.ts';

/** Sockets are looked at that many times within the silence limit: the verdict is at most a twentieth late. */
const LOOKS_PER_LIMIT = 20;

export type LifeFacts = Pick<Tick, 'children' | 'childrenStarted' | 'socketBytes'>;

export class LifeLooks {
  readonly #meter = new SocketMeter();
  #members: ReadonlySet<string> | null = null;
  #childrenStarted = 0;
  #socketBytes: number | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When bytes were last seen to have moved. */
  socketsAt = -1;

  /** `quietMs`: how long the agent has been silent. One that speaks needs no other sign. */
  async look(
    seen: Observation,
    at: number,
    { quietMs, silenceMs }: { readonly quietMs: number; readonly silenceMs: number },
  ): Promise<LifeFacts> {
    this.#countChildren(seen);
    const everyMs = silenceMs / LOOKS_PER_LIMIT;
    const sinceMs = at - this.#lookedAt;
    if (quietMs >= everyMs && (sinceMs >= everyMs || sinceMs < 0)) {
      // The agent spoke since the last look: bytes may have moved with its words.
      if (sinceMs < 0 || sinceMs > quietMs) this.#meter.forget();
      await this.#lookAtSockets(seen, at);
    }
    return {
      children: Math.max(0, seen.members.length - 1),
      childrenStarted: this.#childrenStarted,
      ...(this.#socketBytes === null ? {} : { socketBytes: this.#socketBytes }),
    };
  }

  async #lookAtSockets({ members }: Observation, at: number): Promise<void> {
    const before = this.#socketBytes;
    this.#socketBytes = await this.#meter.look(members.map(({ pid }) => pid));
    this.#lookedAt = at;
    if (before !== null && this.#socketBytes !== null && this.#socketBytes > before) this.socketsAt = at;
  }

  #countChildren({ members }: Observation): void {
    const known = this.#members;
    this.#members = new Set(members.map(({ pid, startTicks }) => `${pid} ${startTicks}`));
    if (known !== null) this.#childrenStarted += [...this.#members].filter((each) => !known.has(each)).length;
  }
}
