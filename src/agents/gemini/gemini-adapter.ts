/** `geminiAdapter`: the adapter of Gemini CLI in headless mode. */
import { join } from 'node:path';
import type { AgentAdapter } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { judgeCli, PROBE_TIMEOUT_MS } from '../judge-preflight.ts';
import { quirksOf } from '../version-range.ts';
import { launchGemini } from './launch.ts';
import { GEMINI_MEASURED, GEMINI_QUIRKS } from './quirks.ts';
import { repairGeminiSession } from './repair-session.ts';
import { geminiHome } from './session-store.ts';
import { GeminiStreamReader } from './stream-reader.ts';

const GEMINI = {
  program: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: /^(\d+\.\d+\.\d+)/m,
  measured: GEMINI_MEASURED,
  login: {
    by: LOGINS.gemini,
    missing: {
      message:
        'Gemini CLI is installed but not logged in: no settings with a login method, no GEMINI_API_KEY.',
      advice: 'Run "gemini" once and log in, or set GEMINI_API_KEY, then start again.',
    },
  },
};

/** Measured: a failed request ends it with the HTTP status modulo 256. */
const STATUSES = [400, 401, 403, 404, 429, 500, 503];

export const geminiAdapter: AgentAdapter = {
  name: 'gemini',
  capabilities: {
    resume: true,
    sessionIdUpFront: true,
    // stdout tells a call before it runs.
    hooks: false,
    nudges: false,
    measures: ['tokens'],
    permissions: true,
  },
  // Measured without its second process: SIGTERM ends it in 0.3 s; its tools stay.
  stop: { signal: 'SIGTERM', graceMs: 10_000 },
  preflight: ({ command, env }) => ({
    argv: [...(command.length > 0 ? command : ['gemini']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    lookFor: [join(geminiHome(env), 'settings.json'), join(geminiHome(env), 'oauth_creds.json')],
  }),
  judgePreflight: (result) => judgeCli(GEMINI, result),
  launch: launchGemini,
  sessionFiles: ({ agentSession, env }) => [
    join(geminiHome(env), 'tmp/*/chats', `session-*-${agentSession.slice(0, 8)}.jsonl`),
  ],
  repairSession: repairGeminiSession,
  reader: () => new GeminiStreamReader(),
  verdict: (facts) =>
    endingVerdict(
      {
        title: GEMINI.title,
        statusOfExit: (code) => STATUSES.find((status) => status % 256 === code) ?? null,
      },
      facts,
    ),
  quirks: (version) => quirksOf(GEMINI_QUIRKS, GEMINI_MEASURED, version),
};
