/**
 * `storyRecord`: the entries of a transcript as texts that can be quoted and counted. `plainInput`: the arguments of a call as a person
 * would write them. `readableEntries`: the entries as a model may see them.
 */
import { objectOrNull } from '../text/json.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { quotableText, type RecordEntry } from './quotes.ts';

interface CountedCall {
  readonly tool: string;
  readonly text: string;
}

export interface StoryRecord {
  readonly entries: readonly RecordEntry[];
  readonly calls: readonly CountedCall[];
}

export function storyRecord(entries: readonly TranscriptEntry[]): StoryRecord {
  return {
    entries: entries.map((entry, at) => ({ entry: at, text: quotable(entry) })),
    calls: entries.flatMap((entry) =>
      entry.type === 'tool_call' ? [{ tool: entry.tool, text: quotable(entry) }] : [],
    ),
  };
}

function quotable(entry: TranscriptEntry): string {
  return quotableText(
    entry.type === 'tool_call' ? `${entry.tool}\n${plainInput(entry.input)}\n${entry.input}` : textOf(entry),
  );
}

function textOf(entry: TranscriptEntry): string {
  if ('text' in entry) return entry.text;
  return entry.type === 'tool_result' ? entry.output : '';
}

export function plainInput(input: string): string {
  const given = objectOrNull(input);
  if (given === null) return input;
  const parts = Object.entries(given)
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const)
    .toSorted(([, a], [, b]) => a.length - b.length);
  return parts.length === 1
    ? (parts[0]?.[1] ?? '')
    : parts.map(([key, value]) => `${key}: ${value}`).join('\n');
}

/** What a mark is made from. */
export function storyTexts(entries: readonly TranscriptEntry[]): string[] {
  return entries.map((entry) => (entry.type === 'tool_call' ? entry.input : textOf(entry)));
}

/** What a question quotes must be redacted before its quotes can be checked. */
export function readableEntries(
  entries: readonly TranscriptEntry[],
  redact: (text: string) => string,
): TranscriptEntry[] {
  return entries.map((entry) => {
    if (entry.type === 'tool_call') return { ...entry, input: redact(entry.input) };
    if (entry.type === 'tool_result') return { ...entry, output: redact(entry.output) };
    return 'text' in entry ? { ...entry, text: redact(entry.text) } : entry;
  });
}
