/** What a Prometheus server and other programs read: figures with promised names, and an answer that is sent again only if it changed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIGURES } from '../../src/supervise/fleet-figures.ts';
import { DeskWorld } from './desk-world.ts';

let world: DeskWorld;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await DeskWorld.open();
  headers = { authorization: `Bearer ${readFileSync(world.desk.tokenFile, 'utf8').trim()}` };
});
afterAll(() => world.close());

const values = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

test('a rescue and an open question are counted in Prometheus text', async () => {
  const before = await world.send('/metrics', { headers });
  expect(before.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(values(before.text)).toMatchObject({ mayday_rescues_total: 0, mayday_questions_open: 0 });
  const rescued = {
    attempts: [
      { steps: [{ write: { 'b.txt': 'B' } }, { signal: 'SIGSEGV' as const }] },
      { steps: [{ write: { 'a.txt': 'A' } }, { usage: { tokens: 500, cost_usd: 0.25 } }, { exit: 0 }] },
    ],
  };
  await world.repository.run(rescued);
  await world.repository.run({ attempts: [{ steps: [{ exit: 0 }] }] }, 'ask', { policy: { restarts: 0 } });
  const { text } = await world.send('/metrics', { headers });
  expect(values(text)).toMatchObject({
    'mayday_runs{state="delivered"}': 1,
    'mayday_runs{state="waiting"}': 1,
    mayday_queue_depth: 0,
    mayday_questions_open: 1,
    'mayday_incidents_total{class="crashed"}': 1,
    mayday_rescues_total: 1,
    mayday_tokens_total: 500,
    mayday_cost_usd_total: 0.25,
  });
});

test('every figure is told with its type, and stands in the documentation', async () => {
  const { text } = await world.send('/metrics', { headers });
  const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/desk.md'), 'utf8');
  for (const { name, type } of FIGURES) {
    expect.soft(text).toContain(`# TYPE ${name} ${type}\n`);
    expect.soft(page).toContain(`\`${name}`);
  }
});

test('an answer that has not changed is not sent again', async () => {
  const first = await world.send('/api/runs', { headers });
  const etag = first.headers['etag'] as string;
  const again = await world.send('/api/runs', { headers: { ...headers, 'if-none-match': `"x", ${etag}` } });
  expect(again).toMatchObject({ status: 304, text: '' });
  await world.repository.run({ attempts: [{ steps: [{ exit: 0 }] }] }, 'more', { policy: { restarts: 0 } });
  const changed = await world.send('/api/runs', { headers: { ...headers, 'if-none-match': etag } });
  expect(changed.status).toBe(200);
});
