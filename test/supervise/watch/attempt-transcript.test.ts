import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { AttemptTranscript } from '../../../src/supervise/watch/attempt-transcript.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mayday-transcript-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => AttemptTranscript.open(join(folder, 'transcript.jsonl'), folder, createRedactor());
const line = (text: string) => ({ at: 1, type: 'output', stream: 'stdout', text }) as const;
const at = (offset: number, epoch = 0) => ({ stdout: { offset, midLine: false, epoch } });

test('the next keeper goes on where the last one had read to', async () => {
  const first = await open();
  await first.append([line('one')], at(1_000_000));
  await first.append([line('two')], at(2_000_000));
  await first.close();
  const second = await open();
  expect(second.positions).toEqual(at(2_000_000));
  expect(second.earlier).toEqual([line('one'), line('two')]);
  // The spool was emptied: the note is shorter than the one before it.
  await second.append([line('three')], at(4, 1));
  await second.close();
  const third = await open();
  expect(third.positions).toEqual(at(4, 1));
  await third.close();
});
