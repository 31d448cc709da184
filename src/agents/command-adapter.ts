/** `commandAdapter`: any program as an agent: the brief on stdin, every line of output kept, the exit code as its verdict. */
import type { AgentAdapter, AttemptFacts, TranscriptReader, Verdict } from './adapter.ts';
import { processFailure } from './process-end.ts';

/** Programs that do not react to SIGTERM in this time do not mean to. */
const GRACE_MS = 15_000;

export const commandAdapter: AgentAdapter = {
  name: 'command',
  capabilities: {
    resume: false,
    sessionIdUpFront: false,
    hooks: false,
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
  reader: lineReader,
  verdict: commandVerdict,
  quirks: () => [],
};

function lineReader(): TranscriptReader {
  return {
    push: (line, stream, at) => [
      { at, type: 'output', stream: stream === 'stderr' ? 'stderr' : 'stdout', text: line },
    ],
    end: () => [],
    unknownLines: 0,
  };
}

function commandVerdict(facts: AttemptFacts): Verdict {
  const failure = processFailure(facts);
  return { claimsDone: failure === null, failure, deniedTools: [], usage: null };
}
