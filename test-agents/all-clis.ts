/** `ALL_CLIS`: the agent CLIs of the table, each pinned; of Claude Code also the oldest version that is known. */
import { ACP_CLIS } from './acp-cli.ts';
import type { AgentCli } from './agent-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencodeCli } from './opencode-cli.ts';

export interface TableColumn {
  readonly cli: AgentCli;
  /** An older version shows only the stories in which versions differ. */
  readonly isOlder: boolean;
}

export const ALL_CLIS: readonly TableColumn[] = [
  ...CLAUDE_VERSIONS.toReversed().map((version, index) => ({ cli: claudeCli(version), isOlder: index > 0 })),
  ...[codexCli, opencodeCli, geminiCli, ...ACP_CLIS].map((cli) => ({ cli, isOlder: false })),
];
