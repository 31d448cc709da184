/** Who gets into the desk: only the listed cells of host, origin, method and role answer with success. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VIEWS } from '../../desk/navigation/views.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';
import { DeskWorld } from './desk-world.ts';

let world: DeskWorld;
let operator: Readonly<Record<string, string>>;
let viewer: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await DeskWorld.open();
  operator = await world.login();
  const made = await world.send('/api/links', {
    method: 'POST',
    headers: operator,
    body: { role: 'viewer', by: 'vic' },
  });
  viewer = await world.login(made.body['url'] as string);
});
afterAll(() => world.close());

const at = (path: string) => path.replaceAll(/:\w+/g, 'zzzz');

describe.each(ROUTES.map(({ method, path, role }) => ({ method, path, role })))(
  '$method $path',
  ({ method, path, role }) => {
    const send = (headers: Readonly<Record<string, string>>) =>
      world.send(at(path), { method, headers, ...(method === 'POST' ? { body: {} } : {}) });
    // The run, question or hold is unknown and the body empty: what matters is that the request got past the border.
    const passed = [200, 404, 422];

    test('lets in the session of a sufficient role, and nobody else', async () => {
      expect(passed).toContain((await send(operator)).status);
      const seen = await send(viewer);
      if (role === 'viewer') expect(passed).toContain(seen.status);
      else expect(seen).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
      expect(await send({})).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN' } });
      expect(await send({ cookie: 'mayday_desk=guess' })).toMatchObject({ status: 401 });
      expect(await send({ authorization: 'Bearer guess' })).toMatchObject({ status: 401 });
    });

    test('refuses another name of this machine, another site, and a change without the header', async () => {
      expect(await send({ ...operator, host: 'evil.example' })).toMatchObject({ status: 421 });
      expect(await send({ ...operator, host: `evil.example:${new URL(world.desk.url).port}` })).toMatchObject(
        { status: 421 },
      );
      expect(await send({ ...operator, origin: 'http://evil.example' })).toMatchObject({ status: 403 });
      expect(await send({ ...operator, origin: 'null' })).toMatchObject({ status: 403 });
      expect(await send({ ...operator, 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
      const { 'x-mayday-csrf': _, ...bare } = operator;
      if (method === 'GET') expect(passed).toContain((await send(bare)).status);
      else expect(await send(bare)).toMatchObject({ status: 403 });
      expect(await send({ ...operator, 'x-mayday-csrf': viewer['x-mayday-csrf'] ?? '' })).toMatchObject(
        method === 'GET' ? {} : { status: 403 },
      );
    });
  },
);

test('a link works once', async () => {
  const link = world.desk.link();
  await world.login(link);
  await expect(world.login(link)).rejects.toThrow('401');
});

test('the token for programs lies where agents do not look, readable by this user alone', async () => {
  const { tokenFile } = world.desk;
  expect(tokenFile.startsWith(`${world.repository.home}/keys/`)).toBe(true);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  expect(await world.send('/api/session', { headers: { authorization } })).toMatchObject({
    status: 200,
    body: { by: 'ann', role: 'operator' },
  });
  const headers = { authorization, host: 'evil.example' };
  expect(await world.send('/api/session', { headers })).toMatchObject({ status: 421 });
});

test('every answer forbids scripts and frames of other sites, also refusals and unknown addresses', async () => {
  for (const [path, headers] of [
    ['/', {}],
    ['/nothing', {}],
    ['/api/session', {}],
    ['/api/session', operator],
    ['/api/session', { host: 'evil.example' }],
  ] as const) {
    const answer = await world.send(path, { headers });
    expect.soft(answer.headers['content-security-policy'], path).toContain("default-src 'none'");
    expect.soft(answer.headers['content-security-policy'], path).not.toContain('unsafe');
    expect.soft(answer.headers['x-frame-options'], path).toBe('DENY');
    expect.soft(answer.headers['access-control-allow-origin'], path).toBeUndefined();
  }
});

test('every view of the page has its address', async () => {
  for (const { href } of VIEWS) expect.soft((await world.send(href)).status, href).toBe(200);
});

test('files outside the page are not served, however they are asked for', async () => {
  for (const path of [
    '/assets/../../package.json',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/../package.json',
  ])
    expect.soft((await world.send(path)).status, path).toBe(404);
});

test('the session cookie is out of reach for scripts and other sites', async () => {
  const { pathname, search } = new URL(world.desk.link());
  const { headers } = await world.send(`${pathname}${search}`);
  expect(headers['set-cookie']?.[0]).toMatch(/HttpOnly/);
  expect(headers['set-cookie']?.[0]).toMatch(/SameSite=Strict/);
});

test('the OpenAPI document names every route with its role', async () => {
  const { body } = await world.send('/api/openapi.json', { headers: viewer });
  const paths = body['paths'] as Record<string, Record<string, { 'x-role': string }>>;
  for (const { method, path, role } of ROUTES)
    expect
      .soft(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.['x-role'], path)
      .toBe(role);
});

test('every use-case of the command line has a route', () => {
  const used = (folder: string) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const texts = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    return [
      ...new Set(
        [...texts.matchAll(/use-cases\/((?:start|steer|learn)\/[\w-]+)\.ts/g)].map(([, name]) => name),
      ),
    ];
  };
  // Tasks of external agents come by the bus, from no person.
  const byPersons = used('src/cli').filter((name) => name !== 'start/take-over-task');
  expect(byPersons.length).toBeGreaterThan(10);
  expect(used('src/http')).toEqual(expect.arrayContaining(byPersons));
});

test(`any body of any change is refused, or means what it says (MAYDAY_TEST_SEED=${SEED})`, async () => {
  const random = new Random(SEED);
  const honest = { option: '1', note: 'go', reason: 'r', role: 'viewer', by: 'vic', text: 'x', number: 1 };
  for (const { method, path } of ROUTES.filter((one) => one.method === 'POST' && one.path !== '/api/links'))
    for (let round = 0; round < 8; round += 1) {
      const text = JSON.stringify(mutant(random, honest));
      const pieces = [random.chance(0.3) ? torn(random, text) : text];
      const { status } = await world.send(at(path), { method, headers: operator, pieces });
      expect([200, 404, 409, 422], `${method} ${path} ${pieces[0]?.slice(0, 200)}`).toContain(status);
    }
});

test('nothing of all this broke a promise of our own', () => {
  expect(world.faults).toEqual([]);
});
