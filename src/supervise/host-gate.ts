/**
 * `HostGate`: observes trouble of the host that no agent caused: sleep, a moved clock, a full disk, a lost network. It turns trouble
 * into facts or holds. While a hold lasts, no agent is started; it ends when health is observed, not when time has passed.
 */
import { hostname } from 'node:os';
import type { Fact } from '../core/vocabulary/events/event.ts';
import { diskKey } from '../core/fleet/concerns.ts';
import type { Hold } from '../core/vocabulary/hold.ts';
import { liveAttempt, openIncident } from '../core/state/run-state.ts';
import {
  type ClockReading,
  compareClocks,
  diskFreeBytes,
  readClocks,
  takesConnection,
} from '../platform/host.ts';
import type { KeptRun } from './run-journal.ts';

/** Disks fill over seconds, and a look is one system call. A network that is back is seen within the same time. */
const LOOK_EVERY_MS = 2_000;
/** Longer than a handshake around the world; the keeper waits for it, so not much longer. */
const CONNECT_MS = 1_000;
/** Shorter gaps are a busy machine, not a sleeping one. */
const SLEPT_MS = 5_000;

export interface HostGateOptions extends Pick<KeptRun, 'home' | 'record' | 'journal'> {
  /** Tests give clocks of a machine that sleeps. */
  readonly clocks?: () => ClockReading;
}

export class HostGate {
  readonly #options: HostGateOptions;
  readonly #clocks: () => ClockReading;
  #before: ClockReading;
  #lookedAt = -Infinity;
  /** The network hold (by its begin) during which the endpoint was seen closed. */
  #closedIn: number | null = null;

  constructor(options: HostGateOptions) {
    this.#options = options;
    this.#clocks = options.clocks ?? readClocks;
    this.#before = this.#clocks();
  }

  async look(
    submit: (fact: Fact) => Promise<unknown>,
    when: 'sometimes' | 'now' = 'sometimes',
  ): Promise<void> {
    const now = this.#clocks();
    const { sleptMs, jumpedMs } = compareClocks(this.#before, now);
    this.#before = now;
    if (sleptMs >= SLEPT_MS || Math.abs(jumpedMs) >= SLEPT_MS)
      await submit({ type: 'clock_jumped', at: Date.now(), sleptMs, jumpedMs });
    if (when === 'sometimes' && performance.now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = performance.now();
    if (liveAttempt(this.#options.journal.state) !== undefined) return;
    const holds = await this.#options.record.holds();
    await this.#lookAtDisk(holds);
    await this.#lookAtNetwork(holds);
  }

  async #lookAtDisk(holds: readonly Hold[]): Promise<void> {
    const { record, journal, home } = this.#options;
    const { disk_free_bytes } = journal.state.policy;
    const key = diskKey({ host: record.hosts?.id ?? hostname() });
    const free = await diskFreeBytes(home);
    const row = holds.find((hold) => hold.key === key);
    const held = row?.liftedAt === null ? row : undefined;
    const now = Date.now();
    // A person released the hold while the disk was full: no new hold is placed until there was room again.
    if (free < disk_free_bytes && held === undefined && row?.releasedBy === undefined) {
      const reason = `the disk is nearly full: ${Math.round(free / 1024 ** 2)} MB left under ${home}`;
      const { runId } = journal.state;
      await record.changeHold({
        type: 'place',
        hold: { key, kind: 'disk', until: null, reason, holder: runId, at: now },
      });
    } else if (free >= disk_free_bytes && (held !== undefined || row?.releasedBy !== undefined))
      await record.changeHold({ type: 'lift', key, now });
  }

  /**
   * The run that met the outage looks for all runs. An endpoint that was seen closed and then open is healthy. An endpoint that was
   * never seen closed may have opened before the first look, so it is believed once. If the run fails again after that, the
   * endpoint was not the cause, and the hold ends by its growing pauses.
   */
  async #lookAtNetwork(holds: readonly Hold[]): Promise<void> {
    const { record, journal } = this.#options;
    const { runId } = journal.state;
    const held = holds.find(
      ({ kind, holder, liftedAt }) => kind === 'network' && holder === runId && liftedAt === null,
    );
    if (!held?.endpoint) return;
    const { key } = held;
    const isFirstWait = openIncident(journal.state)?.recoveries.length === 1;
    if (!(await takesConnection(held.endpoint, CONNECT_MS))) this.#closedIn = held.since;
    else if (isFirstWait || this.#closedIn === held.since)
      await record.changeHold({ type: 'lift', key, now: Date.now() });
  }
}
