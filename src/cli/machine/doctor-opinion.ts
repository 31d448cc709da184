/** `opinionFinding`: whether a model would be asked for an opinion, which one, and what that costs at most. */
import { findAdapter } from '../../agents/registry.ts';
import { NOBODY, type OpinionChoice } from '../../core/vocabulary/opinion.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { thresholdsAt } from '../../supervise/request/config.ts';
import { loadRunConfig } from '../../supervise/request/config-trust.ts';
import { opinionOf } from '../../supervise/request/opinion-choice.ts';
import { type DoctorFinding, findingOf, fine } from './doctor-finding.ts';

const WHAT = 'opinions';

export async function opinionFinding(home: string, directory: string): Promise<DoctorFinding> {
  try {
    const config = await loadRunConfig({ home, repository: directory, trust: false });
    const { policy } = await thresholdsAt(home, directory);
    const { opinion_questions: most, opinion_ms: ms, opinion_cost_usd: usd } = policy;
    const bounds = `at most ${most} a run, ${ms / 1_000} s each, $${usd} in all where the provider tells a price`;
    const agent = config.agent ?? '';
    const own = { name: agent, command: config.agents?.[agent]?.command ?? [], model: null };
    const choice = opinionOf(undefined, config, findAdapter(agent) === null ? null : own);
    if (most === 0) return fine(WHAT, `${NOBODY}: the policy opinion_questions is 0`);
    if (choice.type !== 'none') return fine(WHAT, `${whoIs(choice)} is asked; ${bounds}`);
    return config.opinion === undefined
      ? fine(WHAT, `each run of an agent CLI asks that CLI, with its login; ${bounds}; other runs ask nobody`)
      : fine(WHAT, NOBODY);
  } catch (error) {
    if (error instanceof MaydayError && error.code === 'CONFIG_NOT_TRUSTED')
      return fine(WHAT, `${NOBODY} here before you trust the configuration`);
    return findingOf(WHAT, error);
  }
}

function whoIs(choice: Exclude<OpinionChoice, { type: 'none' }>): string {
  switch (choice.type) {
    case 'agent':
      return `${choice.name} (${choice.model ?? 'its cheapest model'})`;
    case 'http':
      return `${choice.model} at ${choice.url}`;
    case 'command':
      return `the command ${JSON.stringify(choice.line)}`;
  }
}
