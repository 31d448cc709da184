/** `homeTender`: what a long-lived process looks after besides its runs: tasks of external agents, and notices to receivers. */
import type { Policy } from '../core/vocabulary/policy.ts';
import { busTender } from './bus/tend-bus.ts';
import { Notifier, type NotifierOptions } from './notify/notifier.ts';
import { configOrNothing, wholePolicy } from './request/config.ts';

/** A process that lives longer has time to load what it may need later. */
const STAYS_MS = 2_000;

export interface HomeTender {
  /** The limits of the person; the defaults if the configuration is broken. */
  readonly policy: Policy;
  /** For loops: looks at most once a second, and never fails. */
  readonly tend: () => Promise<void>;
  /** Before the process ends. */
  readonly finish: (signal: AbortSignal) => Promise<void>;
}

export async function homeTender(options: NotifierOptions): Promise<HomeTender> {
  const config = await configOrNothing(options.home);
  const policy = wholePolicy(config);
  const notifier = Notifier.open(options, config);
  const tendBus = busTender(options.record, policy);
  // Where the files are gone already, the act that needs one of them fails and says so.
  setTimeout(() => void loadRest().catch(() => undefined), STAYS_MS).unref();
  return {
    policy,
    tend: async () => {
      await tendBus();
      await notifier?.tend();
    },
    finish: async (signal) => await notifier?.finish(signal),
  };
}

/** What acts load when they need it: an update of Mayday may replace its files while runs go on. */
async function loadRest(): Promise<void> {
  await import('../agents/opinion/ask-opinion.ts');
  await import('../agents/opinion/open-provider.ts');
  await import('../context/lesson-file.ts');
  await import('../context/patterns.ts');
  await import('../context/rules/parse-rules.ts');
  await import('../core/diagnose/diagnose.ts');
  await import('../core/opinion/diagnose-question.ts');
  await import('../core/opinion/lesson-question.ts');
  await import('../core/opinion/read-failure.ts');
  await import('../core/opinion/weigh-diagnosis.ts');
  await import('../core/gates/rule-findings.ts');
  await import('./mail/read-mail.ts');
}
