/** `opencodeAdapter`: the adapter of opencode in headless mode. */
import type { AgentAdapter } from '../adapter.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { cliPreflight } from '../judge-preflight.ts';
import { launchOpencode } from './launch.ts';
import { askOpencode } from './opinion-call.ts';
import { OpencodeStreamReader } from './stream-reader.ts';

/** The versions that Mayday was measured with; the older was then the newest for Linux on ARM. */
export const OPENCODE_MEASURED = { from: '1.18.18', to: '1.18.33' };

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
    nudges: true,
    // It tells a cost of 0 for models whose price it does not know, so a budget in dollars could not be kept.
    measures: ['tokens', 'turns'],
  },
  // Measured: it dies of any signal, and ignores SIGTERM for 20 s during a stall.
  stopSignal: 'SIGINT',
  ...cliPreflight(OPENCODE, () => []),
  launch: launchOpencode,
  // One database holds the sessions of all projects; a copy of it would hold other people's work too.
  sessionFiles: () => [],
  opinionCall: askOpencode,
  reader: (earlier = []) => new OpencodeStreamReader(earlier),
  verdict: (facts) => endingVerdict({ title: OPENCODE.title, speaksAfterResult: true }, facts),
};
