/** `jsonLineEntries`: reads a line that an agent printed as JSON. A line of a kind that `read` has never seen (null) is kept as unknown. */
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import { type JsonObject, objectOrNull } from '../core/text/json.ts';
import type { LineStream } from './adapter.ts';

export function jsonLineEntries(
  line: string,
  stream: LineStream,
  at: number,
  read: (parsed: JsonObject) => readonly TranscriptEntry[] | null,
): readonly TranscriptEntry[] {
  if (line.trim() === '') return [];
  if (stream === 'stderr') return [{ at, type: 'output', stream, text: line }];
  const parsed = objectOrNull(line);
  return (parsed === null ? null : read(parsed)) ?? [{ at, type: 'unknown', raw: line }];
}
