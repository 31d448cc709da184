import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { STORY, STORY_TIME, storyState } from '../fixtures/record/story.ts';
import { created, inPlace, type OpenPlace, type RecordPlace } from './record/place.ts';

const WRITER = join(import.meta.dirname, '../fixtures/record/writer.ts');
/** More steps than the story can have durable writes, so that the last round ends by itself. */
const MAX_STORY_WRITES = 40;

interface Writer {
  readonly child: ChildProcess;
  /** What was acknowledged to it, as it said. */
  readonly lines: string[];
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  readonly said: (count: number) => Promise<void>;
}

function startWriter(place: RecordPlace, ...args: string[]): Writer {
  const child = spawn(process.execPath, [WRITER, place.address, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]).then(([[code, signal]]) => ({
    code,
    signal,
  }));
  const said = async (count: number): Promise<void> => {
    while (lines.length < count) {
      if (child.exitCode !== null) throw new Error(`the writer ended with ${child.exitCode}`);
      await once(output, 'line');
    }
  };
  return { child, lines, ended, said };
}

/** What only real processes can show. `openPlace` gives an empty record. */
export function describeRecordProcesses(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: several processes`, () => {
    it(
      'append to one run at once without losing or doubling an event',
      inRecord(async (place, record) => {
        await created(record, 'shared');
        const writers = Array.from({ length: 4 }, () => startWriter(place, 'hammer', 'shared', '100'));
        for (const { ended } of writers) expect(await ended).toEqual({ code: 0, signal: null });
        const events = await record.events('shared');
        expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 401 }, (_, index) => index + 1));
        const stored = new Map(events.map(({ seq, body }) => [`${seq} ${body}`, true]));
        expect(writers.flatMap(({ lines }) => lines).every((line) => stored.has(line))).toBe(true);
        expect(await record.verify()).toEqual([]);
      }),
    );

    it(
      'never hold one lease at the same time',
      inRecord(async (place, record) => {
        await created(record, 'wanted');
        await record.releaseLease('wanted', 1);
        const writers = Array.from({ length: 3 }, () => startWriter(place, 'leases', 'wanted', '30'));
        for (const { ended } of writers) expect(await ended).toEqual({ code: 0, signal: null });
        const fences = (await record.events('wanted')).slice(1).map(({ fence }) => fence);
        expect(fences).toEqual(Array.from({ length: 90 }, (_, index) => index + 2));
      }),
    );

    it(
      'lose nothing that was acknowledged when they are killed in the middle of a commit',
      inRecord(async (place, record) => {
        const killed: Writer[] = [];
        for (let round = 0; round < 4; round++) {
          const writers = Array.from({ length: 3 }, (_, index) =>
            startWriter(place, 'stream', `run-${round}-${index}`),
          );
          await Promise.all(writers.map(({ said }, index) => said(20 + 15 * index + 7 * round)));
          for (const { child } of writers) child.kill('SIGKILL');
          for (const { ended } of writers) expect(await ended).toEqual({ code: null, signal: 'SIGKILL' });
          killed.push(...writers);
        }
        for (const [index, { lines }] of killed.entries()) {
          const events = await record.events(`run-${Math.floor(index / 3)}-${index % 3}`);
          expect(events.length).toBeGreaterThanOrEqual(Number(lines.at(-1)));
          // One more may be there: committed, killed before it could say so.
          expect(events.length).toBeLessThanOrEqual(Number(lines.at(-1)) + 1);
          expect(events.map(({ body }) => Number(body))).toEqual(events.map((_, position) => position));
        }
        expect(await record.verify()).toEqual([]);
      }),
    );
  });

  describe(`${name}: the fault hook`, () => {
    it('leaves exactly the acknowledged steps when the process dies at its n-th durable write, for every n', async () => {
      let finished = false;
      for (let n = 1; !finished; n++) {
        expect(n).toBeLessThan(MAX_STORY_WRITES);
        const [place, reference] = [await openPlace(), await openPlace()];
        reference.now = STORY_TIME;
        const writer = startWriter(place, 'story', String(n));
        finished = (await writer.ended).code === 0;
        const steps = writer.lines.filter((line) => line === 'step').length;
        const [record, expected] = [await place.open(), await reference.open()];
        for (const step of STORY.slice(0, steps)) await step(expected);
        expect(await storyState(record), `killed at write ${n}`).toEqual(await storyState(expected));
        expect(await record.verify()).toEqual([]);
        if (finished) expect(steps).toBe(STORY.length);
        await Promise.all([record.close(), expected.close()]);
        await Promise.all([place.remove(), reference.remove()]);
      }
    });
  });
}
