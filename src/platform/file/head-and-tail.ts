/** `HeadAndTail`: keeps the first and the last part of a stream; the bytes between are counted and left out. */
export class HeadAndTail {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #leftOutBytes = 0;

  constructor(limitBytes: number) {
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = Math.floor(limitBytes / 2);
  }

  add(bytes: Buffer): void {
    const toHead = Math.min(this.#headLimit - this.#headBytes, bytes.length);
    if (toHead > 0) {
      this.#head.push(Buffer.from(bytes.subarray(0, toHead)));
      this.#headBytes += toHead;
    }
    const rest = bytes.subarray(toHead);
    const kept = rest.subarray(Math.max(0, rest.length - this.#tailLimit));
    this.#leftOutBytes += rest.length - kept.length;
    if (kept.length === 0) return;
    this.#tail.push(Buffer.from(kept));
    this.#tailBytes += kept.length;
    // Pieces are dropped in bulk: trimming the front at each of many small writes would copy the tail every time.
    if (this.#tailBytes > 2 * this.#tailLimit) this.#shorten();
  }

  text(): string {
    this.#shorten();
    const head = Buffer.concat(this.#head).toString('utf8');
    const tail = Buffer.concat(this.#tail).toString('utf8');
    if (this.#leftOutBytes === 0) return Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
    return `${head}\n[... ${this.#leftOutBytes} bytes left out ...]\n${tail}`;
  }

  #shorten(): void {
    const extra = this.#tailBytes - this.#tailLimit;
    if (extra <= 0) return;
    this.#tail = [Buffer.concat(this.#tail).subarray(extra)];
    this.#tailBytes -= extra;
    this.#leftOutBytes += extra;
  }
}
