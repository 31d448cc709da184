/** `openCalls`: tool calls without their result, oldest first. A resumed agent is told about them, because some agents forget them. */
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';

export type ToolCall = Extract<TranscriptEntry, { type: 'tool_call' }>;

export function openCalls(entries: Iterable<TranscriptEntry>): readonly ToolCall[] {
  const open = new Map<string, ToolCall>();
  for (const entry of entries) {
    if (entry.type === 'tool_call') open.set(entry.id, entry);
    else if (entry.type === 'tool_result') open.delete(entry.id);
  }
  return [...open.values()];
}
