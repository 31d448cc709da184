/**
 * `askClaude`: how Claude Code is asked for an opinion: without tools; without settings, hooks, memory, servers or skills of the person;
 * it keeps no session.
 */
import { jsonList, objectOrNull } from '../../core/text/json.ts';
import { OPINION_SYSTEM, type OpinionCall } from '../opinion/opinion-call.ts';
import { claudeVariables } from './launch.ts';

/** An alias of the CLI: the cheapest that its version and login offer. */
const CHEAPEST = 'haiku';

export const askClaude: OpinionCall = {
  plan: ({ command, model, env }) => ({
    // biome-ignore format: an option and its value stand together
    argv: [
      ...(command.length > 0 ? command : ['claude']),
      '-p', '--output-format', 'stream-json', '--verbose',
      '--tools', '',
      '--permission-mode', 'default',
      '--setting-sources', '',
      '--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence',
      '--system-prompt', OPINION_SYSTEM,
      '--max-turns', '1',
      '--model', model ?? CHEAPEST,
    ],
    env: {
      // One retry survives a short disturbance; an outage is not waited out.
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '4000',
      MAX_THINKING_TOKENS: '0',
      DISABLE_AUTOUPDATER: '1',
    },
    passEnv: claudeVariables(env),
    files: [],
  }),
  offered: (output) =>
    output
      .split('\n')
      .map(objectOrNull)
      .filter((event) => event?.['type'] === 'system' && event['subtype'] === 'init')
      .flatMap((event) => [...jsonList(event?.['tools']), ...jsonList(event?.['mcp_servers'])])
      .map((tool) => JSON.stringify(tool)),
};
