/** `rehearsal`: the adapter of the rehearsal agent of drills and demos: a real process with a real protocol and no model. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Usage } from '../../core/vocabulary/transcript.ts';
import type { AgentAdapter, AttemptFacts, LaunchContext, LaunchPlan, Verdict } from '../adapter.ts';
import { rehearsalReader } from './reader.ts';

export const WRITES_FILE = 'rehearsal-writes.jsonl';

export const rehearsal: AgentAdapter = {
  name: 'rehearsal',
  capabilities: { resume: true, sessionIdUpFront: true, nudges: false, measures: ['tokens', 'usd', 'turns'] },
  stopSignal: 'SIGINT',
  preflight: () => null,
  judgePreflight: () => ({ version: null, problems: [] }),
  launch,
  sessionFiles: () => [],
  reader: rehearsalReader,
  verdict,
};

function launch({ command, attemptDir, agentSession, env }: LaunchContext): LaunchPlan {
  const [script = ''] = command;
  const player = fileURLToPath(new URL(`./play${extname(import.meta.url)}`, import.meta.url));
  return {
    // The rehearsal agent is part of Mayday, so unlike every other agent it runs on Mayday's own Node.
    argv: [process.execPath, '--no-warnings', player, script],
    env: {
      MAYDAY_REHEARSAL_WRITES: `${attemptDir}/${WRITES_FILE}`,
      MAYDAY_REHEARSAL_SESSION: agentSession ?? '',
      PATH: env['PATH'] ?? '/usr/bin:/bin',
    },
    passEnv: [],
    stdin: 'closed',
    files: [],
    hookFiles: [],
  };
}

function verdict({ exitCode, signal, entries }: AttemptFacts): Verdict {
  let usage: Usage | null = null;
  let claimed = false;
  for (const entry of entries) {
    if (entry.type === 'usage') usage = entry.usage;
    if (entry.type === 'result') claimed = true;
  }
  return {
    claimsDone: claimed || (exitCode === 0 && signal === null),
    failure: null,
    deniedTools: [],
    usage,
  };
}
