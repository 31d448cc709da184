/**
 * `RedactionStream`: redacts text that arrives in pieces. Whole lines go out at once; what could be the beginning of a secret waits for
 * the next piece. States: plain, or inside a private key so long that its marker has already gone out. Inside a key everything that may
 * belong to it is dropped, and the first other character leads back to plain.
 */
import { skipKeyBody } from './private-keys.ts';
import type { Redactor } from './redact.ts';

/** A line without an end is let go in pieces of this size, so that memory stays bounded. */
const MAX_HELD_CHARS = 64 * 1024;
/** How much of it stays back: longer than any secret that is not a private key. */
const OVERLAP_CHARS = 16 * 1024;
/** What stands before a secret and tells that it is one (a name, a header) goes out together with it. */
const CONTEXT_CHARS = 256;

export class RedactionStream {
  readonly #redactor: Redactor;
  #held = '';
  #insideKey = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(chunk: string): string {
    this.#held += chunk;
    if (this.#insideKey) this.#dropKeyBody();
    const lineEnd = this.#held.lastIndexOf('\n') + 1;
    if (this.#held.length - lineEnd > MAX_HELD_CHARS) return this.#letGo(this.#held.length - OVERLAP_CHARS);
    return lineEnd === 0 ? '' : this.#letGo(lineEnd);
  }

  end(): string {
    return this.#take(this.#held.length);
  }

  #letGo(wanted: number): string {
    const found = this.#redactor.find(this.#held);
    let cut = wanted;
    for (const { start, end } of found.toReversed()) {
      // A secret that reaches the end of what we have may go on in the next piece.
      const reaches = end === this.#held.length ? Number.POSITIVE_INFINITY : end;
      const context = Math.max(start - CONTEXT_CHARS, this.#held.lastIndexOf('\n', start) + 1);
      if (context < cut && reaches > cut) cut = Math.max(0, context);
    }
    if (this.#held.length - cut <= 2 * MAX_HELD_CHARS) return this.#take(cut);
    // One secret (or several without a gap) is larger than what may be held back: its marker goes out now.
    this.#insideKey = found.at(-1)?.name === 'private-key' && found.at(-1)?.end === this.#held.length;
    return this.#take(this.#held.length);
  }

  #take(end: number): string {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return this.#redactor.redact(text);
  }

  #dropKeyBody(): void {
    const end = skipKeyBody(this.#held, 0);
    this.#insideKey = end === this.#held.length;
    this.#held = this.#held.slice(end);
  }
}
