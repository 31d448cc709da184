import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  LINE_LIMIT_BYTES,
  Tail,
  type TailLine,
  type TailOptions,
  type TailRead,
} from '../../../src/platform/file/tail.ts';
import { agentProgram, seen, startAttempt } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const MB = 1024 * 1024;

function spool(content: string | Buffer = ''): string {
  const path = join(temporaryDirectory(), 'stdout');
  writeFileSync(path, content);
  return path;
}

function tailOf(path: string, options: TailOptions = {}): Tail {
  const tail = new Tail(path, options);
  onTestFinished(async () => await tail.close());
  return tail;
}

async function readAll(
  tail: Tail,
  final = false,
): Promise<{ lines: TailLine[]; gapBytes: number; last: TailRead }> {
  const lines: TailLine[] = [];
  let gapBytes = 0;
  for (;;) {
    const last = await tail.read({ final });
    lines.push(...last.lines);
    gapBytes += last.gapBytes;
    if (last.atEnd) return { lines, gapBytes, last };
  }
}

async function textsOf(content: string | Buffer, final = true): Promise<string[]> {
  return (await readAll(tailOf(spool(content)), final)).lines.map(({ text }) => text);
}

describe('a growing file', () => {
  it('is read line by line as it grows, each line once', async () => {
    const path = spool('one\ntw');
    const tail = tailOf(path);
    expect((await readAll(tail)).lines.map(({ text }) => text)).toEqual(['one']);
    appendFileSync(path, 'o\nthree\n');
    expect((await readAll(tail)).lines.map(({ text }) => text)).toEqual(['two', 'three']);
    expect((await readAll(tail)).lines).toEqual([]);
  });

  it('may not be there yet', async () => {
    const path = join(temporaryDirectory(), 'later');
    const tail = tailOf(path);
    expect(await tail.read()).toMatchObject({ lines: [], atEnd: true });
    writeFileSync(path, 'now\n');
    expect((await tail.read()).lines[0]?.text).toBe('now');
  });

  it('shows the unfinished line, as a prompt that waits leaves it', async () => {
    const path = spool('hello\nPassword: ');
    const tail = tailOf(path);
    expect((await tail.read()).pending).toBe('Password: ');
    expect((await tail.read()).pending).toBe('Password: ');
    expect((await readAll(tail, true)).lines.map(({ text }) => text)).toEqual(['Password: ']);
  });

  it('takes CRLF, empty lines, a byte-order mark, NUL and bytes that are no text', async () => {
    expect(await textsOf('a\r\n\r\n\nb')).toEqual(['a', '', '', 'b']);
    expect(await textsOf('\uFEFFfirst\n')).toEqual(['first']);
    expect(await textsOf(Buffer.from([0x61, 0, 0xff, 0xfe, 0x62, 10]))).toEqual(['a\u2400\uFFFD\uFFFDb']);
  });

  it('is read on from a stored position after a crash, a half-read line included', async () => {
    const path = spool(`${'x'.repeat(LINE_LIMIT_BYTES + 10)}`);
    const first = tailOf(path);
    const [piece] = (await first.read()).lines;
    expect(piece).toMatchObject({ continued: true, continues: false, offset: 0 });
    appendFileSync(path, 'end\nnext\n');
    const second = tailOf(path, { position: structuredClone(first.position) });
    expect((await readAll(second)).lines).toMatchObject([
      { text: `${'x'.repeat(10)}end`, continues: true, continued: false },
      { text: 'next', continues: false },
    ]);
  });

  it('that was cut short by somebody is read from its beginning', async () => {
    const path = spool('a long first line\n');
    const tail = tailOf(path);
    await readAll(tail);
    truncateSync(path, 0);
    appendFileSync(path, 'new\n');
    expect((await readAll(tail)).lines.map(({ text }) => text)).toEqual(['new']);
  });

  it('any bytes in any pieces come out as a plain split would give them', async () => {
    const alphabet = fc.constantFrom('a', '\n', '\r\n', 'ü', '€', '😀', ' ', '{"k":1}', 'x'.repeat(40_000));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(alphabet, { maxLength: 12 }), { maxLength: 6 }), async (writes) => {
        const path = spool();
        let tail = tailOf(path);
        const seenLines: TailLine[] = [];
        for (const write of writes) {
          appendFileSync(path, write.join(''));
          seenLines.push(...(await readAll(tail)).lines);
          tail = tailOf(path, { position: tail.position });
        }
        seenLines.push(...(await readAll(tail, true)).lines);
        const joined = seenLines.map(({ text, continued }) => text + (continued ? '' : '\n')).join('');
        const plain = writes.flat().join('').replaceAll('\r\n', '\n');
        expect(joined).toBe(plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`);
        for (const { bytes } of seenLines) expect(bytes).toBeLessThanOrEqual(LINE_LIMIT_BYTES);
      }),
      { numRuns: 60 },
    );
  });
});

describe('too much output', () => {
  it('beyond the backlog is jumped over, and the gap is told', async () => {
    const line = `${'z'.repeat(99)}\n`;
    const path = spool(line.repeat(20_000));
    const tail = tailOf(path, { backlogBytes: 1_000_050 });
    const { lines, gapBytes } = await readAll(tail);
    // 999,950 to keep within the backlog, and the rest of the line it landed in.
    expect(gapBytes).toBe(1_000_000);
    expect(lines.length).toBe(10_000);
    expect(lines[0]).toMatchObject({ text: 'z'.repeat(99), continues: false });
    expect(tail.position.offset).toBe(2_000_000);
  });

  it('of line ends only does not become a mountain of objects', async () => {
    const tail = tailOf(spool('\n'.repeat(200_000)));
    const first = await tail.read();
    expect(first.lines.length).toBeLessThanOrEqual(8_192);
    expect(first.atEnd).toBe(false);
    expect(first.lines.length + (await readAll(tail)).lines.length).toBe(200_000);
  });

  it('is given back to the disk once read, while the writer goes on and offsets stay true', async () => {
    const path = spool('w'.repeat(99).concat('\n').repeat(100_000));
    const before = statSync(path).blocks;
    const tail = tailOf(path, { trimAboveBytes: 4 * MB });
    await readAll(tail);
    expect(await tail.trim()).toBeGreaterThan(9 * MB);
    appendFileSync(path, 'after\n');
    expect(statSync(path).blocks).toBeLessThan(before / 10);
    expect((await readAll(tail)).lines.map(({ text, offset }) => [text, offset])).toEqual([
      ['after', 10_000_000],
    ]);
    expect(await tail.trim()).toBe(0);
  });

  it('that an earlier reader gave back is a gap to a later one, not a run of zero bytes', async () => {
    const path = spool('w'.repeat(99).concat('\n').repeat(100_000));
    const first = tailOf(path, { trimAboveBytes: MB });
    const stale = first.position;
    await readAll(first);
    const freed = await first.trim();
    appendFileSync(path, 'after\n');
    const second = tailOf(path, { position: stale });
    const { lines, gapBytes } = await readAll(second);
    expect(gapBytes - freed).toBeLessThan(100);
    expect(gapBytes).toBeGreaterThanOrEqual(freed);
    expect(lines.at(-1)?.text).toBe('after');
    expect(lines.every(({ text }) => !text.includes('\u2400'))).toBe(true);
  });
});

const isFull = process.env['MAYDAY_TEST_FULL'] === '1';
const FLOOD_BYTES = isFull ? 5 * 1024 * MB : 512 * MB;
const LINE_BYTES = isFull ? 700 * MB : 256 * MB;
/**
 * Growth, whatever the size of the stream: V8's young generation steps up by about 115 MB at its default size and stays there (the
 * same from 1.5 to 5 GB). Smaller than the smallest stream here, so a reader that kept what it read would go beyond it.
 */
const MEMORY_LIMIT_BYTES = 150 * MB;

describe(`real floods (${FLOOD_BYTES / MB} MB and a line of ${LINE_BYTES / MB} MB; MAYDAY_TEST_FULL=1 for 5 GB and 700 MB)`, () => {
  it('a flood is followed to its last byte with flat memory and a bounded spool', async () => {
    const handle = await startAttempt(agentProgram('floods.mjs', String(FLOOD_BYTES), '128'));
    const path = join(handle.attemptDir, 'stdout');
    const trimAboveBytes = 64 * MB;
    const tail = tailOf(path, { trimAboveBytes });
    const before = process.memoryUsage().rss;
    let [bytes, most, mostKept] = [0, 0, 0];
    for (let running = true; running; ) {
      running = (await seen(handle, () => true)).exit === null;
      for (let read = await tail.read(); ; read = await tail.read()) {
        bytes += read.gapBytes + read.lines.reduce((sum, line) => sum + line.bytes + 1, 0);
        if (read.atEnd) break;
        await tail.trim();
        // What is not read yet has to be on the disk: on a busy machine that may be all of it.
        const { blocks, size } = statSync(path);
        mostKept = Math.max(mostKept, blocks * 512 - (size - tail.position.offset));
      }
      await tail.trim();
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(tail.position.offset).toBe(FLOOD_BYTES);
    expect(bytes).toBe(FLOOD_BYTES);
    expect(most).toBeLessThan(MEMORY_LIMIT_BYTES);
    expect(mostKept).toBeLessThan(2 * trimAboveBytes);
  }, 300_000);

  it('one endless line is handed on in pieces and the next line is whole', async () => {
    const handle = await startAttempt(agentProgram('writes-one-line.mjs', String(LINE_BYTES)));
    await seen(handle, ({ exit }) => exit !== null);
    const tail = tailOf(join(handle.attemptDir, 'stdout'), { backlogBytes: 2 * LINE_BYTES });
    const before = process.memoryUsage().rss;
    let [pieces, bytes, most, last] = [0, 0, 0, ''];
    for (let read = await tail.read(); ; read = await tail.read()) {
      for (const line of read.lines) {
        pieces += 1;
        bytes += line.bytes;
        last = line.text;
        expect(line.text.length).toBeLessThanOrEqual(LINE_LIMIT_BYTES);
      }
      most = Math.max(most, process.memoryUsage().rss - before);
      if (read.atEnd) break;
    }
    expect(bytes).toBe(LINE_BYTES + 'after'.length);
    expect(pieces).toBe(LINE_BYTES / LINE_LIMIT_BYTES + 1);
    expect(last).toBe('after');
    expect(most).toBeLessThan(MEMORY_LIMIT_BYTES);
  }, 300_000);
});
