/** `ChangeFeed`: tells every open page which runs changed, in any process. One look serves all pages, while one is open. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecord } from '../record/contract.ts';
import { type LineDocument, lineDocument } from './line-document.ts';

/** A person feels a quarter of a second; one look costs a tenth of a millisecond. */
const LOOK_MS = 100;
/** A page that slept reads what it missed in pieces of this size. */
const PAGE = 200;

export interface Change {
  readonly change: number;
  readonly runId: string;
  readonly line: LineDocument;
}

export class ChangeFeed {
  readonly #record: RunRecord;
  readonly #waiting = new Set<() => void>();
  #looking = false;
  #seen = 0;
  #reading: { readonly after: number; readonly changes: Promise<readonly Change[]> } | null = null;

  constructor(record: RunRecord) {
    this.#record = record;
  }

  /** The changes after this one; waits until there is one, or until `signal` ends the wait with none. */
  async after(change: number, signal: AbortSignal): Promise<readonly Change[]> {
    for (;;) {
      const changes = await this.#shared(change);
      if (changes.length > 0 || signal.aborted) return changes;
      await this.#news(change, signal);
    }
  }

  /** Fifty pages that are woken by one change read it once. */
  async #shared(after: number): Promise<readonly Change[]> {
    if (this.#reading?.after === after) return await this.#reading.changes;
    const reading = { after, changes: this.#read(after) };
    this.#reading = reading;
    try {
      return await reading.changes;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  async #read(after: number): Promise<readonly Change[]> {
    const changes = await this.#record.changes(after, PAGE);
    const read = changes.map(async ({ change, runId }) => {
      const row = await this.#record.row(runId);
      return row === null ? [] : [{ change, runId, line: lineDocument(row.view) }];
    });
    return (await Promise.all(read)).flat();
  }

  async #news(change: number, signal: AbortSignal): Promise<void> {
    if (this.#seen > change) this.#seen = change;
    await new Promise<void>((settle) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        settle();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
      else if (!this.#looking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      while (this.#waiting.size > 0) {
        const last = await this.#record.lastChange();
        if (last > this.#seen) {
          this.#seen = last;
          for (const wake of this.#waiting) wake();
        } else await pause(LOOK_MS, undefined, { ref: false });
      }
    } catch {
      // A record that does not answer now: each page reads again, and gets the error itself.
      for (const wake of this.#waiting) wake();
    } finally {
      this.#looking = false;
    }
  }
}
