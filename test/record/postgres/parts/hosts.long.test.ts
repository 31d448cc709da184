/** Hosts that share a PostgreSQL record: who is lost, who takes which run, what travels, and how the tables become current. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ClaimAsk, HostsRecord, NewHost } from '../../../../src/record/contract/hosts.ts';
import {
  migratePostgresRecord,
  openPostgresRecord,
  type PostgresRecord,
} from '../../../../src/record/postgres/open.ts';
import { type PostgresServer, startPostgres } from '../../../fixtures/postgres/server.ts';
import { created, rowOf } from '../../../contracts/record/place.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** The clock of the store. What a host thinks the time is appears nowhere. */
let now = 0;
let schema = '';
let opened: PostgresRecord[] = [];
beforeEach(async () => {
  for (const record of opened) await record.close();
  opened = [];
  now = 0;
  schema = `s_${randomUUID().replaceAll('-', '_')}`;
});

const HOST: NewHost = {
  name: 'box',
  boot: 'b',
  labels: ['gpu'],
  agents: ['rehearsal'],
  concurrency: 4,
  leaseMs: 100,
};
const ASK: ClaimAsk = {
  owner: 'me',
  ttlMs: 100,
  labels: ['gpu'],
  agents: ['rehearsal'],
  account: 'a',
  perAccount: null,
  perRepository: null,
  except: [],
};

async function host(id: string): Promise<PostgresRecord & { readonly hosts: HostsRecord }> {
  const record = await openPostgresRecord({ address: server.address, schema, host: id, now: () => now });
  opened.push(record);
  return record as PostgresRecord & { readonly hosts: HostsRecord };
}

/** A queued run of this host that any host may take. */
async function queue(
  record: PostgresRecord,
  runId: string,
  { labels = [] as string[], priority = 0, repository = '/repo', createdAt = 1, agent = 'rehearsal' } = {},
): Promise<void> {
  await created(record, runId, { row: rowOf(runId, { state: 'queued', repository, createdAt, agent }) });
  await record.hosts?.offer({ runId, fence: 1, movable: true, labels, priority });
  await record.releaseLease(runId, 1);
}

/** The run is at work under this fence. */
async function begin(record: PostgresRecord, runId: string, fence: number): Promise<void> {
  await record.commit({ runId, fence, expectedSeq: 1, events: [], row: rowOf(runId) });
}

test('a store of an older version is refused until a person migrates it, and its runs stay', async () => {
  const a = await host('a');
  await queue(a, 'r1');
  const client = new pg.Client(server.address);
  await client.connect();
  // As version 1 left it.
  await client.query(`SET search_path = ${schema};
    ALTER TABLE run_rows RESET (toast_tuple_target);
    ALTER TABLE events ADD CONSTRAINT events_run_fkey FOREIGN KEY (run) REFERENCES runs; DROP TABLE parcels, hosts; DROP INDEX run_rows_queued; ALTER TABLE store DROP key, DROP oldest;
    ALTER TABLE runs DROP host, DROP origin, DROP account, DROP priority, DROP labels, DROP movable; UPDATE store SET version = 1`);
  await client.end();
  await expect(host('a')).rejects.toMatchObject({ code: 'STORE_OLDER' });
  const address = { address: server.address, schema };
  expect(await migratePostgresRecord(address)).toEqual({ from: 1, to: 4 });
  expect(await migratePostgresRecord(address)).toEqual({ from: 4, to: 4 });
  const again = await host('a');
  expect(await again.events('r1')).toHaveLength(1);
  expect(await again.verify()).toEqual([]);
});

test('version 3 holds runs by their rows: none is removed while it is listed, and events without a run are found', async () => {
  await queue(await host('a'), 'r1');
  const client = new pg.Client(server.address);
  await client.connect();
  await client.query(`SET search_path = ${schema}`);
  // As version 2 left it.
  await client.query('ALTER TABLE events ADD CONSTRAINT events_run_fkey FOREIGN KEY (run) REFERENCES runs');
  await client.query('UPDATE store SET version = 2');
  expect(await migratePostgresRecord({ address: server.address, schema })).toEqual({ from: 2, to: 4 });
  const again = await host('a');
  await expect(client.query('DELETE FROM runs')).rejects.toThrow(/run_rows/);
  await client.query("INSERT INTO events VALUES (99, 1, 1, 2, 'noted', 1, '{}')");
  await client.end();
  expect(await again.verify()).toEqual([{ runId: null, problem: '1 events belong to no run' }]);
});

test('version 4 keeps the document of a run as it is; one that fits into no page is compressed', async () => {
  const a = await host('a');
  await queue(a, 'r1');
  const client = new pg.Client(server.address);
  await client.connect();
  await client.query(`SET search_path = ${schema}`);
  // As version 3 left it.
  await client.query('ALTER TABLE run_rows RESET (toast_tuple_target); UPDATE store SET version = 3');
  const claimed = await a.hosts.claim(ASK);
  const compressed = async (chars: number): Promise<unknown> => {
    const row = rowOf('r1', { view: JSON.stringify({ text: 'y'.repeat(chars) }) });
    await a.commit({ runId: 'r1', fence: claimed?.fence ?? 0, expectedSeq: 1, events: [], row });
    expect(await a.row('r1')).toMatchObject({ view: row.view });
    return (await client.query('SELECT pg_column_compression(view) AS by FROM run_rows')).rows[0].by;
  };
  expect(await compressed(5_000)).toBe('pglz');
  expect(await migratePostgresRecord({ address: server.address, schema })).toEqual({ from: 3, to: 4 });
  expect(await compressed(5_000)).toBeNull();
  expect(await compressed(20_000)).toBe('pglz');
  await client.end();
});

test('a store that only newer hosts may write to is refused; one that was widened for them is not', async () => {
  await host('a');
  const client = new pg.Client(server.address);
  await client.connect();
  await client.query(`UPDATE ${schema}.store SET version = 99`);
  await host('a');
  await client.query(`UPDATE ${schema}.store SET oldest = 99`);
  await client.end();
  await expect(host('a')).rejects.toMatchObject({ code: 'RECORD_NEWER' });
});

test('hosts that are at work while the tables are migrated go on, unless the new tables are not for them', async () => {
  const [old, updated] = [await host('old'), await host('updated')];
  const incarnation = await old.hosts.enrol(HOST);
  await queue(old, 'r1');
  const claimed = await old.hosts.claim(ASK);
  const lease = { runId: 'r1', fence: claimed?.fence ?? 0, ttlMs: 100 };
  await begin(old, 'r1', lease.fence);
  const client = new pg.Client(server.address);
  await client.connect();
  await client.query(`UPDATE ${schema}.store SET version = 99`);
  expect(await old.hosts.beat(incarnation)).toBe('working');
  expect(await old.renewLease(lease)).toBe(true);
  await client.query(`UPDATE ${schema}.store SET oldest = 99`);
  await expect(old.hosts.beat(incarnation)).rejects.toMatchObject({ code: 'RECORD_NEWER' });
  expect(await old.renewLease(lease)).toBe(false);
  await client.end();
  // The lease runs out as that of a lost host does, and a host that fits takes the run.
  now += 250;
  const taken = await updated.hosts.claim(ASK);
  expect(taken).toMatchObject({ runId: 'r1', fence: lease.fence + 1, left: { id: 'old' } });
  await expect(begin(old, 'r1', lease.fence)).rejects.toThrow(/stale/);
});

test('two hosts with the same name are two hosts; a second worker of one host takes the place of the first', async () => {
  const [a, b] = [await host('a'), await host('b')];
  expect([await a.hosts.enrol(HOST), await b.hosts.enrol(HOST), await a.hosts.enrol(HOST)]).toEqual([
    1, 1, 2,
  ]);
  expect([await a.hosts.beat(1), await a.hosts.beat(2), await b.hosts.beat(1)]).toEqual([
    null,
    'working',
    'working',
  ]);
  expect((await a.hosts.hosts()).map(({ id, name }) => [id, name])).toEqual([
    ['a', 'box'],
    ['b', 'box'],
  ]);
});

test('a host takes what it can do: labels, agents, the most urgent first, and every run once', async () => {
  const [a, b] = [await host('a'), await host('b')];
  await queue(a, 'plain', { createdAt: 1 });
  await queue(a, 'urgent', { createdAt: 2, priority: 5 });
  await queue(a, 'arm', { labels: ['arm'] });
  await queue(a, 'claude', { agent: 'claude' });
  await queue(a, 'refused');
  const taken = async (one: typeof a, ask = ASK) => (await one.hosts.claim(ask))?.runId ?? null;
  expect(await taken(b, { ...ASK, except: ['refused'] })).toBe('urgent');
  expect(await taken(b, { ...ASK, except: ['refused'] })).toBe('plain');
  expect(await taken(b, { ...ASK, except: ['refused'] })).toBeNull();
  expect(await taken(b, { ...ASK, labels: ['arm', 'gpu'], except: ['refused'] })).toBe('arm');
  expect(await taken(a, { ...ASK, agents: ['claude'] })).toBe('claude');
});

test('many claims at once from several hosts take every run exactly once and keep to the limits of account and repository', async () => {
  const all = [await host('a'), await host('b'), await host('c')];
  for (let run = 0; run < 30; run += 1)
    await queue(all[0] as (typeof all)[0], `r${run}`, { repository: run < 10 ? '/one' : `/other${run}` });
  const claims = async (ask: ClaimAsk) => {
    const claimed = await Promise.all(
      Array.from({ length: 45 }, (_, index) => (all[index % 3] as (typeof all)[0]).hosts.claim(ask)),
    );
    return claimed.flatMap((one) => (one === null ? [] : [one.runId]));
  };
  const first = await claims({ ...ASK, perAccount: 8, perRepository: 3 });
  expect(first).toHaveLength(8);
  expect(first.filter((runId) => Number(runId.slice(1)) < 10)).toHaveLength(3);
  const rest = await claims({ ...ASK, perRepository: 3 });
  expect(rest).toHaveLength(15);
  expect(new Set([...first, ...rest])).toHaveProperty('size', 23);
  expect(await claims(ASK)).toHaveLength(7);
});

test('a run stays with its host while that host is heard, goes to another when it is lost, and the fence refuses the first', async () => {
  const [a, b] = [await host('a'), await host('b')];
  await a.hosts.enrol(HOST);
  await queue(a, 'r1');
  const claimed = await a.hosts.claim(ASK);
  expect(claimed).toEqual({ runId: 'r1', fence: 2, from: null, left: null });
  expect(await b.hosts.claim(ASK)).toBeNull();
  expect([await a.hosts.held(), await b.hosts.held()]).toEqual([['r1'], []]);
  expect(await b.hosts.hosts()).toMatchObject([{ id: 'a', runs: 1, runIds: ['r1'] }]);
  await begin(a, 'r1', 2);
  now = 90;
  await a.hosts.beat(1);
  now = 150;
  // The lease ran out, but the host is there: its own worker goes on with the run.
  expect(await b.hosts.claim(ASK)).toBeNull();
  // Neither does anyone who only looks.
  expect(await b.unowned()).toEqual([]);
  expect(await b.acquireLease({ runId: 'r1', owner: 'b', ttlMs: 9, observedDeadFence: 2 })).toBeNull();
  now = 200;
  expect(await b.hosts.claim({ ...ASK, owner: 'b' })).toEqual({
    runId: 'r1',
    fence: 3,
    from: 'me',
    left: { id: 'a', name: 'box', isLost: true },
  });
  expect(await a.renewLease({ runId: 'r1', fence: 2, ttlMs: 100 })).toBe(false);
  expect(await a.lease('r1')).toMatchObject({ isHere: false });
  expect(await a.hosts.saveParcel({ runId: 'r1', fence: 2, name: 'x', body: Buffer.from('late') })).toBe(
    false,
  );
});

test('a run that cannot move waits for its own host; one whose host is in maintenance is given to another', async () => {
  const [a, b] = [await host('a'), await host('b')];
  await a.hosts.enrol(HOST);
  await created(a, 'bound', { row: rowOf('bound', { state: 'queued' }) });
  await a.releaseLease('bound', 1);
  expect(await b.hosts.claim(ASK)).toBeNull();
  await queue(a, 'moves');
  const { fence } = (await a.hosts.claim({ ...ASK, except: ['bound'] })) ?? { fence: 0 };
  await begin(a, 'moves', fence);
  await a.hosts.handOver('moves', fence);
  expect(await b.hosts.claim(ASK)).toBeNull();
  expect(await b.hosts.setMode('a', 'maintenance')).toBe(true);
  expect(await b.hosts.claim(ASK)).toMatchObject({ runId: 'moves', left: { id: 'a' } });
  expect(await b.hosts.setMode('nobody', 'draining')).toBe(false);
});

test('a parcel comes back byte for byte, and a delivery waits for the host that has the repository', async () => {
  const [a, b] = [await host('a'), await host('b')];
  await queue(a, 'r1');
  const { fence } = (await b.hosts.claim(ASK)) ?? { fence: 0 };
  const body = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));
  for (const name of ['base', '1', 'delivery']) await b.hosts.saveParcel({ runId: 'r1', fence, name, body });
  expect(await a.hosts.parcels('r1')).toEqual(['base', '1', 'delivery']);
  expect(await a.hosts.parcel('r1', '1')).toEqual(body);
  expect([await b.hosts.deliveries(), await a.hosts.deliveries()]).toEqual([[], ['r1']]);
  await a.hosts.markFetched('r1');
  expect(await a.hosts.deliveries()).toEqual([]);
});
