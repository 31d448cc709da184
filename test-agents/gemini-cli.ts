/** `geminiCli`: the pinned Gemini CLI for the table. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GEMINI_MEASURED, geminiAdapter } from '../src/agents/gemini/gemini-adapter.ts';
import type { AgentCli } from './agent-cli.ts';
import { TASK } from './story.ts';

const shell = (command: string) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } });

export const geminiCli: AgentCli = {
  adapter: geminiAdapter,
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: GEMINI_MEASURED.to,
  environment: (_, serverUrl) => ({
    GEMINI_API_KEY: 'scripted',
    GOOGLE_GEMINI_BASE_URL: serverUrl,
    // A person has trusted the folder; without that it ends with exit code 55.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  prepare: (root) => {
    mkdirSync(join(root, '.gemini'));
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      model: { name: 'gemini-2.5-flash' },
    };
    writeFileSync(join(root, '.gemini/settings.json'), JSON.stringify(settings));
  },
  permissions: ['run_shell_command'],
  silenceMs: 8_000,
  isAgent: ({ argv }) => (argv[1] ?? '').endsWith('/gemini') || (argv[2] ?? '').endsWith('/gemini'),
  sessions: '.gemini/tmp/*/chats/*.jsonl',
  // A call is told in the session only when it has ended.
  toldBeforeTool: 'I begin.',
  shell,
  write: (name, content) => ({ name: 'write_file', input: { file_path: name, content } }),
  callsInOnePiece: true,
  wrote: 'wrote to new file',
  limit: (seconds) => ({
    isWaitedFor: true,
    fault: {
      type: 'status',
      status: 429,
      body: JSON.stringify({
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: `You exceeded your current quota. Please retry in ${seconds}s.`,
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }],
        },
      }),
    },
  }),
  denied: { tool: shell('printf hello > out.txt'), says: 'denied by policy' },
  cannot: {
    'honest polling': 'Gemini CLI itself stops the fifth equal call, honest or not',
    'endless equal call':
      'Gemini CLI stops it itself after four calls; its false success is a story of its own',
  },
  stories: ({ work, done }) => [
    {
      name: 'stops its own loop and calls it a success',
      rules: [
        // The CLI warns its model once, which goes on all the same; only the brief of the next attempt names the task again.
        { when: { turn_at_least: 2, tool_result: false, last_user_includes: TASK }, reply: work },
        done,
        { name: 'trouble', reply: { tools: [shell('cat missing.txt')], delay_ms: 300 } },
      ],
      expect: { class: ['looping'], attempts: 2, sessions: 1 },
    },
  ],
};
