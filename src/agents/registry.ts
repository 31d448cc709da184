/** `findAdapter`, `AGENT_NAMES`, `CLI_AGENTS`: the agents that Mayday can drive. A new one is a folder with an adapter and a line here. */
import { ACP_ADAPTERS, ANY_ACP } from './acp/acp-adapter.ts';
import type { AgentAdapter } from './adapter.ts';
import { claudeAdapter } from './claude/claude-adapter.ts';
import { codexAdapter } from './codex/codex-adapter.ts';
import { commandAdapter } from './command-adapter.ts';
import { geminiAdapter } from './gemini/gemini-adapter.ts';
import { opencodeAdapter } from './opencode/opencode-adapter.ts';
import { rehearsal } from './rehearsal/adapter.ts';

const ADAPTERS: readonly AgentAdapter[] = [
  claudeAdapter,
  codexAdapter,
  geminiAdapter,
  opencodeAdapter,
  ...ACP_ADAPTERS,
  rehearsal,
  commandAdapter,
];

/** Without the agent that a person names by its command (`acp:COMMAND`). */
export const AGENT_NAMES: readonly string[] = ADAPTERS.map(({ name }) => name).filter(
  (name) => name !== ANY_ACP,
);

/** Those that are installed under a name of their own. */
export const CLI_AGENTS = AGENT_NAMES.filter((name) => name !== 'command' && name !== 'rehearsal');

export function findAdapter(name: string): AgentAdapter | null {
  return ADAPTERS.find((adapter) => adapter.name === name) ?? null;
}
