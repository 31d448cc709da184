/** A pause that ends early when somebody rings; a ring while nobody waits is kept for the next who does. */
export class Alarm {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((done) => {
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          this.#wake = null;
          done();
        };
        const timer = setTimeout(end, limitMs);
        this.#wake = end;
        signal.addEventListener('abort', end, { once: true });
      });
    }
    this.#rung = false;
  }
}
