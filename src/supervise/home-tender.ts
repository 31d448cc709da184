/** `homeTender`: what a long-lived process looks after besides its runs: tasks of external agents, and notices to receivers. */
import { busTender } from './bus/tend-bus.ts';
import { Notifier, type NotifierOptions } from './notify/notifier.ts';

export interface HomeTender {
  /** For loops: looks at most once a second, and never fails. */
  readonly tend: () => Promise<void>;
  /** Before the process ends. */
  readonly finish: (signal: AbortSignal) => Promise<void>;
}

export function homeTender(options: NotifierOptions): HomeTender {
  const notifier = Notifier.open(options);
  const tendBus = busTender(options.home, options.record);
  return {
    tend: async () => {
      await tendBus();
      await notifier?.tend();
    },
    finish: async (signal) => await notifier?.finish(signal),
  };
}
