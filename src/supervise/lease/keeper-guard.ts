/** `KeeperGuard`: starts a keeper for a followed run that has none, and throws an error when no keeper stays alive. */
import { readFileSync } from 'node:fs';
import { recordPath } from '../../act/run-files.ts';
import { diskFreeBytes } from '../../platform/host.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { ERROR_MARK } from '../../platform/print-error.ts';
import { diskFull } from '../../platform/storage-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { isDead, lookAt, type ProcessIdentity } from '../../platform/process/process-identity.ts';
import { ownerProcess } from './owner.ts';
import { isKept, keeperLog, lastKeeper, startKeeper } from '../start-keeper.ts';
import { unseenAttempt, unseenError } from '../watch/unseen-attempt.ts';

/** The pause between two keepers, in which the earlier one writes down why it ended. */
const GRACE_MS = 5_000;
/** Keepers that die this often within this time do not die by accident. Also keepers that had the lease count: they may die right after. */
const TRIES = 3;
const TRIES_WITHIN_MS = 600_000;
/** One dead keeper may have been killed; when a second one dies, both met the same trouble. */
const DIED_TWICE = 2;
const LOG_CHARS = 1_000;
/** A turn, its log and a checkpoint need about this much. */
const NEEDED_BYTES = 1024 * 1024;

interface GuardedRun {
  readonly home: string;
  readonly record: RunRecord;
  readonly runId: string;
  readonly env: NodeJS.ProcessEnv;
  readonly graceMs?: number;
}

export class KeeperGuard {
  readonly #of: GuardedRun;
  #seenAt = performance.now();
  /** Keepers seen dead: when, and which. */
  #died: readonly { readonly at: number; readonly pid: number }[] = [];

  constructor(of: GuardedRun) {
    this.#of = of;
  }

  isKept(): Promise<boolean> {
    return isKept(this.#of.record, this.#of.runId);
  }

  /** A keeper is missing when its process is seen dead or stopped, or its lease ran out. A slow one is waited for, however slow. */
  async look(): Promise<void> {
    const now = performance.now();
    if (await this.isKept()) this.#seenAt = now;
    const { home, record, runId, env, graceMs = GRACE_MS } = this.#of;
    if (now - this.#seenAt <= graceMs) return;
    const unseen = await unseenAttempt(home, record, runId);
    if (unseen !== null) throw unseenError(unseen);
    const last = lastKeeper(runId);
    const state = last === null ? 'gone' : lookAt(last);
    if (last !== null && isDead(state)) this.#noteDeath(last.pid, now);
    else if (last !== null && state !== 'stopped' && !(await this.#isOverdue(last))) return;
    if (this.#died.length >= TRIES) throw await this.#failed();
    this.#seenAt = now;
    startKeeper(home, runId, env);
  }

  #noteDeath(pid: number, now: number): void {
    const lately = this.#died.filter(({ at }) => now - at < TRIES_WITHIN_MS);
    this.#died = lately.at(-1)?.pid === pid ? lately : [...lately, { at: now, pid }];
  }

  /** Whether a keeper that took the run is late with its lease. Another may take over then; the fence keeps the late one from writing. */
  async #isOverdue({ pid, startTicks }: ProcessIdentity): Promise<boolean> {
    const lease = await this.#of.record.lease(this.#of.runId);
    const owner = lease === null ? null : ownerProcess(lease.owner);
    return owner?.pid === pid && owner.startTicks === startTicks;
  }

  /** For a caller that cannot wait for the last try: the error, if keepers have died at least twice. */
  async reason(): Promise<MaydayError | null> {
    return this.#died.length < DIED_TWICE ? null : await this.#failed();
  }

  async #failed(): Promise<MaydayError> {
    const { home, runId } = this.#of;
    // On a full disk the keepers could not write their log either.
    if ((await diskFreeBytes(home)) < NEEDED_BYTES)
      return diskFull(recordPath(home), 'the keeper could not go on');
    const log = keeperLog(home, runId);
    return new MaydayError('KEEPER_FAILED', `the keeper of run ${runId} does not stay alive`, [
      ['happened', `it said: ${lastWords(log)}`],
      ['do', `read its log: ${log}`],
      ['did', 'the run is recorded and its work is kept'],
      ['do', `mend the cause, then mayday resume ${runId}`],
    ]);
  }
}

/** The error that the last keeper printed; without one, the end of its log. */
function lastWords(log: string): string {
  try {
    const text = readFileSync(log, 'utf8').trim();
    const printed = text.split('\n').findLast((line) => line.startsWith(ERROR_MARK));
    return printed?.slice(ERROR_MARK.length) ?? (text.slice(-LOG_CHARS) || 'nothing');
  } catch {
    return 'nothing';
  }
}
