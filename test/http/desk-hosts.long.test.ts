/** The hosts at the desk: a fleet with their runs, of which one is drained by a key; and what a single machine shows there. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewHost } from '../../src/record/contract/hosts.ts';
import { openPostgresRecord, type PostgresRecord } from '../../src/record/postgres/open.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';
import { created, rowOf } from '../contracts/record/place.ts';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';

const BOX: NewHost = {
  name: 'build-1',
  boot: 'b',
  labels: ['gpu'],
  agents: ['rehearsal'],
  concurrency: 4,
  leaseMs: 600_000,
};
const browser: Browser | null = await openBrowser();
afterAll(() => browser?.close());

describe('a fleet', () => {
  let server: PostgresServer;
  let other: PostgresRecord;
  let world: DeskWorld;
  let headers: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await startPostgres();
    world = await DeskWorld.open({ in: await RehearsalRepository.make({ MAYDAY_STORE: server.address }) });
    headers = await world.login();
    await world.repository.record.hosts?.enrol({ ...BOX, name: 'this-one', labels: [] });
    other = await openPostgresRecord({ address: server.address, host: 'other' });
    await other.hosts?.enrol(BOX);
    const view = { run_id: 'r1', task: 'port it', agent: 'rehearsal', state: 'queued', stage: 'build' };
    await created(other, 'r1', { row: rowOf('r1', { state: 'queued', view: JSON.stringify(view) }) });
    await other.hosts?.offer({ runId: 'r1', fence: 1, movable: true, labels: [], priority: 0 });
    await other.releaseLease('r1', 1);
    const ask = { owner: 'me', ttlMs: 600_000, labels: ['gpu'], agents: ['rehearsal'], account: 'a' };
    await other.hosts?.claim({ ...ask, perAccount: null, perRepository: null, except: [] });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await server.stop();
  });

  test('every host is told with labels, load, last sign of life and its runs', async () => {
    const { body } = await world.send('/api/hosts', { headers });
    const host = {
      id: 'other',
      name: 'build-1',
      mode: 'working',
      lost: false,
      is_this: false,
      concurrency: 4,
    };
    const all = [
      { ...host, labels: ['gpu'], runs: 1, run_ids: ['r1'], seen_at: expect.any(Number) as number },
      { name: 'this-one', is_this: true, runs: 0, run_ids: [] },
    ];
    expect(body).toMatchObject({ fleet: true, only: null, hosts: all });
    expect((body['machine'] as { cores: number }).cores).toBeGreaterThan(0);
  });

  test('an unknown host and an unknown mode are refused', async () => {
    const say = (host: string, said: unknown) =>
      world.send(`/api/hosts/${host}/mode`, { method: 'POST', headers, body: { mode: said } });
    expect(await say('zzzz', 'draining')).toMatchObject({ status: 404, body: { code: 'UNKNOWN_HOST' } });
    expect(await say('other', 'gone')).toMatchObject({ status: 422, body: { code: 'WRONG_REQUEST' } });
  });
});
