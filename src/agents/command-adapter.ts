/** `commandAdapter`: any program as an agent: the brief on stdin, output read by its shape, the exit code as its verdict. */
import type { AgentAdapter, AttemptFacts, Verdict, LineStream, TranscriptReader } from './adapter.ts';
import { processFailure } from './process-end.ts';
import type { OpenText } from '../core/detect/tick.ts';
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import { ShellLog } from './shell-log.ts';
import { streamShapeOf } from './stream-shape.ts';

export const commandAdapter: AgentAdapter = {
  name: 'command',
  capabilities: { resume: false, sessionIdUpFront: false, nudges: false, measures: [] },
  stopSignal: 'SIGTERM',
  preflight: () => null,
  judgePreflight: () => ({ version: null, problems: [] }),
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
};

function commandVerdict(facts: AttemptFacts): Verdict {
  const failure = processFailure(facts);
  return { claimsDone: failure === null, failure, deniedTools: [], usage: null };
}

/**
 * Reads what the program prints. A known agent's event stream is recognised by its shape and read as what it is; a log of shell commands
 * gives calls with results; every other line is kept as output.
 */
export class PlainReader implements TranscriptReader {
  readonly #log = new ShellLog();
  readonly #earlier: Iterable<TranscriptEntry>;
  #known: TranscriptReader | null = null;

  constructor(earlier: Iterable<TranscriptEntry> = []) {
    this.#earlier = earlier;
  }

  get partialAt(): number | null {
    return this.#known?.partialAt ?? null;
  }

  get openText(): OpenText | null {
    return this.#known?.openText ?? null;
  }

  push(line: string, stream: LineStream, at: number): readonly TranscriptEntry[] {
    if (stream !== 'stdout') return [{ at, type: 'output', stream: 'stderr', text: line }];
    this.#known ??= streamShapeOf(line)?.reader(this.#earlier) ?? null;
    // A program may print words of its own between the events of the agent that it runs.
    if (this.#known !== null && line.startsWith('{')) return this.#known.push(line, stream, at);
    const output: TranscriptEntry = { at, type: 'output', stream, text: line };
    return this.#known === null ? [...this.#log.push(line, at), output] : [output];
  }

  end(at: number): readonly TranscriptEntry[] {
    return this.#known === null ? this.#log.end(at) : this.#known.end(at);
  }
}
