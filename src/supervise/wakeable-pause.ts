/** `WakeablePause`: a pause that ends early when `ring` is called. A ring while no caller waits ends the next wait at once. */
export class WakeablePause {
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
