import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import {
  readTranscript,
  type TranscriptLine,
  transcriptSummary,
} from '../../../src/record/transcript/read-transcript.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { TranscriptWriter } from '../../../src/record/transcript/transcript.ts';

let directory: string;
let path: string;
const redactor = createRedactor({ values: ['opensesame'] });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mayday-transcript-'));
  path = join(directory, 'run', 'attempt-1.jsonl');
});
afterEach(() => rm(directory, { recursive: true }));

const said = (at: number, text = `line ${at}`): TranscriptEntry => ({
  type: 'message',
  at,
  role: 'agent',
  text,
});

async function written(entries: readonly TranscriptEntry[], batch = entries.length): Promise<void> {
  const writer = await TranscriptWriter.open(path, { redactor });
  for (let at = 0; at < entries.length; at += batch) await writer.append(entries.slice(at, at + batch));
  await writer.close();
}

async function all(
  ...args: Parameters<typeof readTranscript> extends [string, ...infer Rest] ? Rest : never
): Promise<TranscriptLine[]> {
  return Array.fromAsync(readTranscript(path, ...args));
}

const numbers = (lines: readonly TranscriptLine[]): number[] => lines.map(({ number }) => number);

describe('a transcript', () => {
  it('gives back what was written, in order, with counts by type', async () => {
    const entries: TranscriptEntry[] = [
      said(1, 'é \n 🛟 \u2028'),
      { type: 'tool_call', at: 2, id: 'c', tool: 'Bash', input: 'ls' },
      { type: 'tool_result', at: 3, id: 'c', output: '', isError: false },
      said(4),
    ];
    await written(entries, 2);
    expect((await all()).map(({ entry }) => entry)).toEqual(entries);
    expect(await transcriptSummary(path)).toEqual({
      entries: 4,
      counts: { message: 2, tool_call: 1, tool_result: 1 },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is empty where no file is', async () => {
    expect(await all()).toEqual([]);
    expect(await transcriptSummary(path)).toEqual({ entries: 0, counts: {} });
  });

  it('finds a place by number, by time and from the end, with and without its index', async () => {
    await written(
      Array.from({ length: 2000 }, (_, index) => said(index * 10)),
      100,
    );
    for (const index of ['kept', 'lost', 'torn'] as const) {
      if (index === 'lost') await rm(`${path}.index`);
      if (index === 'torn') await writeFile(`${path}.index`, '{"entries":256,"off');
      expect(numbers(await all({ type: 'number', number: 1999 })), index).toEqual([1999, 2000]);
      expect(numbers(await all({ type: 'time', at: 19_975 })), index).toEqual([1999, 2000]);
      expect(numbers(await all({ type: 'last', count: 3 })), index).toEqual([1998, 1999, 2000]);
      expect(numbers(await all({ type: 'last', count: 5000 })), index).toHaveLength(2000);
    }
  });

  it('reads little of a long transcript to show its end', async () => {
    await written(
      Array.from({ length: 5000 }, (_, index) => said(index)),
      50,
    );
    const before = (await stat(path)).size;
    // Spoils the beginning without moving anything: a reader of the file shows it.
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('"line 1"', '#line 1#'));
    expect((await stat(path)).size).toBe(before);
    const [last] = await all({ type: 'last', count: 1 });
    expect(last).toMatchObject({ number: 5000, entry: said(4999) });
    expect((await transcriptSummary(path)).counts).toEqual({ message: 5000 });
  });

  it('ignores a torn last line when reading, and goes on behind it when writing', async () => {
    await written([said(1), said(2)]);
    const whole = (await stat(path)).size;
    const lastLine = `${JSON.stringify(said(2))}\n`.length;
    for (let cut = 1; cut < lastLine; cut++) {
      await written([]);
      await truncate(path, whole - cut);
      expect(numbers(await all())).toEqual([1]);
      const writer = await TranscriptWriter.open(path, { redactor });
      await writer.append([said(3)]);
      await writer.close();
      const lines = await all();
      expect(lines.at(-1)?.entry).toEqual(said(3));
      expect(await transcriptSummary(path)).toMatchObject({ entries: lines.length });
      expect(numbers(await all({ type: 'last', count: 1 }))).toEqual([lines.length]);
      await rm(path);
      await rm(`${path}.index`);
      await written([said(1), said(2)]);
    }
  });

  it('numbers on where the last writer stopped', async () => {
    await written(Array.from({ length: 300 }, (_, index) => said(index)));
    await written([said(300), { type: 'error', at: 301, text: 'x', status: null }]);
    expect(numbers(await all({ type: 'last', count: 2 }))).toEqual([301, 302]);
    expect((await transcriptSummary(path)).counts).toEqual({ message: 301, error: 1 });
  });

  it('keeps lines that it cannot read, and counts them', async () => {
    await written([said(1)]);
    await appendFile(path, 'not json\n{"type":"from_the_future","at":5,"x":1}\n');
    expect((await all()).map(({ entry }) => entry)).toEqual([
      said(1),
      { type: 'unknown', at: 1, raw: 'not json' },
      { type: 'from_the_future', at: 5, x: 1 },
    ]);
  });

  it('stops at its cap, says so, and stays stopped', async () => {
    const writer = await TranscriptWriter.open(path, { redactor, capBytes: 1000 });
    expect(await writer.append([said(1), said(2, 'x'.repeat(2000)), said(3)])).toEqual({
      stored: 1,
      dropped: 2,
    });
    expect(writer.full).toBe(true);
    expect(await writer.append([said(4)])).toEqual({ stored: 0, dropped: 1 });
    await writer.close();
    expect(numbers(await all())).toEqual([1]);
  });

  it('cuts a text that is too long and says by how much', async () => {
    await written([said(1, 'y'.repeat(100_000))]);
    const [line] = await all();
    expect(line?.entry).toMatchObject({
      text: expect.stringMatching(/^y{65536}… \[34464 characters cut\]$/),
    });
  });

  it('stores no secret, in no field', async () => {
    await written([
      said(1, 'say opensesame'),
      { type: 'tool_result', at: 2, id: 'x', output: 'y'.repeat(65_530) + 'opensesame', isError: true },
    ]);
    expect(await readFile(path, 'utf8')).not.toContain('opense');
    expect((await all())[0]?.entry).toEqual(said(1, 'say [redacted:known-secret]'));
  });

  it('keeps the order of appends that were not awaited', async () => {
    const writer = await TranscriptWriter.open(path, { redactor });
    await Promise.all(Array.from({ length: 50 }, (_, index) => writer.append([said(index)])));
    await writer.close();
    expect((await all()).map(({ entry }) => entry.at)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  it('can be followed while it is written', async () => {
    const writer = await TranscriptWriter.open(path, { redactor });
    await writer.append([said(1)]);
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const { number } of readTranscript(path, { type: 'start' }, stop.signal)) {
      seen.push(number);
      if (number === 3) stop.abort();
      else await writer.append([said(number + 1)]);
    }
    await writer.close();
    expect(seen).toEqual([1, 2, 3]);
  });
});
