/** `geminiAdapter`: the adapter of Gemini CLI in headless mode. */
import { join } from 'node:path';
import type { AgentAdapter } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { cliPreflight } from '../judge-preflight.ts';
import { launchGemini } from './launch.ts';
import { askGemini } from './opinion-call.ts';
import { GEMINI_SESSION } from './session-shape.ts';
import { geminiHome } from './session-store.ts';
import { GeminiStreamReader } from './stream-reader.ts';
import { recognisers } from '../../core/lexicon/recogniser.ts';

/** The versions that Mayday was measured with. */
export const GEMINI_MEASURED = { from: '0.61.0', to: '0.61.0' };

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
        'Gemini CLI is installed but not logged in: no settings with a login method, no GEMINI_API_KEY',
      advice: 'run "gemini" once and log in, or set GEMINI_API_KEY, then start again',
    },
  },
};

/** Measured: a failed request ends it with the HTTP status modulo 256. */
const STATUSES = [400, 401, 403, 404, 429, 500, 503];
const statusOfExit = (code: number) => STATUSES.find((status) => status % 256 === code) ?? null;

export const geminiAdapter: AgentAdapter = {
  name: 'gemini',
  capabilities: { resume: true, sessionIdUpFront: true, nudges: false, measures: ['tokens'] },
  // Measured without its second process: SIGTERM ends it in 0.3 s; its tools stay.
  stopSignal: 'SIGTERM',
  ...cliPreflight(GEMINI, (env) =>
    ['settings.json', 'oauth_creds.json'].map((name) => join(geminiHome(env), name)),
  ),
  launch: launchGemini,
  sessionFiles: ({ agentSession, env }) => [
    join(geminiHome(env), 'tmp/*/chats', `session-*-${agentSession.slice(0, 8)}.jsonl`),
  ],
  sessionShape: GEMINI_SESSION,
  opinionCall: askGemini,
  reader: () => new GeminiStreamReader(),
  verdict: (facts) => endingVerdict({ title: GEMINI.title, says: GEMINI_WORDS, statusOfExit }, facts),
};

/** Words of Gemini CLI that name a cause. */
const GEMINI_WORDS = recognisers(String.raw`
  gemini.loop looping 0.9
    i ^loop detected, stopping execution
  gemini.session session_corrupt 0.7
    i invalid session identifier|no previous sessions
  gemini.daily rate_limited 0.7
    i exceeded your current quota\. limit
`);
