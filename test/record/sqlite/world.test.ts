import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { beforeDurableWrite, setDurableWriteHook } from '../../../src/platform/file/durable-write.ts';
import { CommitUnknown, RecordUnavailable } from '../../../src/record/contract/record-unavailable.ts';
import { Connection } from '../../../src/record/sqlite/connection.ts';
import { refuseNetworkFileSystem } from '../../../src/record/sqlite/refuse-network-file-system.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { STORY, storyState } from '../../fixtures/record/story.ts';
import { newFolder, storyRecord, withRecord } from './places.ts';

const ON_BAD_DISK = join(import.meta.dirname, '../../fixtures/record/on-bad-disk.ts');
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

function onBadDisk(script: string, ...args: string[]): unknown {
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-ec', script, 'sh', ...args], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

afterEach(() => setDurableWriteHook(null));

describe('a record in a world that fails', () => {
  it('names after its patience what may hold the lock, and does not block the process meanwhile', async () => {
    const { path, state } = await storyRecord();
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    const record = await openSqliteRecord({ path, lockDeadlineMs: 500 });
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await expect(record.post('story', '1')).rejects.toMatchObject({ code: 'RECORD_LOCKED' });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(2);
    expect(await storyState(record)).toEqual(state);

    const posted = record.post('story', '"patient"');
    holder.exec('COMMIT');
    holder.close();
    await posted;
    expect((await record.mailbox('story')).at(-1)?.body).toBe('"patient"');
    await record.close();
  });

  it.runIf(process.platform === 'linux')(
    'names the process that holds the lock, and says that it is stopped',
    async () => {
      const { path } = await storyRecord();
      const hold = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
        database.exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => {}, 1000)`;
      const holder = spawn(process.execPath, ['-e', hold, path], { stdio: ['ignore', 'pipe', 'ignore'] });
      const record = await openSqliteRecord({ path, lockDeadlineMs: 200 });
      try {
        await once(holder.stdout, 'data');
        const by = `${path} has been locked for 30 seconds by process ${holder.pid} (`;
        await expect(record.post('story', '1')).rejects.toThrow(by);
        holder.kill('SIGSTOP');
        await expect(record.post('story', '1')).rejects.toMatchObject({
          code: 'RECORD_LOCKED',
          message: expect.stringMatching(/\), which is stopped\.$/),
        });
      } finally {
        holder.kill('SIGKILL');
        await record.close();
      }
    },
  );

  it.skipIf(!canMount)(
    'keeps what it acknowledged when the disk is full, and goes on when there is room',
    () => {
      const result = onBadDisk(
        'mount -t tmpfs -o size=2m tmpfs /mnt; exec "$1" "$2" full /mnt',
        process.execPath,
        ON_BAD_DISK,
      ) as Record<string, unknown>;
      expect(result).toMatchObject({
        failure: 'DISK_FULL',
        file: 'DISK_FULL',
        afterwards: 'done',
        unchanged: true,
        problems: [],
      });
      expect(result['kept']).toBe(result['posted']);
      expect(result['posted']).toBeGreaterThan(2);
    },
  );

  it.skipIf(!canMount)('can be read on a read-only disk, and says why it cannot be written', async () => {
    const { folder } = await storyRecord();
    const result = onBadDisk(
      'mount --bind "$3" /mnt; mount -o remount,bind,ro /mnt; exec "$1" "$2" read-only /mnt',
      process.execPath,
      ON_BAD_DISK,
      folder,
    );
    expect(result).toEqual({
      rows: 1,
      events: 7,
      write: 'STORE_READ_ONLY',
      problems: [],
      fresh: 'STORE_READ_ONLY',
    });
  });

  it('notices that its write-ahead log was taken away with acknowledged events in it', async () => {
    const folder = await newFolder();
    const path = join(folder, 'record.db');
    await withRecord(path, async (record) => {
      for (const step of STORY.slice(0, 2)) await step(record);
    });
    const writer = await openSqliteRecord({ path });
    for (const step of STORY.slice(2)) await step(writer);
    // As after a power cut: the log holds the last turns, which are not in the database yet.
    const copy = await newFolder();
    for (const file of ['record.db', 'ledger.anchor'])
      spawnSync('cp', [join(folder, file), join(copy, file)]);
    await writer.close();
    const lost = join(copy, 'record.db');
    await expect(openSqliteRecord({ path: lost })).rejects.toMatchObject({ code: 'RECORD_LOST' });
    await withRecord(lost, async (record) => {
      expect(await record.events('story')).not.toEqual([]);
      await expect(record.post('story', '1')).rejects.toMatchObject({ code: 'RECORD_LOST' });
    });
    // With its log, or with everything in the database, the same record is whole.
    await (await openSqliteRecord({ path })).close();
    const problems = await withRecord(lost, (record) => record.verify());
    expect(problems.map(({ problem }) => problem)).toContainEqual(
      expect.stringMatching(/journal once reached event 7/),
    );
  });

  it('is built once when many open it at the same time', async () => {
    const path = join(await newFolder(), 'record.db');
    const records = await Promise.all(Array.from({ length: 8 }, () => openSqliteRecord({ path })));
    await STORY[0]?.(records[0] as (typeof records)[number]);
    for (const record of records) expect(await record.events('story')).toHaveLength(1);
    await Promise.all(records.map((record) => record.close()));
  });

  it('is readable by its owner only', async () => {
    const folder = join(await newFolder(), 'home');
    const record = await openSqliteRecord({ path: join(folder, 'record.db') });
    await STORY[0]?.(record);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(folder))
      expect((await stat(join(folder, file))).mode & 0o777, file).toBe(0o600);
    await record.close();
  });

  it('leaves nothing but the database and its anchor behind when it is closed', async () => {
    const { folder } = await storyRecord();
    expect((await readdir(folder)).toSorted()).toEqual(['ledger.anchor', 'record.db']);
  });

  it('keeps no anchor line that it does not need, and makes up for lines it could not write', async () => {
    const folder = await newFolder();
    const anchor = join(folder, 'ledger.anchor');
    // A folder in its place: the anchor cannot be opened.
    await mkdir(anchor);
    const record = await openSqliteRecord({ path: join(folder, 'record.db') });
    for (const step of STORY.slice(0, 5)) await step(record);
    await rm(anchor, { recursive: true });
    for (const step of STORY.slice(5)) await step(record);
    const lines = (await readFile(anchor, 'utf8')).trimEnd().split('\n');
    expect(
      lines.map((line) =>
        line
          .split(' ')
          .filter((_, index) => index !== 1)
          .slice(0, 2)
          .join(' '),
      ),
    ).toEqual(['journal 1-1', 'journal 2-3', 'ledger 1', 'journal 4-5', 'journal 6-7', 'ledger 3']);
    expect(await record.verify()).toEqual([]);
    await record.close();
  });

  it('counts its commits together with every other durable write of the process', async () => {
    const counted: number[] = [];
    setDurableWriteHook((n) => counted.push(n));
    const record = await openSqliteRecord({ path: join(await newFolder(), 'record.db') });
    expect(beforeDurableWrite()).toBe(2);
    for (const step of STORY.slice(0, 2)) await step(record);
    await record.close();
    expect(counted).toEqual([1, 2, 3, 4]);
  });

  it('trusts nothing any more after the disk refused to make a write safe, until it is opened again', async () => {
    const path = join(await newFolder(), 'record.db');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE t (x)');
    const connection = new Connection({ path, database, refusal: null });
    const failedSync = Object.assign(new Error('disk I/O error'), { errcode: 1034 });
    await expect(
      connection.write(() => {
        database.exec('INSERT INTO t VALUES (1)');
        throw failedSync;
      }),
    ).rejects.toMatchObject({ code: 'RECORD_IO', cause: failedSync });
    await expect(connection.write(() => undefined)).rejects.toMatchObject({ code: 'RECORD_IO' });
    await expect(connection.read(() => undefined)).rejects.toMatchObject({ code: 'RECORD_IO' });
    expect(database.prepare('SELECT * FROM t').all()).toEqual([]);
    database.close();
  });

  it('does not know what became of a commit that the disk broke off, and goes on', async () => {
    const path = join(await newFolder(), 'record.db');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE t (x)');
    const connection = new Connection({ path, database, refusal: null });
    const add = () => connection.write(() => database.exec('INSERT INTO t VALUES (1)'));
    const exec = database.exec.bind(database);
    const brokenDisk = Object.assign(new Error('disk I/O error'), { errcode: 778 });
    const breakCommit = (written: boolean) => {
      database.exec = (sql) => {
        if (sql !== 'COMMIT') return exec(sql);
        database.exec = exec;
        if (written) exec(sql);
        throw brokenDisk;
      };
    };
    breakCommit(true);
    await expect(add()).rejects.toBeInstanceOf(CommitUnknown);
    breakCommit(false);
    await expect(add()).rejects.toBeInstanceOf(RecordUnavailable);
    await add();
    expect(database.prepare('SELECT * FROM t').all()).toHaveLength(2);
    database.close();
  });

  it('survives with full durability as with normal', async () => {
    const path = join(await newFolder(), 'record.db');
    const record = await openSqliteRecord({ path, durability: 'full' });
    for (const step of STORY) await step(record);
    expect(await record.verify()).toEqual([]);
    await record.close();
  });
});

describe('a network file system', () => {
  const look = (type: number, mounts = '') => ({ type: () => type, mounts: () => mounts });

  it('is refused by its number, or by its name where FUSE carries it', () => {
    for (const type of [0x6969, 0xff534d42, 0xfe534d42, -11317950, 0x00c36400])
      expect(() => refuseNetworkFileSystem('/net', look(type)), String(type)).toThrow(
        expect.objectContaining({ code: 'RECORD_ON_NETWORK' }),
      );
    const mounts =
      'disk / ext4 rw 0 0\nhost:/x /net fuse.sshfs rw 0 0\ndata /net/local fuse.gocryptfs rw 0 0\n';
    expect(() => refuseNetworkFileSystem('/net/a', look(0x65735546, mounts))).toThrow(
      expect.objectContaining({ code: 'RECORD_ON_NETWORK' }),
    );
    expect(() => refuseNetworkFileSystem('/net/local/a', look(0x65735546, mounts))).not.toThrow();
    expect(() => refuseNetworkFileSystem('/network', look(0x65735546, mounts))).not.toThrow();
  });

  it('gets no file of ours', async () => {
    const folder = await newFolder();
    await expect(
      openSqliteRecord({ path: join(folder, 'record.db'), fileSystem: look(0x6969) }),
    ).rejects.toMatchObject({ code: 'RECORD_ON_NETWORK' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is told from a local one', async () => {
    const folder = await newFolder();
    expect(() => refuseNetworkFileSystem(folder)).not.toThrow();
    for (const ext4 of [0xef53, 0x58465342, 0x9123683e, 0x01021994])
      expect(() => refuseNetworkFileSystem('/x', look(ext4))).not.toThrow();
  });
});
