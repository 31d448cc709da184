/** A session of any size is kept in bounded memory, and what is compared stays comparable. */
import { expect, test } from 'vitest';
import { KeptEntries } from '../../../src/agents/sessions/kept-entries.ts';
import { watchOver } from '../../../src/core/detect/watch.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const LONG = 'src/a.ts:1: const value = compute(input);\n'.repeat(300);

function* calls(
  count: number,
  command: (n: number) => string,
  output: (n: number) => string,
): Generator<TranscriptEntry> {
  for (let n = 0; n < count; n++) {
    yield { type: 'tool_call', at: 2 * n, id: `${n}`, tool: 'Bash', input: command(n) };
    yield { type: 'tool_result', at: 2 * n + 1, id: `${n}`, output: output(n), isError: false };
  }
}

function keep(entries: Iterable<TranscriptEntry>): readonly TranscriptEntry[] {
  const kept = new KeptEntries();
  for (const entry of entries) kept.push(entry);
  return kept.entries;
}

const charsOf = (entries: readonly TranscriptEntry[]) =>
  entries.reduce((sum, entry) => sum + (entry.type === 'tool_result' ? entry.output.length : 0), 0);

test('ten times the output needs hardly more memory, and the newest entries are whole', () => {
  const output = (n: number) => `${n} ${LONG}`;
  const entries = keep(calls(2_000, (n) => `run ${n}`, output));
  expect(charsOf(entries)).toBeLessThan(0.07 * 2_000 * LONG.length);
  expect(entries.at(-1)).toMatchObject({ output: output(1_999) });
  expect(entries[1]).toMatchObject({ output: expect.stringContaining('[cut by Mayday: ') });
});

test('an old loop is found in what was kept, and honest work that looks alike at both ends is left alone', () => {
  const rest = [
    ...calls(
      200,
      (n) => `later ${n}`,
      (n) => `${String.fromCharCode(97 + (n % 26)).repeat(9 + n)} ${LONG}`,
    ),
  ];
  const loop = keep([
    ...calls(
      6,
      () => 'make',
      () => LONG,
    ),
    ...rest,
  ]);
  expect(
    [...watchOver(loop)].flatMap(({ signals }) => signals).map(({ type, severity }) => `${type} ${severity}`),
  ).toContain('looping critical');
  const middle = (n: number) => `${LONG}${'abcdefgh'.charAt(n)}${LONG}`;
  const work = keep([
    ...calls(
      6,
      () => 'make',
      (n) => middle(n).slice(LONG.length - 4_000),
    ),
    ...rest,
  ]);
  expect(
    [...watchOver(work)].flatMap(({ signals }) => signals).filter(({ atStep = 99 }) => atStep < 12),
  ).toEqual([]);
});

test('a short session is kept as it is', () => {
  const entries = [
    ...calls(
      5,
      () => 'ls',
      () => LONG,
    ),
  ];
  expect(keep(entries)).toEqual(entries);
});
