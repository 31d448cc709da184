/** `codexAdapter`: the adapter of Codex in headless mode. */
import { join } from 'node:path';
import type { AgentAdapter } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { cliPreflight } from '../judge-preflight.ts';
import { launchCodex } from './launch.ts';
import { askCodex } from './opinion-call.ts';
import { CODEX_SESSION } from './session-shape.ts';
import { codexHome } from './session-store.ts';
import { CodexStreamReader } from './stream-reader.ts';
import { recognisers } from '../../core/lexicon/recogniser.ts';

/** The versions that Mayday was measured with. */
export const CODEX_MEASURED = { from: '0.166.0', to: '0.166.0' };

const CODEX = {
  program: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  version: /codex-cli (\d+\.\d+\.\d+)/,
  measured: CODEX_MEASURED,
  login: {
    by: LOGINS.codex,
    missing: {
      message: 'Codex is installed but not logged in: no auth.json, OPENAI_API_KEY or CODEX_API_KEY',
      advice:
        'run "codex login", or "codex login --device-auth" on a machine without a browser, then start again',
    },
  },
};

export const codexAdapter: AgentAdapter = {
  name: 'codex',
  capabilities: { resume: true, sessionIdUpFront: false, nudges: false, measures: ['tokens'] },
  // Measured: SIGINT ends it and its tools; SIGTERM and SIGKILL leave tools behind.
  stopSignal: 'SIGINT',
  // A configuration may name a provider with a login of its own.
  ...cliPreflight(CODEX, (env) => [join(codexHome(env), 'auth.json'), join(codexHome(env), 'config.toml')]),
  launch: launchCodex,
  sessionFiles: ({ agentSession, env }) => [
    join(codexHome(env), 'sessions/*/*/*', `rollout-*-${agentSession}.jsonl`),
  ],
  sessionShape: CODEX_SESSION,
  opinionCall: askCodex,
  reader: (_earlier, before) => new CodexStreamReader(before),
  verdict: (facts) => endingVerdict({ title: CODEX.title, says: CODEX_WORDS, interruptCode: 1 }, facts),
};

/** Words of Codex that name a cause. */
const CODEX_WORDS = recognisers(String.raw`
  codex.session session_corrupt 0.7
    i no rollout found
  codex.context context_overflow 0.7
    i ran out of room in the model
`);
