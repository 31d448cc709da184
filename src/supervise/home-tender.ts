/** `homeTender`: what a long-lived process looks after besides its runs: tasks of external agents, and notices to receivers. */
import type { Policy } from '../core/vocabulary/policy.ts';
import { busTender } from './bus/tend-bus.ts';
import { Notifier, type NotifierOptions } from './notify/notifier.ts';
import { configOrNothing, wholePolicy } from './request/config.ts';

/** As long as a look takes to come again. The start of a run need not wait for the configuration; a short run reads it at its end. */
const READ_AFTER_MS = 1_000;
/** A process that lives longer has time to load what it may need later. */
const STAYS_MS = 2_000;

export interface HomeTender {
  /** The limits of the person; the defaults if the configuration is broken. */
  readonly policy: () => Promise<Policy>;
  /** For loops: looks at most once a second, and never fails. There is none in the first second. */
  readonly tend: () => Promise<void>;
  /** Before the process ends. */
  readonly finish: (signal: AbortSignal) => Promise<void>;
}

export function homeTender(options: NotifierOptions): HomeTender {
  let reading: ReturnType<typeof readHome> | null = null;
  const home = () => (reading ??= readHome(options));
  // Where it cannot be read, the end says so: the run is safe then.
  setTimeout(() => void home().catch(() => undefined), READ_AFTER_MS).unref();
  // Where the files are gone already, the act that needs one of them fails and says so.
  setTimeout(() => void loadRest().catch(() => undefined), STAYS_MS).unref();
  return {
    policy: async () => (await home()).policy,
    tend: async () => {
      const { tendBus, notifier } = (await reading?.catch(() => null)) ?? {};
      await tendBus?.();
      await notifier?.tend();
    },
    finish: async (signal) => await (await home()).notifier?.finish(signal),
  };
}

async function readHome(options: NotifierOptions) {
  const config = await configOrNothing(options.home);
  const policy = wholePolicy(config);
  return {
    policy,
    notifier: Notifier.open(options, config),
    tendBus: busTender(options.record, policy),
  };
}

/** What acts load when they need it: an update of Mayday may replace its files while runs go on. */
async function loadRest(): Promise<void> {
  await import('../agents/recovery/recover-with-cli.ts');
  await import('../context/lesson-file.ts');
  await import('../context/patterns.ts');
  await import('../context/rules/parse-rules.ts');
  await import('../core/diagnose/diagnose.ts');
  await import('../core/gates/rule-findings.ts');
  await import('./mail/read-mail.ts');
}
