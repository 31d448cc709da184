/**
 * `work`: keeps many runs in one process. It takes queued runs (oldest first) and runs without a keeper, up to a number at once. Where
 * hosts share the record, it claims what this host can do.
 *
 *   look -> take while there is room -> each run has its own keeper loop here -> a run that ends or asks makes room
 *   ends when it is told to (the agents live on, and the next keepers adopt the runs), or when there is nothing left to take
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MaydayError } from '../platform/mayday-error.ts';
import type { KeptRun } from './run-journal.ts';
import type { HostMode } from '../record/contract/hosts.ts';
import { type AdoptOptions, adoptRun } from './lease/adopt-run.ts';
import { giveAway } from './hosts/leave-run.ts';
import type { KeeperEnd } from './keeper.ts';
import { HostWorker, type HostOptions } from './hosts/host-worker.ts';
import { isOwnerDead } from './lease/owner.ts';
import { patientRecord } from './patient-record.ts';

/** How soon a run can be taken, at the latest. */
const LOOK_MS = 250;
/** The same while this process keeps nothing: a person who submits a task hardly notices, and an idle worker costs next to nothing. */
const IDLE_LOOK_MS = 1_000;
/** Dead owners are looked for less often, because that takes a look at every process that owns a run. */
const DEAD_LOOK_MS = 5_000;
/** A run whose keeper failed this often is left to a person. */
const TRIES = 3;

export interface WorkOptions extends Omit<KeptRun, 'journal'> {
  readonly concurrency: number;
  /** What this host offers to runs that ask for it, and limits over the whole fleet. */
  readonly host?: Pick<HostOptions, 'labels' | 'perAccount' | 'perRepository'>;
  /** End once there is nothing to keep and nothing to take. */
  readonly untilIdle: boolean;
  /** What the process looks after besides the runs. */
  readonly tend?: () => Promise<void>;
  readonly onEnd?: (runId: string, end: KeeperEnd) => void;
  readonly onFailure?: (runId: string, error: unknown) => void;
}

export async function work(options: WorkOptions): Promise<void> {
  const { signal } = options;
  const worker = new Worker({ ...options, record: patientRecord(options.record, signal) });
  await worker.run().catch((error: unknown) => {
    // Told to end while the store did not answer.
    if (!signal.aborted) throw error;
  });
}

class Worker {
  readonly #options: WorkOptions;
  readonly #kept = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  /** When the agent of a run was last found to be where it cannot be seen from here. */
  readonly #unseenAt = new Map<string, number>();
  #deadLookAt = Number.NEGATIVE_INFINITY;
  /** Null: no other host shares the record. */
  #host: HostWorker | null = null;
  /** Ends the keepers of this host for maintenance. */
  #giveUp = new AbortController();

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, tend, untilIdle, record } = this.#options;
    const { hosts } = record;
    const offer = { labels: [], perAccount: null, perRepository: null, ...this.#options.host };
    if (hosts !== null) this.#host = await HostWorker.enrol({ ...this.#options, ...offer, hosts });
    while (!signal.aborted) {
      await tend?.();
      const mode = (await this.#host?.look()) ?? 'working';
      if (mode === 'working') await this.#take();
      else await this.#rest(mode);
      if (untilIdle && this.#kept.size === 0) return;
      const isIdle = this.#kept.size === 0 && this.#host === null;
      await pause(isIdle ? IDLE_LOOK_MS : LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(this.#kept.values());
  }

  async #take(): Promise<void> {
    const { concurrency } = this.#options;
    const hasRoom = () => this.#kept.size < concurrency;
    const waiting = hasRoom() ? await this.#waiting() : [];
    for (const runId of waiting) if (hasRoom()) this.#keep(runId);
    while (this.#host !== null && hasRoom()) {
      const failed = [...this.#failures].filter(([, times]) => times >= TRIES).map(([runId]) => runId);
      const claimed = await this.#host.claim([...failed, ...this.#kept.keys()]);
      if (claimed === null) return;
      this.#keep(claimed.runId, claimed);
    }
  }

  /** Draining: what is kept goes on to its end. Maintenance: other hosts go on with it. */
  async #rest(mode: HostMode): Promise<void> {
    if (mode !== 'maintenance' || this.#kept.size === 0) return;
    const { home, record } = this.#options;
    const runs = [...this.#kept.keys()];
    this.#giveUp.abort();
    await Promise.all(this.#kept.values());
    this.#giveUp = new AbortController();
    for (const runId of runs) await giveAway(home, record, runId);
  }

  /** Returns the runs to take. Runs that were begun come before queued ones. */
  async #waiting(): Promise<readonly string[]> {
    const { record } = this.#options;
    // Where hosts share the record, everything but a dead keeper of this host is claimed.
    if (this.#host !== null)
      return (await this.#leftByTheDead()).filter((runId) => (this.#failures.get(runId) ?? 0) < TRIES);
    const queued = await record.rows({ state: 'queued', withoutView: true });
    const fresh = queued.toSorted((a, b) => a.createdAt - b.createdAt).map(({ runId }) => runId);
    const left = [...(await record.unowned()), ...(await this.#leftByTheDead())];
    return [...new Set([...left, ...fresh])].filter(
      (runId) => !this.#kept.has(runId) && (this.#failures.get(runId) ?? 0) < TRIES && this.#mayBeSeen(runId),
    );
  }

  #mayBeSeen(runId: string): boolean {
    return performance.now() - (this.#unseenAt.get(runId) ?? Number.NEGATIVE_INFINITY) >= DEAD_LOOK_MS;
  }

  /** Finds runs whose owner was seen dead although its lease has not run out yet. */
  async #leftByTheDead(): Promise<readonly string[]> {
    const { record } = this.#options;
    if (performance.now() - this.#deadLookAt < DEAD_LOOK_MS) return [];
    this.#deadLookAt = performance.now();
    const left: string[] = [];
    // Waiting runs have no owner: a look at each of thousands would cost more than the work.
    const live = record.hosts === null ? await record.rows({ ended: false, withoutView: true }) : [];
    const held = (await record.hosts?.held()) ?? live.map(({ runId }) => runId);
    for (const runId of held) {
      const lease = this.#kept.has(runId) ? null : await record.lease(runId);
      if (lease !== null && isOwnerDead(lease)) left.push(runId);
    }
    return left;
  }

  #keep(runId: string, claimed?: AdoptOptions['claimed']): void {
    const { home, record, env, redactor, onEnd, onFailure } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#giveUp.signal]);
    const more = claimed === undefined ? {} : { claimed };
    const kept = adoptRun({ home, record, runId, env, redactor, signal, fromQueue: true, ...more })
      .then((end) => {
        if (end !== null) onEnd?.(runId, end);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        if (error instanceof MaydayError && error.code === 'AGENT_UNSEEN') {
          if (!this.#unseenAt.has(runId)) onFailure?.(runId, error);
          this.#unseenAt.set(runId, performance.now());
          return;
        }
        // The failure of one run must not stop the others, whatever it is.
        this.#failures.set(runId, (this.#failures.get(runId) ?? 0) + 1);
        onFailure?.(runId, error);
      })
      .finally(() => this.#kept.delete(runId));
    this.#kept.set(runId, kept);
  }
}
