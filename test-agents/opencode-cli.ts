/** `opencodeCli`: the pinned opencode for the table. */
import { join } from 'node:path';
import { OPENCODE_MEASURED, opencodeAdapter } from '../src/agents/opencode/opencode-adapter.ts';
import type { AgentCli } from './agent-cli.ts';

const shell = (command: string) => ({ name: 'bash', input: { command, description: 'Run it' } });

export const opencodeCli: AgentCli = {
  adapter: opencodeAdapter,
  title: 'opencode',
  package: 'opencode-ai',
  // The newest that is published for Linux on ARM too.
  version: OPENCODE_MEASURED.from,
  environment: (root, serverUrl) => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: 'scripted/model',
      small_model: 'scripted/model',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${serverUrl}/v1`, apiKey: 'sk-scripted' },
          models: { model: { name: 'model', limit: { context: 100_000, output: 8_000 } } },
        },
      },
    }),
    XDG_DATA_HOME: join(root, 'data'),
  }),
  withServer: (made) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      mcp: { x: { type: 'local', command: ['touch', made], enabled: true } },
    }),
  }),
  silenceMs: 12_000,
  isAgent: ({ program }) => program.includes('/opencode-ai/'),
  sessions: 'data/opencode/opencode.db*',
  shell,
  write: (name, content) => ({ name: 'write', input: { filePath: `{{cwd}}/${name}`, content } }),
  wrote: 'Wrote file',
  limit: (seconds) => ({
    isWaitedFor: true,
    fault: { type: 'status', status: 429, headers: { 'retry-after': String(seconds) } },
  }),
};
