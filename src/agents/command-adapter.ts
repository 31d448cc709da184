/** `commandAdapter`: any program as an agent: the brief on stdin, output read by its shape, the exit code as its verdict. */
import type { AgentAdapter, AttemptFacts, Verdict } from './adapter.ts';
import { PlainReader } from './plain-reader.ts';
import { processFailure } from './process-end.ts';

/** Programs that do not react to SIGTERM in this time do not mean to. */
const GRACE_MS = 15_000;

export const commandAdapter: AgentAdapter = {
  name: 'command',
  capabilities: {
    resume: false,
    sessionIdUpFront: false,
    hooks: false,
    nudges: false,
    measures: [],
    permissions: false,
  },
  stop: { signal: 'SIGTERM', graceMs: GRACE_MS },
  preflight: () => null,
  judgePreflight: () => ({ version: null, known: true, problems: [] }),
  launch: (context) => ({
    argv: context.command,
    env: {},
    passEnv: [],
    stdin: 'brief',
    files: [],
    hookFiles: [],
  }),
  sessionFiles: () => [],
  reader: (earlier) => new PlainReader(earlier),
  verdict: commandVerdict,
  quirks: () => [],
};

function commandVerdict(facts: AttemptFacts): Verdict {
  const failure = processFailure(facts);
  return { claimsDone: failure === null, failure, deniedTools: [], usage: null };
}
