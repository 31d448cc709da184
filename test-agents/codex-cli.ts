/** `codexCli`: the pinned Codex for the table. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODEX_MEASURED, codexAdapter } from '../src/agents/codex/codex-adapter.ts';
import type { AgentCli } from './agent-cli.ts';

/** It hands a tool that runs longer back to the model, to look after it; no call may ask for more than this. */
const LONGEST_TOOL_MS = 30_000;
const shell = (cmd: string) => ({
  name: 'exec_command',
  input: { cmd, yield_time_ms: LONGEST_TOOL_MS },
});

export const codexCli: AgentCli = {
  adapter: codexAdapter,
  title: 'Codex',
  package: '@openai/codex',
  version: CODEX_MEASURED.to,
  environment: (root) => ({ CODEX_HOME: join(root, 'codex'), OPENAI_API_KEY: 'sk-scripted' }),
  prepare: (root, serverUrl) => {
    mkdirSync(join(root, 'codex'));
    const config = [
      'model = "gpt-5-codex"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[model_providers.scripted]',
      'name = "Scripted"',
      `base_url = "${serverUrl}/v1"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      '[analytics]',
      'enabled = false',
    ];
    writeFileSync(join(root, 'codex/config.toml'), `${config.join('\n')}\n`);
  },
  hidesUnknownCalls: true,
  withServer: (made) => ({
    'codex/config.toml': `[mcp_servers.x]\ncommand = "touch"\nargs = ["${made}"]\n`,
  }),
  silenceMs: 4_000,
  mostSilenceMs: 0.7 * LONGEST_TOOL_MS,
  // The wrapper of the npm package, or the program that it becomes under a newer Node.
  isAgent: ({ argv }) => (argv[1] ?? '').endsWith('/codex') || argv[1] === 'exec',
  sessions: 'codex/sessions/*/*/*/*.jsonl',
  shell,
  write: (name, content) => shell(`printf '%s\\n' '${content}' > ${name} && echo wrote ${name}`),
  wrote: 'wrote out.txt',
  cannot: {
    'denied, claims done':
      'Codex asks for nothing in its sandbox: what it may not do fails like any command, and a check sees it',
  },
  limit: (seconds) => ({
    // It tells the reset by the minute, without the seconds.
    skewMs: 61_000,
    fault: {
      type: 'status',
      status: 429,
      body: `{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_at":{{epoch+${seconds}}}}}`,
    },
  }),
};
