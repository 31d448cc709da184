/** `CLAUDE_VERSIONS`, `claudeCli`: the pinned versions of Claude Code for the table. */
import { join } from 'node:path';
import { CLAUDE_MEASURED, claudeAdapter } from '../src/agents/claude/claude-adapter.ts';
import type { AgentCli } from './agent-cli.ts';

/** Oldest first. */
export const CLAUDE_VERSIONS: readonly string[] = [CLAUDE_MEASURED.from, CLAUDE_MEASURED.to];

const shell = (command: string) => ({ name: 'Bash', input: { command, description: 'Run it' } });

export function claudeCli(version: string): AgentCli {
  return {
    adapter: claudeAdapter,
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version,
    environment: (root, serverUrl) => ({
      CLAUDE_CONFIG_DIR: join(root, 'claude'),
      ANTHROPIC_BASE_URL: serverUrl,
      ANTHROPIC_API_KEY: 'sk-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    withServer: (made) => ({
      'claude/.claude.json': JSON.stringify({ mcpServers: { x: { command: 'touch', args: [made] } } }),
    }),
    silenceMs: 4_000,
    permissions: ['Bash'],
    isAgent: ({ program }) => program.includes('/@anthropic-ai/claude-code'),
    sessions: 'claude/projects/*/*.jsonl',
    shell,
    write: (name, content) => ({ name: 'Write', input: { file_path: `{{cwd}}/${name}`, content } }),
    wrote: 'out.txt',
    // As a subscriber, whose limits tell their reset, not with a key.
    limit: (seconds) => ({
      env: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' },
      fault: {
        type: 'status',
        status: 429,
        headers: {
          'retry-after': String(seconds),
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': `{{epoch+${seconds}}}`,
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-unified-overage-status': 'rejected',
        },
      },
    }),
    stories: ({ work, done }) => [
      {
        name: 'poisoned history (the same 400 for ever)',
        rules: [
          {
            when: { turn: 1, tool_result: false },
            times: 1,
            reply: { text: 'I look.', tools: [shell('echo MARK-OF-THE-POISON')] },
          },
          {
            name: 'trouble',
            when: { any_includes: 'MARK-OF-THE-POISON' },
            fault: {
              type: 'status',
              status: 400,
              message:
                'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
            },
          },
          { when: { turn: 1, tool_result: false }, reply: work },
          done,
        ],
        expect: { class: ['session_corrupt'], sessions: 2, mostSecondsToNotice: 10 },
      },
    ],
    denied: { tool: shell('sh -c "echo hello > out.txt"'), says: 'requires approval' },
  };
}
