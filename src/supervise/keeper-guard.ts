/** For whoever follows a run: sees that somebody keeps it, starts a keeper where nobody does, and says so when none stays alive. */
import { readFileSync } from 'node:fs';
import { recordPath } from '../act/run-files.ts';
import { diskFreeBytes } from '../platform/host.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { diskFull } from '../platform/storage-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { isKept, keeperLog, startKeeper } from './start-keeper.ts';
import { unseenAttempt, unseenError } from './unseen-attempt.ts';

/** A keeper needs a moment to start; only then is its absence a fact. */
const GRACE_MS = 5_000;
/** Keepers that die that often within that time do not die by accident. A lease alone proves nothing: who dies a moment later had one. */
const TRIES = 3;
const TRIES_WITHIN_MS = 600_000;
/** One that died may have been killed; the next has the same trouble. */
const DIED_TWICE = 2;
const LOG_CHARS = 1_000;
/** A turn, its log and a checkpoint need about this much. */
const NEEDED_BYTES = 1024 * 1024;

export class KeeperGuard {
  readonly #home: string;
  readonly #record: RunRecord;
  readonly #runId: string;
  readonly #env: NodeJS.ProcessEnv;
  #seenAt = performance.now();
  #startedAt: readonly number[] = [];

  constructor(home: string, record: RunRecord, runId: string, env: NodeJS.ProcessEnv) {
    this.#home = home;
    this.#record = record;
    this.#runId = runId;
    this.#env = env;
  }

  isKept(): Promise<boolean> {
    return isKept(this.#record, this.#runId);
  }

  async look(): Promise<void> {
    if (await this.isKept()) {
      this.#seenAt = performance.now();
    } else if (performance.now() - this.#seenAt > GRACE_MS) {
      const unseen = await unseenAttempt(this.#home, this.#record, this.#runId);
      if (unseen !== null) throw unseenError(unseen);
      const now = performance.now();
      const lately = this.#startedAt.filter((at) => now - at < TRIES_WITHIN_MS);
      if (lately.length >= TRIES) throw await this.#failed();
      this.#startedAt = [...lately, now];
      this.#seenAt = now;
      startKeeper(this.#home, this.#runId, this.#env);
    }
  }

  /** For whoever cannot wait for the last try: keepers died, and that is the reason. */
  async reason(): Promise<MaydayError | null> {
    return this.#startedAt.length < DIED_TWICE ? null : await this.#failed();
  }

  async #failed(): Promise<MaydayError> {
    // A full disk also swallows the words of those who met it.
    if ((await diskFreeBytes(this.#home)) < NEEDED_BYTES)
      return diskFull(recordPath(this.#home), 'the keeper could not go on');
    const log = keeperLog(this.#home, this.#runId);
    return new MaydayError('KEEPER_FAILED', `the keeper of run ${this.#runId} does not stay alive`, [
      ['it said', lastWords(log)],
      ['its log', log],
      ['the run', 'is recorded and its work is kept'],
      ['do', `mend the cause, then mayday resume ${this.#runId}`],
    ]);
  }
}

function lastWords(log: string): string {
  try {
    return readFileSync(log, 'utf8').trim().slice(-LOG_CHARS) || 'nothing';
  } catch {
    return 'nothing';
  }
}
