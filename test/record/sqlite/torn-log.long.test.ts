/** The write-ahead log is cut off at any length: what is left are whole turns, and a turn that was acknowledged is missed by verify. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { STORY, STORY_TIME, storyState } from '../../fixtures/record/story.ts';
import { SEED } from '../../lane.ts';
import { newFolder, withRecord } from './places.ts';

/** A page and what stands before it in the log. */
const FRAME_BYTES = 4096 + 24;
const HEADER_BYTES = 32;
const CUT_EVERY_BYTES = process.env['MAYDAY_CRASH_ALL'] === '1' ? 1 : 769;

interface Moment {
  readonly state: string;
  readonly logBytes: number;
  readonly anchor: Buffer;
}

it(
  'a log that is torn at any length leaves whole turns; verify names an acknowledged turn that is gone',
  async () => {
    const [folder, copy] = [await newFolder(), await newFolder()];
    const at = (name: string) => join(folder, name);
    const writer = await openSqliteRecord({ path: at('record.db'), now: () => STORY_TIME });
    const moments: Moment[] = [];
    for (const step of STORY) {
      await step(writer);
      const state = JSON.stringify(await storyState(writer));
      const { length: logBytes } = await readFile(at('record.db-wal'));
      moments.push({ state, logBytes, anchor: await readFile(at('ledger.anchor')) });
    }
    // As a power cut leaves them: the writer never closed its record.
    const [database, log] = [await readFile(at('record.db')), await readFile(at('record.db-wal'))];
    await writer.close();
    const [first, last] = [moments[0] as Moment, moments.at(-1) as Moment];
    expect(log.length).toBe(last.logBytes);

    const borders = moments.flatMap(({ logBytes }) => [logBytes - FRAME_BYTES, logBytes - FRAME_BYTES + 24]);
    const cuts = new Set(borders.flatMap((border) => [border - 1, border, border + 1]));
    for (let cut = first.logBytes + (SEED % CUT_EVERY_BYTES); cut < log.length; cut += CUT_EVERY_BYTES)
      cuts.add(cut);
    const path = join(copy, 'record.db');
    for (const cut of [...cuts].filter((bytes) => bytes >= first.logBytes && bytes < log.length)) {
      // Each turn ends at a border; what follows the last border that is whole is torn.
      const kept = moments.findLast(({ logBytes }) => logBytes <= cut) as Moment;
      for (const { anchor } of [kept, last]) {
        await rm(`${path}-shm`, { force: true });
        await writeFile(path, database);
        await writeFile(`${path}-wal`, log.subarray(0, cut));
        await writeFile(join(copy, 'ledger.anchor'), anchor);
        const [seen, problems] = await withRecord(path, async (record) => [
          JSON.stringify(await storyState(record)),
          await record.verify(),
        ]);
        expect(seen, `cut at ${cut}`).toBe(kept.state);
        const isMissed = anchor === last.anchor && kept.anchor.length < last.anchor.length;
        expect((problems as unknown[]).length > 0, `cut at ${cut}: ${JSON.stringify(problems)}`).toBe(
          isMissed,
        );
      }
    }
    expect((log.length - HEADER_BYTES) % FRAME_BYTES).toBe(0);
  },
  60 * 60_000,
);
