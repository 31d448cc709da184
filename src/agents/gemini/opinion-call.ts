/**
 * `askGemini`: how Gemini CLI is asked for an opinion: every tool is taken away by a policy of this question, no extensions. Its home is
 * the folder, with the login of the person in it: session, memory and history go with the folder.
 */
import { join } from 'node:path';
import { documentedVariables } from '../credentials.ts';
import { OPINION_SYSTEM, type OpinionCall } from '../opinion/opinion-call.ts';
import { geminiHome } from './session-store.ts';

/** An alias of the CLI: the cheapest that its version offers. */
const CHEAPEST = 'flash-lite';
const LOGIN = [
  'settings.json',
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'installation_id',
  '.env',
];
const NO_TOOLS = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n';

export const askGemini: OpinionCall = {
  plan: ({ command, model, folder, env }) => {
    const [policy, system] = [join(folder, 'policy.toml'), join(folder, 'system.md')];
    return {
      // biome-ignore format: an option and its value stand together
      argv: [
        ...(command.length > 0 ? command : ['gemini']),
        '--output-format', 'stream-json',
        '--approval-mode', 'default',
        '--policy', policy,
        '--extensions', 'none',
        '--allowed-mcp-server-names', 'none',
        '--model', model ?? CHEAPEST,
      ],
      env: {
        GEMINI_CLI_HOME: folder,
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_SYSTEM_MD: system,
      },
      passEnv: [...documentedVariables(['gemini']), 'GEMINI_*', 'GOOGLE_GENAI_*', 'NODE_EXTRA_CA_CERTS'],
      files: [
        { path: policy, content: NO_TOOLS },
        { path: system, content: OPINION_SYSTEM },
      ],
      links: LOGIN.map((name) => ({ path: join(folder, '.gemini', name), to: join(geminiHome(env), name) })),
    };
  },
};
