/** `chooseAgent`: finds the agent that a request means: a command, a script, a known name, or a name from the configuration. */
import { acpCommand, ANY_ACP } from '../../agents/acp/acp-adapter.ts';
import { documentedVariables } from '../../agents/credentials.ts';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import type { AgentChoice } from '../../core/vocabulary/events/event.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Config } from './read-config.ts';
import type { RunRequest } from './run-spec.ts';

export const SCRIPT_FORM = 'YAML like {attempts: [{steps: [{write: {a.txt: A}}, {exit: 0}]}]}';

export function chooseAgent(request: RunRequest): AgentChoice {
  const { agent, command = [], commandName, script = null, config } = request;
  if (command.length > 0) {
    if (agent !== undefined && agent !== 'command')
      throw usageError('TWO_AGENTS', `--agent ${agent} and a command after -- are two agents`, [
        ['do', 'give one of them'],
      ]);
    if (command.some((word) => word.includes('\0')))
      throw usageError('WRONG_COMMAND', 'the command contains a NUL byte', [
        ['do', 'no program can take it as an argument; give the data by file'],
      ]);
    return commandName === undefined
      ? { name: 'command', command, model: null }
      : { name: commandName, adapter: 'command', command, model: null };
  }
  if (script !== null) return { name: 'rehearsal', command: [script], model: null };
  const name = agent ?? config.agent;
  if (name === undefined) {
    throw usageError('NO_AGENT', 'nothing says which agent should work', [
      [
        'do',
        'mayday run --agent claude "task"    or    mayday run "task" -- any command    or    name it in mayday.yaml (agent:)',
      ],
    ]);
  }
  return namedAgent(name, config);
}

export function namedAgent(name: string, config: Config): AgentChoice {
  const words = acpCommand(name);
  if (words !== null) {
    if (words.length === 0)
      throw usageError('NO_AGENT', '--agent acp: names no program', [
        ['do', '--agent "acp:PROGRAM ARGUMENTS"'],
      ]);
    return { name, adapter: ANY_ACP, command: words, model: null };
  }
  const agents = config.agents ?? {};
  const own = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (own !== undefined) {
    const env = [...new Set([...(own.env ?? []), ...documentedVariables(own.command)])];
    return {
      name,
      ...(findAdapter(name) === null ? { adapter: 'command' } : {}),
      command: own.command,
      model: own.model ?? null,
      ...(env.length > 0 ? { env } : {}),
    };
  }
  if (findAdapter(name) === null || name === 'command') {
    throw usageError('UNKNOWN_AGENT', `there is no agent called ${JSON.stringify(name.slice(0, 80))}`, [
      [
        'do',
        `use ${AGENT_NAMES.filter((one) => one !== 'command').join(', ')}, one from mayday.yaml, or any command after --`,
      ],
    ]);
  }
  if (name === 'rehearsal')
    throw usageError('NO_SCRIPT', 'the rehearsal agent needs a script', [
      ['do', `--script FILE: ${SCRIPT_FORM}`],
    ]);
  return { name, command: [], model: null };
}
