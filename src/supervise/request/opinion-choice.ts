/** `opinionOf`: who is asked for opinions: the person's wish, then the configuration, then the run's own agent CLI. */
import { findAdapter } from '../../agents/registry.ts';
import { type AgentChoice, adapterName } from '../../core/vocabulary/run-options.ts';
import type { OpinionChoice } from '../../core/vocabulary/opinion.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Config } from './read-config.ts';

const LINE = 'command:';
const NONE: OpinionChoice = { type: 'none' };

/** `agent`: that of the run, which has seen the same text already; null for commands that read what others left. */
export function opinionOf(
  wish: string | undefined,
  config: Pick<Config, 'opinion' | 'agents'>,
  agent: AgentChoice | null,
): OpinionChoice {
  if (wish !== undefined) return named(wish, config, '--opinion');
  const { opinion } = config;
  if (opinion === undefined) return agent === null ? NONE : ofRun(agent);
  if (typeof opinion === 'string') return named(opinion, config, 'opinion in mayday.yaml');
  if ('url' in opinion) return overHttp(opinion);
  if ('agent' in opinion) {
    const choice = named(opinion.agent, config, 'opinion.agent in mayday.yaml');
    const { command, model } = opinion;
    return choice.type === 'agent'
      ? { ...choice, command: command ?? choice.command, model: model ?? choice.model }
      : choice;
  }
  return { type: 'command', line: opinion.command };
}

function ofRun(agent: AgentChoice): OpinionChoice {
  const name = adapterName(agent);
  return findAdapter(name)?.opinionCall === undefined
    ? NONE
    : { type: 'agent', name, command: agent.command, model: null };
}

function named(wish: string, config: Pick<Config, 'opinion' | 'agents'>, place: string): OpinionChoice {
  const { opinion, agents = {} } = config;
  if (wish === 'none') return NONE;
  if (wish.startsWith(LINE) && wish.slice(LINE.length).trim() !== '' && !wish.includes('\0'))
    return { type: 'command', line: wish.slice(LINE.length).trim() };
  if (typeof opinion === 'object' && 'url' in opinion && opinion.provider === wish) return overHttp(opinion);
  if (findAdapter(wish)?.opinionCall !== undefined) {
    const own = Object.hasOwn(agents, wish) ? agents[wish] : undefined;
    return { type: 'agent', name: wish, command: own?.command ?? [], model: null };
  }
  throw usageError(
    'WRONG_OPINION',
    `${place}: nobody called ${JSON.stringify(wish.slice(0, 80))} can be asked`,
    [
      ['do', 'use claude, codex, gemini, opencode, command:LINE or none'],
      ['do', 'anthropic and openai need url, model and key_variable under opinion: in mayday.yaml'],
    ],
  );
}

function overHttp({
  provider,
  url,
  model,
  key_variable,
}: Extract<NonNullable<Config['opinion']>, { url: string }>): OpinionChoice {
  return { type: 'http', protocol: provider, url, model, keyVariable: key_variable };
}
