/** `opinionProvider`: the provider that a command may ask for an opinion; none unless `--opinion` or a trusted configuration names it. */
import { MaydayError } from '../../platform/mayday-error.ts';
import type { OpinionLimits, OpinionProvider } from '../../agents/opinion/ask-opinion.ts';
import { openProvider } from '../../agents/opinion/open-provider.ts';
import { NOBODY } from '../../core/vocabulary/opinion.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { thresholdsAt } from '../../supervise/request/config.ts';
import { loadRunConfig } from '../../supervise/request/config-trust.ts';
import { opinionOf } from '../../supervise/request/opinion-choice.ts';
import type { Config } from '../../supervise/request/read-config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';

export type OpinionAtHand =
  | {
      readonly type: 'provider';
      readonly provider: OpinionProvider;
      readonly limits: OpinionLimits;
      /** For every text before it is put into a question. */
      readonly redact: (text: string) => string;
    }
  | { readonly type: 'nobody'; readonly why: string };

export async function opinionProvider(invocation: Invocation): Promise<OpinionAtHand> {
  const { env, cwd } = invocation;
  const wish = textOf(invocation, 'opinion');
  if (wish === 'none') return { type: 'nobody', why: NOBODY };
  const home = maydayHome(env);
  const config = await trustedConfig(home, cwd, wish !== undefined);
  if (config === null) return { type: 'nobody', why: 'the configuration of this folder is not trusted' };
  const choice = opinionOf(wish, config, null);
  const provider = openProvider(choice, {
    env,
    passed: config.environment ?? [],
    cwd,
    cover: () => ({}),
  });
  if (typeof provider === 'string') return { type: 'nobody', why: provider };
  const { policy } = await thresholdsAt(home, cwd);
  const redactor = createRedactor({ environment: env });
  return {
    type: 'provider',
    provider,
    limits: { deadlineMs: policy.opinion_ms, costUsd: policy.opinion_cost_usd },
    redact: (text) => redactor.redact(text),
  };
}

/** Null: nobody trusts it. What the person names needs nothing of it. */
async function trustedConfig(home: string, cwd: string, isNamed: boolean): Promise<Config | null> {
  try {
    return await loadRunConfig({ home, repository: cwd, trust: false });
  } catch (error) {
    if (!(error instanceof MaydayError) || error.code !== 'CONFIG_NOT_TRUSTED') throw error;
    return isNamed ? {} : null;
  }
}
