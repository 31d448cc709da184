/**
 * The host gate: sleep, a moved clock and a full disk are nobody's fault. They are observed here and become facts; while
 * one lasts, no agent is started, and it ends when health is observed, not when time has passed.
 */
import { hostname } from 'node:os';
import type { Fact } from '../core/event.ts';
import { diskKey } from '../core/fleet/concerns.ts';
import { liveAttempt } from '../core/run-state.ts';
import { type ClockReading, compareClocks, diskFreeBytes, readClocks } from '../platform/host.ts';
import type { RunRecord } from '../record/contract.ts';
import type { RunJournal } from './run-journal.ts';

/** Disks fill over seconds, and looking is one system call. */
const LOOK_EVERY_MS = 2_000;
/** Shorter gaps are a busy machine, not a sleeping one. */
const SLEPT_MS = 5_000;

export interface HostGateOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly journal: RunJournal;
  /** Tests put the machine to sleep here. */
  readonly clocks?: () => ClockReading;
}

export class HostGate {
  readonly #options: HostGateOptions;
  readonly #clocks: () => ClockReading;
  #before: ClockReading;
  #lookedAt = -Infinity;

  constructor(options: HostGateOptions) {
    this.#options = options;
    this.#clocks = options.clocks ?? readClocks;
    this.#before = this.#clocks();
  }

  async look(submit: (fact: Fact) => Promise<unknown>): Promise<void> {
    const now = this.#clocks();
    const { sleptMs, jumpedMs } = compareClocks(this.#before, now);
    this.#before = now;
    if (sleptMs >= SLEPT_MS || Math.abs(jumpedMs) >= SLEPT_MS)
      await submit({ type: 'clock_jumped', at: Date.now(), sleptMs, jumpedMs });
    if (performance.now() - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = performance.now();
    if (liveAttempt(this.#options.journal.state) === undefined) await this.#lookAtDisk();
  }

  async #lookAtDisk(): Promise<void> {
    const { record, journal, home } = this.#options;
    const { disk_free_bytes } = journal.state.policy;
    const key = diskKey({ host: hostname(), account: '' });
    const free = await diskFreeBytes(home);
    const held = (await record.holds()).find((hold) => hold.key === key && hold.liftedAt === null);
    const now = Date.now();
    if (free < disk_free_bytes && held === undefined) {
      const reason = `the disk is nearly full: ${Math.round(free / 1024 ** 2)} MB left under ${home}`;
      const { runId } = journal.state;
      await record.changeHold({
        type: 'place',
        hold: { key, kind: 'disk', until: null, reason, holder: `host:${runId}`, at: now },
      });
    } else if (free >= disk_free_bytes && held !== undefined)
      await record.changeHold({ type: 'lift', key, now });
  }
}
