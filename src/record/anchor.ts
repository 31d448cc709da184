/**
 * `Anchor`: notes the heads of journal and ledger in append-only files, one beside the store and one elsewhere. A chain alone cannot show
 * that its end was cut off, and SQLite ignores a missing write-ahead log; the anchors show both. Two files, because replacing the folder
 * of the store replaces only one of them.
 *
 * A head is noted after the commit that made it, so a crash in between leaves the anchor behind, never ahead. Lines: `journal RUN FROM-SEQ
 * HASH SUM` (what one commit appended; `SEQ -` in older files) and `ledger RUN SEQ HASH SUM`, with RUN in base64. SUM also covers the id
 * of the store.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { checksum } from './checksum.ts';

export interface AnchoredHead {
  readonly chain: 'journal' | 'ledger';
  readonly runId: string;
  readonly seq: number;
  /** First of the events that the hash covers. */
  readonly from?: number;
  /** '-' for the journal in older files. */
  readonly hash: string;
}

/** Heads that could not be written (disk full) wait here; later heads cover earlier ones, so few are enough. */
const MAX_WAITING = 1000;
const NEW_LINE = 0x0a;

export class Anchor {
  readonly #path: string;
  readonly #storeId: string;
  #file: number | null = null;
  #waiting: AnchoredHead[] = [];

  constructor(path: string, storeId: string) {
    this.#path = path;
    this.#storeId = storeId;
  }

  /** Never throws: what it notes is already committed, and an anchor that lags is caught up by the next head. */
  note(heads: readonly AnchoredHead[]): void {
    const pending = this.#waiting.length === 0 ? heads : [...this.#waiting, ...heads];
    const text = pending.map((head) => anchorLine(this.#storeId, head)).join('');
    try {
      this.#file ??= openForAppend(this.#path);
      const bytes = Buffer.from(text);
      if (writeSync(this.#file, bytes) !== bytes.length) throw new Error('short write');
      this.#waiting = [];
    } catch {
      // Opening again ends a half-written line first.
      this.close();
      this.#waiting = pending.slice(-MAX_WAITING);
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

export function anchorLine(storeId: string, { chain, runId, seq, from, hash }: AnchoredHead): string {
  const place = from === undefined ? String(seq) : `${from}-${seq}`;
  const sum = checksum(storeId, chain, runId, place, hash).toString(16).padStart(8, '0');
  return `${chain} ${Buffer.from(runId).toString('base64url')} ${place} ${hash} ${sum}\n`;
}

function openForAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEW_LINE) writeSync(file, '\n');
  return file;
}
