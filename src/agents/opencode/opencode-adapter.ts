/** `opencodeAdapter`: the adapter of opencode in headless mode. */
import type { AgentAdapter } from '../adapter.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { judgeCli, PROBE_TIMEOUT_MS } from '../judge-preflight.ts';
import { quirksOf } from '../version-range.ts';
import { launchOpencode } from './launch.ts';
import { OPENCODE_MEASURED, OPENCODE_QUIRKS } from './quirks.ts';
import { OpencodeStreamReader } from './stream-reader.ts';

const OPENCODE = {
  program: 'opencode',
  title: 'opencode',
  package: 'opencode-ai',
  version: /^(\d+\.\d+\.\d+)/m,
  measured: OPENCODE_MEASURED,
  // It has models that need no login, and providers of a person's own.
  login: null,
};

export const opencodeAdapter: AgentAdapter = {
  name: 'opencode',
  capabilities: {
    resume: true,
    sessionIdUpFront: false,
    hooks: true,
    nudges: true,
    // It tells a cost of 0 for models whose price it does not know, so a budget in dollars could not be kept.
    measures: ['tokens', 'turns'],
    permissions: true,
  },
  // Measured: it dies of any signal, and ignores SIGTERM for 20 s during a stall.
  stop: { signal: 'SIGINT', graceMs: 10_000 },
  preflight: ({ command }) => ({
    argv: [...(command.length > 0 ? command : ['opencode']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    lookFor: [],
  }),
  judgePreflight: (result) => judgeCli(OPENCODE, result),
  launch: launchOpencode,
  // One database holds the sessions of all projects; a copy of it would hold other people's work too.
  sessionFiles: () => [],
  reader: (earlier = []) => new OpencodeStreamReader(earlier),
  verdict: (facts) => endingVerdict({ title: OPENCODE.title, speaksAfterResult: true }, facts),
  quirks: (version) => quirksOf(OPENCODE_QUIRKS, OPENCODE_MEASURED, version),
};
