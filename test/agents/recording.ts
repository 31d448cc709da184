import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentAdapter, AttemptFacts, Verdict } from '../../src/agents/adapter.ts';
import type { TranscriptEntry } from '../../src/core/vocabulary/transcript.ts';

const folder = join(import.meta.dirname, '../recordings');
/** After every recording was made, so that reset times in them are judged as they were then. */
export const RECORDED_AT = Date.UTC(2026, 10, 15, 2, 30);

export interface Recording {
  readonly lines: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
  readonly orphans: number;
  readonly requests: number;
  readonly seconds: number;
}

export function recordingNames(cli: string): readonly string[] {
  return readdirSync(join(folder, cli))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}

export function loadRecording(cli: string, name: string): Recording {
  const read = (ending: string): string => readFileSync(join(folder, cli, `${name}${ending}`), 'utf8');
  const meta = JSON.parse(read('.meta.json')) as {
    exit: number | null;
    sig: string | null;
    stderrTail: string;
    orphans: unknown[];
    requests: number;
    secs: number;
  };
  return {
    lines: read('.jsonl').split('\n'),
    exitCode: meta.exit,
    signal: meta.sig,
    stderrTail: meta.stderrTail,
    orphans: meta.orphans.length,
    requests: meta.requests,
    seconds: meta.secs,
  };
}

export interface Reading {
  readonly entries: readonly TranscriptEntry[];
  readonly unknownLines: number;
  readonly verdict: Verdict;
}

export function readRecording(
  adapter: AgentAdapter,
  recording: Recording,
  facts: Partial<AttemptFacts> = {},
): Reading {
  const reader = adapter.reader();
  const entries = [
    ...recording.lines.flatMap((line, index) => reader.push(line, 'stdout', RECORDED_AT + index)),
    ...reader.end(RECORDED_AT + recording.lines.length),
  ];
  const verdict = adapter.verdict({ ...recording, entries, nowMs: RECORDED_AT, timeZone: 'UTC', ...facts });
  return { entries, unknownLines: entries.filter(({ type }) => type === 'unknown').length, verdict };
}
