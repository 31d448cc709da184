import { expect, test } from 'vitest';
import { type Entry, foldCalls, isFolded } from '../../../desk/run/fold-calls.ts';

let next = 0;
const entry = (type: Entry['type'], text: string, name = ''): Entry => ({
  number: (next += 1),
  at: '2026-01-01T00:00:00.000Z',
  type,
  name,
  failed: false,
  text,
});
const call = (text: string, result = '1 failed') => [
  entry('tool_call', text, 'Bash'),
  entry('tool_result', result),
];
/** Texts, and how often a call is folded. */
const told = (entries: readonly Entry[]) =>
  foldCalls(entries).map((line) => (isFolded(line) ? line.times : line.text));

test('equal calls with equal results are one line between the first and the last; nothing is lost', () => {
  const entries = [...call('a'), ...call('a'), ...call('a'), ...call('a'), entry('message', 'done')];
  expect(told(entries)).toEqual(['a', '1 failed', 2, 'a', '1 failed', 'done']);
  const all = foldCalls(entries).flatMap((line) => (isFolded(line) ? line.entries : [line]));
  expect(all).toEqual(entries);
});

test('what a call used belongs to it, and does not tell equal calls apart', () => {
  const used = (at: number) => entry('usage', `${at} tokens`);
  const entries = [1, 2, 3, 4].flatMap((at) => [...call('a'), used(at)]);
  expect(told(entries)).toEqual(['a', '1 failed', '1 tokens', 2, 'a', '1 failed', '4 tokens']);
});

test('two equal calls, another result and words in between stand as they are', () => {
  for (const entries of [
    [...call('a'), ...call('a')],
    [...call('a'), ...call('a', '2 failed'), ...call('a')],
    [...call('a'), entry('message', 'again'), ...call('a'), entry('message', 'again'), ...call('a')],
    [entry('message', 'x'), entry('message', 'x'), entry('message', 'x')],
  ])
    expect(foldCalls(entries)).toEqual(entries);
});
