/** `LifeLooks`: measures signs of life that are in no output: children that were started, bytes on the sockets of the process tree. */
import type { Tick } from '../../core/detect/tick.ts';
import { SocketMeter } from '../../platform/process/socket-meter.ts';

/** Sockets are looked at this many times within the silence limit: the verdict is at most a twentieth of the limit late. */
const LOOKS_PER_LIMIT = 20;

export interface SeenProcesses {
  /** The agent's process and everything that it started. */
  readonly members: readonly { readonly pid: number; readonly startTicks: number }[];
  readonly cpuMs: number;
  /** The part of the agent's process alone; null: it is not known. */
  readonly leaderCpuMs: number | null;
  readonly stopped: boolean;
}

export type LifeFacts = Pick<
  Tick,
  'stopped' | 'cpuMs' | 'childrenCpuMs' | 'children' | 'childrenStarted' | 'socketBytes'
>;

export class LifeLooks {
  readonly #meter = new SocketMeter();
  #members: ReadonlySet<string> | null = null;
  #childrenStarted = 0;
  #socketBytes: number | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** `quietMs`: how long the agent has been silent. One that speaks needs no other sign. */
  async look(
    seen: SeenProcesses,
    at: number,
    { quietMs, silenceMs }: { readonly quietMs: number; readonly silenceMs: number },
  ): Promise<LifeFacts> {
    this.#countChildren(seen);
    const everyMs = silenceMs / LOOKS_PER_LIMIT;
    const sinceMs = at - this.#lookedAt;
    if (quietMs >= everyMs && (sinceMs >= everyMs || sinceMs < 0)) {
      // The agent spoke since the last look: bytes may have moved with its words.
      if (sinceMs < 0 || sinceMs > quietMs) this.#meter.forget();
      this.#socketBytes = await this.#meter.look(seen.members.map(({ pid }) => pid));
      this.#lookedAt = at;
    }
    return {
      stopped: seen.stopped,
      cpuMs: seen.cpuMs,
      ...(seen.leaderCpuMs === null ? {} : { childrenCpuMs: seen.cpuMs - seen.leaderCpuMs }),
      children: Math.max(0, seen.members.length - 1),
      childrenStarted: this.#childrenStarted,
      ...(this.#socketBytes === null ? {} : { socketBytes: this.#socketBytes }),
    };
  }

  #countChildren({ members }: SeenProcesses): void {
    const known = this.#members;
    this.#members = new Set(members.map(({ pid, startTicks }) => `${pid} ${startTicks}`));
    if (known !== null) this.#childrenStarted += [...this.#members].filter((each) => !known.has(each)).length;
  }
}
