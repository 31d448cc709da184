/** `readTranscript`: the entries of a transcript from a place on. A last line without its newline is not read yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TranscriptEntry, TranscriptType } from '../../core/vocabulary/transcript.ts';
import { readFileLines } from './read-file-lines.ts';
import { advanced, lastMark, TRANSCRIPT_START, type TranscriptMark } from './transcript-index.ts';

export interface TranscriptLine {
  /** 1, 2, 3... */
  readonly number: number;
  readonly entry: TranscriptEntry;
  /** Where the next line begins, in bytes. */
  readonly end: number;
}

type TranscriptPlace =
  | { readonly type: 'start' }
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'time'; readonly at: number }
  /** The last ones; with `until`, the last ones up to that moment, and what came after them. */
  | { readonly type: 'last'; readonly count: number; readonly until?: number | undefined };

/** How often a follower looks for more; a person does not notice less. */
const FOLLOW_MS = 200;

export async function* readTranscript(
  path: string,
  from: TranscriptPlace = { type: 'start' },
  follow?: AbortSignal,
): AsyncGenerator<TranscriptLine> {
  const wanted =
    from.type === 'last'
      ? {
          type: 'number' as const,
          number: Math.max(1, (await countUntil(path, from.until)) - from.count + 1),
        }
      : from;
  let mark = await markBefore(path, wanted);
  for (;;) {
    for await (const line of readTranscriptFrom(path, mark)) {
      mark = advanced(mark, line.entry, line.end);
      if (wanted.type === 'number' && line.number < wanted.number) continue;
      if (wanted.type === 'time' && line.entry.at < wanted.at) continue;
      yield line;
    }
    if (follow === undefined || follow.aborted) return;
    await sleep(FOLLOW_MS, undefined, { signal: follow }).catch(() => undefined);
  }
}

export async function* readTranscriptFrom(
  path: string,
  mark: TranscriptMark,
): AsyncGenerator<TranscriptLine> {
  let number = mark.entries;
  let at = mark.at;
  for await (const { text, end, whole } of readFileLines(path, mark.offset)) {
    if (!whole) return;
    number += 1;
    const entry = parseEntry(text, at);
    at = entry.at;
    yield { number, entry, end };
  }
}

export async function transcriptSummary(path: string): Promise<{
  readonly entries: number;
  readonly counts: Readonly<Partial<Record<TranscriptType, number>>>;
}> {
  let mark = await lastMark(path, () => true);
  for await (const { entry, end } of readTranscriptFrom(path, mark)) mark = advanced(mark, entry, end);
  return { entries: mark.entries, counts: mark.counts };
}

async function markBefore(
  path: string,
  from: Exclude<TranscriptPlace, { type: 'last' }>,
): Promise<TranscriptMark> {
  switch (from.type) {
    case 'start':
      return TRANSCRIPT_START;
    case 'number':
      return lastMark(path, ({ entries }) => entries < from.number);
    case 'time':
      return lastMark(path, ({ at }) => at < from.at);
  }
}

async function countUntil(path: string, until = Number.POSITIVE_INFINITY): Promise<number> {
  const mark = await lastMark(path, ({ at }) => at <= until);
  let count = mark.entries;
  for await (const { number, entry } of readTranscriptFrom(path, mark)) {
    if (entry.at > until) break;
    count = number;
  }
  return count;
}

/** A line that is torn or from another version is kept and shown as what it is. */
function parseEntry(text: string, at: number): TranscriptEntry {
  try {
    const entry = JSON.parse(text) as Partial<TranscriptEntry> | null;
    if (typeof entry === 'object' && typeof entry?.type === 'string' && typeof entry.at === 'number')
      return entry as TranscriptEntry;
  } catch {
    // Falls through: kept as an unknown line.
  }
  return { type: 'unknown', at, raw: text };
}
