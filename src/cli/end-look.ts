/** `EndLook`: looks at the person's checkout as soon as a run has ended, while its keeper still gives the workspace back. */
import { changedHereToo } from '../act/deliver/persons-checkout.ts';
import type { RunState } from '../core/state/run-state.ts';

export class EndLook {
  readonly #env: NodeJS.ProcessEnv;
  #delivered: RunState['delivered'] = null;
  #changed: Promise<readonly string[]> | null = null;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  see(state: RunState): void {
    if (state.life.type !== 'ended') return;
    // A run that got a new chance may end once more, with another delivery.
    if (this.#changed !== null && this.#delivered === state.delivered) return;
    this.#delivered = state.delivered;
    this.#changed = changedHereToo(state, this.#env);
    // Who asks for it hears of a failure.
    this.#changed.catch(() => {});
  }

  /** The delivered files that are changed and uncommitted in the checkout. */
  async changed(state: RunState): Promise<readonly string[]> {
    this.see(state);
    return (await this.#changed) ?? [];
  }
}
