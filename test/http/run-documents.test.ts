/** What the page of a run reads stays small however long the run was, and loses nothing that it counts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcriptPath } from '../../src/act/run-files.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { timelineDocument } from '../../src/http/timeline-document.ts';
import { transcriptDocument } from '../../src/http/transcript-document.ts';
import type { RunRecord } from '../../src/record/contract.ts';

const CALLS = 10_000;
const home = mkdtempSync(join(tmpdir(), 'mayday-desk-'));

beforeAll(() => {
  const path = transcriptPath(home, 'long', 1);
  mkdirSync(dirname(path), { recursive: true });
  const entries = Array.from({ length: CALLS }, (_, index) => [
    { type: 'tool_call', at: index * 1_000, id: `c${index}`, tool: 'Bash', input: `npm test ${index}` },
    { type: 'tool_result', at: index * 1_000 + 500, id: `c${index}`, output: 'x', isError: index % 10 === 0 },
  ]).flat();
  writeFileSync(path, `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A look at the tree after every fourth call found that the work had moved. */
const looks = Array.from({ length: CALLS / 4 }, (_, index) => ({
  type: 'progress_observed',
  at: (4 * index + 1) * 1_000 + 600,
  attempt: 1,
  kind: 'tree',
  detail: 'a.txt',
}));
const record = {
  events: async () => looks.map((look) => ({ body: JSON.stringify(look) })),
} as unknown as RunRecord;

test('ten thousand calls come as at most fifteen hundred slices, and every call is counted', async () => {
  const run = {
    runId: 'long',
    attempts: [{ number: 1, moved: [], endedAt: null }],
    incidents: [],
  } as unknown as RunState;
  const { calls } = await timelineDocument(home, record, run);
  expect(calls.length).toBeLessThanOrEqual(1_500);
  const sum = (kind: 'moved' | 'failed' | 'plain') => calls.reduce((total, slice) => total + slice[kind], 0);
  expect(sum('moved') + sum('failed') + sum('plain')).toBe(CALLS);
  expect(sum('failed')).toBe(CALLS / 10);
  expect(sum('moved')).toBe(CALLS / 4);
});

test('a page of the transcript begins at a number or a moment, says where the next one begins, and finds a text', async () => {
  const page = await transcriptDocument(home, { runId: 'long', attempt: 1, limit: 50, from: 100 });
  expect(page.entries.map(({ number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, index) => 100 + index),
  );
  expect(page.next).toBe(150);
  const later = await transcriptDocument(home, { runId: 'long', attempt: 1, limit: 1, at: 5_000_000 });
  expect(later.entries[0]?.at).toBe(new Date(5_000_000).toISOString());
  const found = await transcriptDocument(home, {
    runId: 'long',
    attempt: 1,
    limit: 5,
    from: 0,
    find: 'TEST 9999',
  });
  expect(found.entries.map(({ text }) => text)).toEqual(['npm test 9999']);
  expect(found.all).toBe(2 * CALLS);
  const failed = await transcriptDocument(home, {
    runId: 'long',
    attempt: 1,
    limit: 1,
    at: 1,
    only: 'failed',
  });
  expect(failed.entries).toMatchObject([{ failed: true, at: new Date(500).toISOString() }]);
});

test('however long the agent has been quiet, a page up to a moment holds its last entries', async () => {
  const wish = { runId: 'long', attempt: 1, limit: 20 };
  const quiet = await transcriptDocument(home, { ...wish, until: CALLS * 1_000 + 3_600_000 });
  expect(quiet.entries).toHaveLength(20);
  expect(quiet.entries.findLast(({ type }) => type === 'tool_call')?.text).toBe(`npm test ${CALLS - 1}`);
  const earlier = await transcriptDocument(home, { ...wish, until: 5_000_000 });
  expect(earlier.entries).toHaveLength(20);
  expect(earlier.entries.at(-1)).toMatchObject({
    at: new Date(5_000_000).toISOString(),
    text: 'npm test 5000',
  });
  expect(earlier.next).toBe((earlier.entries.at(-1)?.number ?? 0) + 1);
});

test('an attempt that has not said anything yet has an empty page', async () => {
  const page = await transcriptDocument(home, { runId: 'long', attempt: 2, limit: 5 });
  expect(page).toEqual({ run_id: 'long', attempt: 2, entries: [], next: null, all: 0 });
});
