import { copyFile, cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MaydayError } from '../../../src/platform/mayday-error.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { storyState } from '../../fixtures/record/story.ts';
import { newFolder, storyRecord, withRecord } from './places.ts';

/** Of the bytes in use, every so many is flipped. */
const FLIP_EVERY_BYTES = 43;
/** Beside a writer that never rests, each of so many would meet it. */
const LOOKS = 10;

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

const problems = (path: string): Promise<string[]> =>
  withRecord(path, async (record) => (await record.verify()).map(({ problem }) => problem));

describe('verify', () => {
  it('finds nothing in a sound record', async () => {
    const { path } = await storyRecord();
    expect(await problems(path)).toEqual([]);
  });

  it('finds nothing in a sound record while another process writes to it', async () => {
    const { path } = await storyRecord();
    await withRecord(path, async (record) => {
      await withRecord(path, async (other) => {
        let written = 0;
        let isOver = false;
        const writing = (async () => {
          for (; !isOver; written += 1) {
            const chain = written % 2 === 0 ? '@context' : '@alarms';
            await other.appendEvidence(chain, [{ id: `w${written}`, kind: 'note', at: 1, payload: '{}' }]);
            await nextTurn();
          }
        })();
        const found: unknown[] = [];
        for (let look = 0; look < LOOKS; look += 1) found.push(...(await record.verify()));
        isOver = true;
        await writing;
        expect(written).toBeGreaterThan(LOOKS);
        expect(found).toEqual([]);
      });
    });
  });

  it('notices a flipped byte, wherever it matters', async () => {
    const { folder, path, state } = await storyRecord();
    const sound = await readFile(path);
    let noticed = 0;
    const inUse = [...sound.keys()]
      .filter((at) => sound[at] !== 0)
      .filter((_, index) => index % FLIP_EVERY_BYTES === 0);
    for (const at of inUse) {
      const damaged = Buffer.from(sound);
      damaged[at] = (damaged[at] as number) ^ 0x10;
      await writeFile(path, damaged);
      await rm(join(folder, 'record.db-wal'), { force: true });
      await rm(join(folder, 'record.db-shm'), { force: true });
      try {
        const [found, seen] = await withRecord(path, async (record) => [
          await record.verify(),
          await storyState(record),
        ]);
        if ((found as unknown[]).length > 0) noticed += 1;
        else expect(seen, `byte ${at} was flipped unnoticed`).toEqual(state);
      } catch (error) {
        expect(error, `byte ${at}: ${String(error)}`).toBeInstanceOf(MaydayError);
        noticed += 1;
      }
    }
    expect(noticed).toBeGreaterThan(inUse.length / 2);
  });

  it('notices a file that was cut off, at any length', async () => {
    const { path } = await storyRecord();
    const { length } = await readFile(path);
    const sound = `${path}.sound`;
    await copyFile(path, sound);
    for (const kept of [0, 1, 50, 99, 100, 101, 4095, 4096, 4097, 8192, 20_000, length - 4096, length - 1]) {
      await copyFile(sound, path);
      await truncate(path, kept);
      const outcome = await problems(path).catch((error: unknown) => {
        expect(error, `${kept} bytes: ${String(error)}`).toMatchObject({
          code: expect.stringMatching(/^RECORD_/),
        });
        return ['refused'];
      });
      expect(outcome, `${kept} bytes`).not.toEqual([]);
    }
  });

  it('notices evidence that was changed', async () => {
    for (const [sql, problem] of [
      [
        `UPDATE ledger SET payload = '{"exit_code":1}' WHERE id = 'check'`,
        /payload of ledger entry 2 was changed/,
      ],
      [`UPDATE ledger SET kind = 'approval' WHERE id = 'scope'`, /ledger entry 1 was changed/],
      [`UPDATE ledger SET at = 99 WHERE id = 'scope'`, /ledger entry 1 was changed/],
      [`DELETE FROM ledger WHERE id = 'check'`, /ledger entry 2 is missing/],
      [`UPDATE events SET body = '{}' WHERE seq = 2`, /event 2 is damaged/],
      [`DELETE FROM events WHERE seq = 2`, /event 2 is missing/],
      [`DELETE FROM events WHERE seq = 7`, /ends at event 6 instead of 7/],
      [`UPDATE runs SET fence = 1`, /damaged/],
      [`UPDATE run_rows SET needs_person = 1`, /damaged/],
      [`UPDATE mailbox SET body = '"other"'`, /mailbox item \d+ is damaged/],
      [`UPDATE commands SET body = '{"x":1}' WHERE key = 'start'`, /command start is damaged/],
      [`UPDATE bus SET body = '{}' WHERE id = 2`, /bus message 2 is damaged/],
      [`DELETE FROM bus WHERE id = 2`, /bus message 2 is missing/],
      [`DELETE FROM bus WHERE id > 1`, /bus once reached message 2/],
      [`UPDATE bus_tasks SET running_since = 1`, /bus says about task t is damaged/],
      [`UPDATE bus_agents SET body = '{}'`, /bus says about agent other is damaged/],
      [`DELETE FROM run_rows`, /missing from the list/],
      [`INSERT INTO timers VALUES (99, 'x', 1, 1)`, /belong to no run/],
    ] as const) {
      const { path } = await storyRecord();
      change(path, sql);
      expect(await problems(path), sql).toContainEqual(expect.stringMatching(problem));
    }
  });

  it('notices a ledger whose end was taken away, though the rest of the chain holds', async () => {
    const { folder, path } = await storyRecord();
    const before = await newFolder();
    await cp(folder, before, { recursive: true });
    await withRecord(path, async (record) => {
      await record.renewLease({ runId: 'story', fence: 2, ttlMs: 1 });
      const [row] = await record.rows();
      await record.commit({
        runId: 'story',
        fence: 2,
        expectedSeq: 7,
        events: [{ at: 1, version: 1, type: 'late', body: '' }],
        ledger: [{ id: 'last', kind: 'approval', at: 1, payload: '1' }],
        row: row as NonNullable<typeof row>,
      });
    });
    // A complete and valid database of an hour ago.
    await copyFile(join(before, 'record.db'), path);
    const found = await problems(path);
    expect(found).toContainEqual(expect.stringMatching(/ledger entry 4 is not the one that was anchored/));
    expect(found).toContainEqual(expect.stringMatching(/journal once reached event 8/));
  });

  it('notices a database that was built anew, even with the same runs', async () => {
    const { folder, path } = await storyRecord();
    const other = await storyRecord();
    await copyFile(other.path, path);
    expect(await problems(path)).toContainEqual(expect.stringMatching(/belong to another record/));
    await rm(path);
    await expect(problems(path)).rejects.toMatchObject({ code: 'RECORD_LOST' });
    await rm(join(folder, 'ledger.anchor'));
    await copyFile(other.path, path);
    expect(await problems(path)).toContainEqual(expect.stringMatching(/ledger\.anchor is missing/));
  });

  it('passes over a half-written line of the anchor and goes on behind it', async () => {
    const { folder, path } = await storyRecord();
    const anchor = join(folder, 'ledger.anchor');
    const text = await readFile(anchor, 'utf8');
    const lastLine = text.trimEnd().split('\n').at(-1) as string;
    for (let cut = 1; cut <= lastLine.length; cut += 5) {
      await writeFile(anchor, text.slice(0, -cut));
      expect(await problems(path)).toEqual([]);
    }
    await withRecord(path, (record) =>
      record.createRun(
        {
          runId: 'next',
          events: [{ at: 1, version: 1, type: 'x', body: '' }],
          row: { ...ROW, runId: 'next' },
        },
        { owner: '', ttlMs: 1 },
      ),
    );
    expect(await problems(path)).toEqual([]);
    expect((await readFile(anchor, 'utf8')).split('\n').at(-2)).toMatch(
      /^journal bmV4dA 1-1 [0-9a-f]{64} [0-9a-f]{8}$/,
    );
  });
});

const ROW = {
  title: '',
  state: '',
  stage: '',
  agent: '',
  repository: '',
  createdAt: 1,
  updatedAt: 1,
  progressAt: 1,
  costUsd: 0,
  needsPerson: false,
  ended: false,
  view: '',
} as const;

describe('what is not a record', () => {
  it('is refused with advice and left as it is', async () => {
    const path = join(await newFolder(), 'record.db');
    await writeFile(path, 'These are my notes, not a database. '.repeat(300));
    await expect(openSqliteRecord({ path })).rejects.toMatchObject({ code: 'RECORD_CORRUPT' });
    expect(await readFile(path, 'utf8')).toBe('These are my notes, not a database. '.repeat(300));

    const foreign = join(await newFolder(), 'record.db');
    change(foreign, 'CREATE TABLE bookmarks (url TEXT)');
    const before = await readFile(foreign);
    await expect(openSqliteRecord({ path: foreign })).rejects.toMatchObject({ code: 'RECORD_FOREIGN' });
    expect(await readFile(foreign)).toEqual(before);
  });

  it('is no empty file where runs were, and no folder', async () => {
    const { path } = await storyRecord();
    await withRecord(path, async () => undefined);
    for (const more of ['', '-wal', '-shm']) await rm(`${path}${more}`, { force: true });
    await expect(openSqliteRecord({ path })).rejects.toMatchObject({ code: 'RECORD_LOST' });
    await writeFile(path, '');
    await expect(openSqliteRecord({ path })).rejects.toMatchObject({ code: 'RECORD_LOST' });
    expect(await readFile(path, 'utf8')).toBe('');
    await expect(openSqliteRecord({ path: dirname(path) })).rejects.toMatchObject({ code: 'RECORD_CORRUPT' });
  });

  it('written by a newer Mayday can be read and is not written', async () => {
    const { path, state } = await storyRecord();
    change(path, 'PRAGMA user_version = 99');
    await withRecord(path, async (record) => {
      expect(await storyState(record)).toEqual(state);
      await expect(record.post('story', '1')).rejects.toMatchObject({ code: 'RECORD_NEWER' });
      await expect(
        record.acquireLease({ runId: 'story', owner: '', ttlMs: 1, observedDeadFence: 2 }),
      ).rejects.toMatchObject({
        code: 'RECORD_NEWER',
      });
      await expect(record.erase('scope')).rejects.toMatchObject({ code: 'RECORD_NEWER' });
      expect(await storyState(record)).toEqual(state);
    });
  });
});

describe('erase', () => {
  it('leaves no byte of the payload in any file of the record', async () => {
    const folder = await newFolder();
    const path = join(folder, 'record.db');
    const secret = 'leaked-password-of-somebody';
    await withRecord(path, async (record) => {
      await record.createRun(
        {
          runId: 'a',
          events: [{ at: 1, version: 1, type: 'x', body: '' }],
          ledger: Array.from({ length: 60 }, (_, index) => ({
            id: `l${index}`,
            kind: 'note',
            at: 1,
            payload: `"${(index === 30 ? secret : 'harmless').repeat(index % 2 === 0 ? 900 : 20)}"`,
          })),
          row: { ...ROW, runId: 'a' },
        },
        { owner: '', ttlMs: 1 },
      );
      // Another process that is just reading keeps the old bytes in the log until it is done.
      const reader = new DatabaseSync(path);
      reader.exec('BEGIN; SELECT * FROM ledger');
      setTimeout(() => reader.close(), 300);
      await record.erase('l30');
      for (const file of ['record.db', 'record.db-wal', 'ledger.anchor'])
        expect((await readFile(join(folder, file))).includes(secret), file).toBe(false);
      expect(await record.verify()).toEqual([]);
    });
  });
});
