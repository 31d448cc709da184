/** `transcriptDocument`: a page of an attempt's transcript, each entry with its number, as text. Keys are promised: add, never rename. */
import { existsSync } from 'node:fs';
import { transcriptPath } from '../act/run-files.ts';
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import {
  readTranscript,
  transcriptSummary,
  type TranscriptLine,
} from '../record/transcript/read-transcript.ts';

/** The page folds longer texts; the file has all of it. */
const MAX_TEXT = 4_000;

export interface TranscriptWish {
  readonly runId: string;
  readonly attempt: number;
  readonly limit: number;
  readonly from?: number | undefined;
  /** From this moment on, in milliseconds since the epoch. */
  readonly at?: number | undefined;
  /** The last entries up to this moment. */
  readonly until?: number | undefined;
  /** Only entries that contain it, whatever the case. */
  readonly find?: string | undefined;
  readonly only?: 'failed' | undefined;
}

export async function transcriptDocument(
  home: string,
  { runId, attempt, limit, from, at, until, find, only }: TranscriptWish,
) {
  const path = transcriptPath(home, runId, attempt);
  const entries: ReturnType<typeof entryDocument>[] = [];
  let next: number | null = null;
  const place =
    from !== undefined
      ? ({ type: 'number', number: from } as const)
      : at !== undefined
        ? ({ type: 'time', at } as const)
        : ({ type: 'last', count: limit, until } as const);
  if (existsSync(path))
    for await (const line of readTranscript(path, place)) {
      const shown = entryDocument(line);
      if (find !== undefined && !shown.text.toLowerCase().includes(find.toLowerCase())) continue;
      if (only === 'failed' && !shown.failed) continue;
      if (entries.length === limit) {
        next = line.number;
        break;
      }
      entries.push(shown);
    }
  const { entries: all } = await transcriptSummary(path);
  return { run_id: runId, attempt, entries, next, all };
}

export type TranscriptDocument = Awaited<ReturnType<typeof transcriptDocument>>;

function entryDocument({ number, entry }: TranscriptLine) {
  const { text, name = '', failed = false } = wordsOf(entry);
  return {
    number,
    at: new Date(entry.at).toISOString(),
    type: entry.type,
    name,
    failed,
    text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
  };
}

function wordsOf(entry: TranscriptEntry): {
  readonly text: string;
  readonly name?: string;
  readonly failed?: boolean;
} {
  switch (entry.type) {
    case 'session':
      return { text: entry.sessionId, name: entry.model ?? '' };
    case 'message':
      return { text: entry.text, name: entry.role };
    case 'tool_call':
      return { text: entry.input, name: entry.tool };
    case 'tool_result':
      return { text: entry.output, failed: entry.isError };
    case 'usage': {
      const { inputTokens, outputTokens, costUsd } = entry.usage;
      return {
        text: `${inputTokens + outputTokens} tokens${costUsd === undefined ? '' : `, $${costUsd.toFixed(2)}`}`,
      };
    }
    case 'retry':
      return { text: entry.text, name: `retry ${entry.attempt}`, failed: true };
    case 'error':
      return { text: entry.text, failed: true };
    case 'compaction':
      return { text: entry.text };
    case 'result':
      return { text: entry.text, name: entry.subtype, failed: entry.isError };
    case 'progress':
      return { text: entry.detail, name: entry.kind };
    case 'output':
      return { text: entry.text, name: entry.stream };
    case 'unknown':
      return { text: entry.raw };
  }
}
