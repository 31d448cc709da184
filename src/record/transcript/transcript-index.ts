/** `TranscriptMark`: a line of the index beside a transcript: before `offset` there are `entries` entries with these counts. */
import { stat } from 'node:fs/promises';
import type { TranscriptEntry, TranscriptType } from '../../core/vocabulary/transcript.ts';
import { readFileLines } from './read-file-lines.ts';

export interface TranscriptMark {
  /** Entries before this place. */
  readonly entries: number;
  readonly offset: number;
  /** Time of the last entry before this place. */
  readonly at: number;
  readonly counts: Readonly<Partial<Record<TranscriptType, number>>>;
}

export const TRANSCRIPT_START: TranscriptMark = { entries: 0, offset: 0, at: 0, counts: {} };

export function indexPath(transcriptPath: string): string {
  return `${transcriptPath}.index`;
}

export function advanced(mark: TranscriptMark, entry: TranscriptEntry, end: number): TranscriptMark {
  return {
    entries: mark.entries + 1,
    offset: end,
    at: entry.at,
    counts: { ...mark.counts, [entry.type]: (mark.counts[entry.type] ?? 0) + 1 },
  };
}

/**
 * The last mark that lies within the file and satisfies `isBefore`. The index is only a short cut: a missing, torn or
 * foreign one costs time, never entries.
 */
export async function lastMark(
  transcriptPath: string,
  isBefore: (mark: TranscriptMark) => boolean,
): Promise<TranscriptMark> {
  let best = TRANSCRIPT_START;
  const size = (await stat(transcriptPath).catch(() => null))?.size ?? 0;
  for await (const { text, whole } of readFileLines(indexPath(transcriptPath))) {
    const mark = whole ? parseMark(text) : null;
    if (mark === null || mark.offset < best.offset || mark.offset > size) continue;
    if (!isBefore(mark)) break;
    best = mark;
  }
  return best;
}

function parseMark(text: string): TranscriptMark | null {
  try {
    const mark = JSON.parse(text) as Partial<TranscriptMark> | null;
    const numbers = [mark?.entries, mark?.offset, mark?.at];
    if (!numbers.every((each) => Number.isFinite(each)) || typeof mark?.counts !== 'object') return null;
    return mark as TranscriptMark;
  } catch {
    return null;
  }
}
