/** `codexAdapter`: the adapter of Codex in headless mode. */
import { join } from 'node:path';
import type { AgentAdapter } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { judgeCli, PROBE_TIMEOUT_MS } from '../judge-preflight.ts';
import { quirksOf } from '../version-range.ts';
import { launchCodex } from './launch.ts';
import { CODEX_MEASURED, CODEX_QUIRKS } from './quirks.ts';
import { repairCodexSession } from './repair-session.ts';
import { codexHome } from './session-store.ts';
import { CodexStreamReader } from './stream-reader.ts';

const CODEX = {
  program: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  version: /codex-cli (\d+\.\d+\.\d+)/,
  measured: CODEX_MEASURED,
  login: {
    by: LOGINS.codex,
    missing: {
      message: 'Codex is installed but not logged in: no auth.json, OPENAI_API_KEY or CODEX_API_KEY.',
      advice:
        'Run "codex login", or "codex login --device-auth" on a machine without a browser, then start again.',
    },
  },
};

export const codexAdapter: AgentAdapter = {
  name: 'codex',
  capabilities: {
    resume: true,
    sessionIdUpFront: false,
    // Its hooks work only with the flag that also lets untrusted hooks of the repository run.
    hooks: false,
    nudges: false,
    measures: ['tokens'],
    permissions: true,
  },
  // Measured: SIGINT ends it and its tools; SIGTERM and SIGKILL leave tools behind.
  stop: { signal: 'SIGINT', graceMs: 15_000 },
  preflight: ({ command, env }) => ({
    argv: [...(command.length > 0 ? command : ['codex']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    // A configuration may name a provider with a login of its own.
    lookFor: [join(codexHome(env), 'auth.json'), join(codexHome(env), 'config.toml')],
  }),
  judgePreflight: (result) => judgeCli(CODEX, result),
  launch: launchCodex,
  sessionFiles: ({ agentSession, env }) => [
    join(codexHome(env), 'sessions/*/*/*', `rollout-*-${agentSession}.jsonl`),
  ],
  repairSession: repairCodexSession,
  reader: (_earlier, before) => new CodexStreamReader(before),
  verdict: (facts) => endingVerdict({ title: CODEX.title, interruptCode: 1 }, facts),
  quirks: (version) => quirksOf(CODEX_QUIRKS, CODEX_MEASURED, version),
};
