/** `ACP_CLIS`: two agents behind the Agent Client Protocol for the table, each with the CLI that works behind it. */
import { findAdapter } from '../src/agents/registry.ts';
import type { AgentAdapter } from '../src/agents/adapter.ts';
import type { AgentCli } from './agent-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';

type Program = Pick<AgentCli, 'title' | 'package' | 'version' | 'asksForTitle' | 'tells'> & {
  readonly program: string;
};

function behindAcp(cli: AgentCli, agent: string, program: Program): AgentCli {
  const { denied: _, stories: __, ...own } = cli;
  return {
    ...own,
    ...program,
    adapter: findAdapter(agent) as AgentAdapter,
    permissions: ['all'],
    // An error of the protocol tells the reset in words, without the seconds.
    limit: (seconds) => ({ ...cli.limit(seconds), skewMs: 61_000 }),
    isAgent: ({ argv }) => (argv[1] ?? '').endsWith(`/${program.program}`),
  };
}

export const ACP_CLIS: readonly AgentCli[] = [
  behindAcp(claudeCli(CLAUDE_VERSIONS.at(-1) ?? ''), 'claude-acp', {
    title: 'claude-agent-acp',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.99.1',
    program: 'claude-agent-acp',
    asksForTitle: 'Write the title in',
  }),
  behindAcp(codexCli, 'codex-acp', {
    title: 'codex-acp',
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    program: 'codex-acp',
    // As "Read file 'missing.txt'".
    tells: (command) => command.replace('cat ', ''),
  }),
];
