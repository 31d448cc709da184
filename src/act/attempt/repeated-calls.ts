/**
 * `repeatedCalls`: finds the tool calls that an attempt made several times with the same result. The next attempt is told not to repeat
 * them.
 */
import type { RepeatedCall } from '../../core/vocabulary/events/examination.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

const AT_LEAST = 2;
const MOST = 5;
const MAX_CHARS = 400;

export function repeatedCalls(entries: readonly TranscriptEntry[]): RepeatedCall[] {
  const calls = new Map<string, { readonly tool: string; readonly call: string }>();
  const counts = new Map<string, RepeatedCall>();
  for (const entry of entries) {
    if (entry.type === 'tool_call') {
      const { id, tool, input } = entry;
      calls.set(id, { tool, call: `${tool} ${input}`.slice(0, MAX_CHARS) });
    }
    const made = entry.type === 'tool_result' ? calls.get(entry.id) : undefined;
    if (entry.type !== 'tool_result' || made === undefined) continue;
    const result = entry.output.trim().slice(0, MAX_CHARS);
    const key = `${made.call}\0${result}`;
    counts.set(key, { ...made, result, times: (counts.get(key)?.times ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ times }) => times >= AT_LEAST)
    .toSorted((a, b) => b.times - a.times)
    .slice(0, MOST);
}
