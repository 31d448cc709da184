/** A program started as a plain command is read as what it prints: an agent's events, a log of commands, or lines. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PlainReader } from '../../src/agents/command-adapter.ts';
import { createWatch, watchNext } from '../../src/core/detect/watch.ts';
import type { TranscriptEntry } from '../../src/core/vocabulary/transcript.ts';

const recorded = (name: string) =>
  readFileSync(new URL(`../recordings/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

function read(lines: readonly string[]): readonly TranscriptEntry[] {
  const reader = new PlainReader();
  return [...lines.flatMap((line, at) => reader.push(line, 'stdout', at)), ...reader.end(lines.length)];
}

function callsUntilStop(entries: readonly TranscriptEntry[]): number | null {
  let watch = createWatch();
  let calls = 0;
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    if (entry.type === 'tool_result') calls++;
    if (watched.signals.some(({ severity }) => severity === 'critical')) return calls;
  }
  return null;
}

describe('the events of an agent under a plain command', () => {
  test.each([
    ['codex', 5],
    ['claude', 5],
    ['opencode', 5],
    // It stops itself after the fourth, and says so.
    ['gemini', 4],
  ])('%s in an endless loop is caught at equal call %i', (agent, calls) => {
    expect(callsUntilStop(read(recorded(`${agent}/loop`)))).toBe(calls);
  });

  test.each(['codex', 'claude', 'opencode', 'gemini'])(
    '%s that works is left alone, and its usage is seen',
    (agent) => {
      const entries = read(recorded(`${agent}/ok`));
      expect(callsUntilStop(entries)).toBeNull();
      expect(entries.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['session', 'tool_call', 'usage', 'result']),
      );
    },
  );

  test('words of the program between the events are kept as output', () => {
    const [first = '', ...rest] = recorded('codex/ok');
    const entries = read([first, 'retrying the step', ...rest]);
    expect(entries).toContainEqual({ at: 1, type: 'output', stream: 'stdout', text: 'retrying the step' });
  });

  test('JSON of any other program stays output', () => {
    const lines = [
      '{"type":"result","ok":true}',
      '{"level":"info","msg":"user"}',
      '{"type":"item","item":{}}',
    ];
    expect(read(lines).map(({ type }) => type)).toEqual(['output', 'output', 'output']);
  });
});

describe('a log of shell commands', () => {
  const make = ['$ make', 'cc -c a.c', 'make: *** [a.o] Error 1'];

  test('gives calls with their results, and every line stays output', () => {
    const entries = read([...make, '$ ls', 'a.c']);
    expect(entries.filter(({ type }) => type === 'output')).toHaveLength(5);
    expect(entries.filter(({ type }) => type.startsWith('tool_'))).toMatchObject([
      { type: 'tool_call', tool: 'shell', input: 'make' },
      { type: 'tool_result', output: 'cc -c a.c\nmake: *** [a.o] Error 1' },
      { type: 'tool_call', input: 'ls' },
      { type: 'tool_result', output: 'a.c' },
    ]);
  });

  test('with the same command over and over is a loop', () => {
    expect(callsUntilStop(read(Array.from({ length: 8 }, () => make).flat()))).toBe(5);
  });

  test('of a build with many commands is none, nor are prices and diffs', () => {
    const build = Array.from({ length: 40 }, (_, index) => [
      `$ cc -c part${'abcdefghij'[index % 10]}${index}.c`,
      `ok ${index}`,
    ]);
    expect(callsUntilStop(read(build.flat()))).toBeNull();
    const diff = Array.from({ length: 20 }, () => ['+ }', '- }', '$5 each']).flat();
    expect(read(diff).every(({ type }) => type === 'output')).toBe(true);
  });
});
