/** Real agents, caught in real loops: each CLI's own output, read by a reader that knows only calls and results. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { callsUntilCritical } from './transcript-builder.ts';

type Json = Record<string, never> & { readonly [key: string]: Json };

const READERS: Record<string, (line: Json, at: number) => readonly TranscriptEntry[]> = {
  claude: (line, at) =>
    ((line['message']?.['content'] ?? []) as unknown as readonly Json[]).flatMap((part) =>
      text(part['type']) === 'tool_use'
        ? [called(at, part['id'], part['name'], part['input'])]
        : text(part['type']) === 'tool_result'
          ? [answered(at, part['tool_use_id'], part['content'])]
          : [],
    ),
  codex: (line, at) => {
    const item = line['item'];
    if (item === undefined || text(item['type']) !== 'command_execution') return [];
    return text(line['type']) === 'item.started'
      ? [called(at, item['id'], 'shell', item['command'])]
      : [answered(at, item['id'], item['aggregated_output'])];
  },
  gemini: (line, at) => {
    if (text(line['type']) === 'tool_use')
      return [called(at, line['tool_id'], line['tool_name'], line['parameters'])];
    if (text(line['type']) === 'tool_result') return [answered(at, line['tool_id'], line['output'])];
    return text(line['type']) === 'error'
      ? [{ type: 'error', at, text: text(line['message']), status: null }]
      : [];
  },
  opencode: (line, at) => {
    const part = line['part'];
    if (text(line['type']) !== 'tool_use' || part === undefined) return [];
    const state = part['state'];
    return [
      called(at, part['callID'], part['tool'], state?.['input']),
      answered(at, part['callID'], state?.['output']),
    ];
  },
};

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function called(at: number, id: unknown, tool: unknown, input: unknown): TranscriptEntry {
  return { type: 'tool_call', at, id: text(id), tool: text(tool), input: text(input) };
}

function answered(at: number, id: unknown, output: unknown): TranscriptEntry {
  return { type: 'tool_result', at, id: text(id), output: text(output), isError: false };
}

describe('a recorded loop', () => {
  test.each(Object.keys(READERS))('of %s is caught by the fifth call', (cli) => {
    const lines = readFileSync(new URL(`../../recordings/${cli}/loop.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const entries = lines.flatMap((line, index) => READERS[cli]?.(JSON.parse(line) as Json, index) ?? []);
    const caught = callsUntilCritical(entries);
    expect(caught).not.toBe(null);
    expect(caught).toBeLessThanOrEqual(5);
  });
});
