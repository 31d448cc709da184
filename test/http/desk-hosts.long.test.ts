/** The hosts at the desk: a fleet with their runs, of which one is drained by a key; and what a single machine shows there. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewHost } from '../../src/record/contract/hosts.ts';
import { openPostgresRecord, type PostgresRecord } from '../../src/record/postgres/open.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';
import { created, rowOf } from '../contracts/record/place.ts';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { enter, openBrowser } from './browser.ts';
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

async function open(world: DeskWorld): Promise<Page> {
  const page = await (await (browser as Browser).newContext({ colorScheme: 'dark' })).newPage();
  page.setDefaultTimeout(150_000);
  await enter(page, world.desk.link());
  await page.getByText('live', { exact: true }).waitFor();
  await page.goto(`${world.desk.url}hosts`);
  await page.locator('main:not([aria-busy])').waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  return page;
}

describe('a fleet', () => {
  let server: PostgresServer;
  let other: PostgresRecord;
  let world: DeskWorld;
  let headers: Readonly<Record<string, string>>;
  const mode = async (id: string) =>
    (await world.repository.record.hosts?.hosts())?.find((host) => host.id === id)?.mode;

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

  test.skipIf(browser === null)(
    'a key drains the host in focus after a second press, and lets it work again',
    async () => {
      const page = await open(world);
      const entry = page.locator('.sheet li', { hasText: 'build-1' });
      await entry.getByText('1 of 4').waitFor();
      await entry.getByRole('link', { name: 'r1' }).waitFor();
      await page.keyboard.press('x');
      await entry.getByText('it finishes its runs and takes no more. Sure?').waitFor();
      expect(await mode('other')).toBe('working');
      await page.keyboard.press('x');
      await entry.getByText('draining').waitFor();
      expect(await mode('other')).toBe('draining');
      await page.keyboard.press('y');
      await page.keyboard.press('y');
      await entry.locator('.state', { hasText: 'takes runs' }).waitFor();
      expect(await mode('other')).toBe('working');
      await page.context().close();
    },
  );
});

test('a single machine is the only host: its runs, what it has left, and how it gets company', async () => {
  const world = await DeskWorld.open();
  const headers = await world.login();
  const { body } = await world.send('/api/hosts', { headers });
  expect(body).toMatchObject({ fleet: false, hosts: [], only: { runs: 0, waiting: 0, run_ids: [] } });
  const said = { method: 'POST', headers, body: { mode: 'draining' } };
  expect(await world.send('/api/hosts/any/mode', said)).toMatchObject({
    status: 422,
    body: { code: 'NO_FLEET' },
  });
  if (browser !== null) {
    const page = await open(world);
    await page.getByText('this machine', { exact: true }).waitFor();
    await page.getByText(/memory .* free/).waitFor();
    await page.getByText('MAYDAY_STORE=').waitFor();
    await page.context().close();
  }
  expect(world.faults).toEqual([]);
  await world.close();
});
