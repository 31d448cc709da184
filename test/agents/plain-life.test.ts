/** Signs of life of agents under a plain command, from their events as the CLI prints them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PlainReader } from '../../src/agents/command-adapter.ts';
import { createWatch, watchNext } from '../../src/core/detect/watch.ts';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';

const LOOK_MS = 5_000;

/** Prints each line at its time, looks every few seconds, and says which signals were raised when. */
function watched(
  lines: readonly (readonly [at: number, line: string])[],
  untilMs: number,
): readonly string[] {
  const reader = new PlainReader();
  let watch = createWatch();
  const raised: string[] = [];
  const take = (entry: Parameters<typeof watchNext>[1]) => {
    const { watch: next, signals } = watchNext(watch, entry);
    watch = next;
    raised.push(
      ...signals.map(({ type, severity }) => `${type} ${severity} at ${Math.round(entry.at / 1_000)}`),
    );
  };
  let heard = 0;
  for (let now = LOOK_MS; now <= untilMs; now += LOOK_MS) {
    for (const [at, line] of lines.filter(([at]) => at > heard && at <= now))
      for (const entry of reader.push(line, 'stdout', at)) take(entry);
    heard = now;
    const { partialAt } = reader;
    take({ type: 'tick', at: now, startedAt: 1, ...(partialAt === null ? {} : { partialAt }) });
  }
  return raised;
}

const limit = DEFAULT_POLICY.silence_ms;

test('a Codex whose stream stalls is noticed at the silence limit, though it prints that it reconnects', () => {
  const said = readFileSync(new URL('../recordings/codex/stall.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const begun = said.filter((line) => !line.includes('Reconnecting')).slice(0, 2);
  const again = said.find((line) => line.includes('Reconnecting')) ?? expect.fail('the recording has one');
  const lines = [
    ...begun.map((line, index) => [1_000 + index, line] as const),
    ...[1, 2, 3, 4].map((n) => [(n * limit) / 3, again] as const),
  ];
  const [first, ...others] = watched(lines, 2 * limit);
  expect(first).toMatch(/^stalled critical at \d+$/);
  const noticedMs = Number(first?.split(' ').at(-1)) * 1_000;
  expect(noticedMs).toBeGreaterThanOrEqual(limit);
  expect(noticedMs).toBeLessThanOrEqual(limit + 3 * LOOK_MS);
  expect(others).toEqual([]);
});

const ids = { session_id: 's-1', parent_tool_use_id: null, uuid: 'u-1' };
const event = (at: number, body: object) => [at, JSON.stringify({ ...body, ...ids })] as const;
const piece = (at: number) => {
  const delta = { type: 'input_json_delta', partial_json: 'const row = [1, 2, 3];' };
  return event(at, { type: 'stream_event', event: { type: 'content_block_delta', index: 1, delta } });
};
const init = event(1_000, { type: 'system', subtype: 'init', cwd: '/repo', tools: ['Write'], model: 'm' });
const pieces = (untilMs: number) =>
  Array.from({ length: untilMs / 1_000 }, (_, index) => piece(2_000 + index * 1_000));

test('a large Write whose argument streams for longer than three minutes is left alone', () => {
  const minutes = Math.max(180_000, 2 * limit);
  expect(watched([init, ...pieces(minutes)], minutes)).toEqual([]);
});

test('a Write whose stream breaks off is noticed at the silence limit', () => {
  const [first] = watched([init, ...pieces(60_000)], 60_000 + 2 * limit);
  expect(first).toContain('stalled critical');
});
