/** Who gets into the desk: only the listed cells of host, origin, method and role answer with success. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VIEWS } from '../../desk/navigation/views.ts';
import { DESK_ROLES, type DeskRole } from '../../src/http/access.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';
import { DeskWorld } from './desk-world.ts';

type Headers = Readonly<Record<string, string>>;

let world: DeskWorld;
let people: Readonly<Record<DeskRole, Headers>>;
let operator: Headers;
let viewer: Headers;

beforeAll(async () => {
  world = await DeskWorld.open();
  const owner = await world.login();
  viewer = await world.invited('viewer', 'vic', owner);
  operator = await world.invited('operator', 'opa', owner);
  people = { viewer, operator, starter: await world.invited('starter', 'sue', owner), owner };
});
afterAll(() => world.close());

/**
 * The least role of each route, by hand: a route that is added, or given to more people, is decided here. What is not named is for
 * viewers if it reads.
 */
const LEAST: Readonly<Record<string, DeskRole>> = {
  'POST /api/questions/:question/answer': 'operator',
  'DELETE /api/questions/:question/answer': 'operator',
  'POST /api/runs/:run/stop': 'operator',
  'POST /api/runs/:run/resume': 'operator',
  'POST /api/runs/:run/accept': 'operator',
  'POST /api/runs/:run/flag': 'operator',
  'POST /api/runs/:run/abandon': 'operator',
  'POST /api/runs/:run/checkpoint': 'operator',
  'POST /api/runs/:run/restore': 'operator',
  'POST /api/runs/:run/rescue': 'operator',
  'POST /api/missions/:mission/close': 'operator',
  'POST /api/holds/:hold/release': 'operator',
  'POST /api/links': 'operator',
  'POST /api/runs': 'starter',
  'POST /api/runs/:run/remove': 'owner',
  'POST /api/lessons/:lesson/approve': 'owner',
  'POST /api/lessons/:lesson/reject': 'owner',
  'POST /api/hosts/:host/mode': 'owner',
  'GET /api/links': 'owner',
  'DELETE /api/links/:link': 'owner',
};

test('every change has its least role, and no other', () => {
  const named = ROUTES.map(({ method, path }) => `${method} ${path}`);
  const changes = named.filter((name) => !name.startsWith('GET ') || name in LEAST);
  expect(changes.toSorted()).toEqual(Object.keys(LEAST).toSorted());
});

const at = (path: string) => path.replaceAll(/:\w+/g, 'zzzz');

describe.each(ROUTES.map(({ method, path }) => ({ method, path })))('$method $path', ({ method, path }) => {
  const least = LEAST[`${method} ${path}`] ?? 'viewer';
  const send = (headers: Headers) =>
    world.send(at(path), { method, headers, ...(method === 'POST' ? { body: {} } : {}) });
  // The run, question or hold is unknown and the body empty: what matters is that the request got past the border.
  const passed = [200, 404, 422];

  test.each(DESK_ROLES)(`lets in a %s as far as ${least} reaches`, async (role) => {
    const seen = await send(people[role]);
    if (DESK_ROLES.indexOf(role) >= DESK_ROLES.indexOf(least)) expect(passed).toContain(seen.status);
    else expect(seen).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
  });

  test('lets in nobody without a session', async () => {
    expect(await send({})).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN' } });
    expect(await send({ cookie: 'mayday_desk=guess' })).toMatchObject({ status: 401 });
    expect(await send({ authorization: 'Bearer guess' })).toMatchObject({ status: 401 });
  });

  test('refuses another name of this machine, another site, and a change without the header', async () => {
    expect(await send({ ...people.owner, host: 'evil.example' })).toMatchObject({ status: 421 });
    expect(
      await send({ ...people.owner, host: `evil.example:${new URL(world.desk.url).port}` }),
    ).toMatchObject({ status: 421 });
    expect(await send({ ...people.owner, origin: 'http://evil.example' })).toMatchObject({ status: 403 });
    expect(await send({ ...people.owner, origin: 'null' })).toMatchObject({ status: 403 });
    expect(await send({ ...people.owner, 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
    const { 'x-mayday-csrf': _, ...bare } = people.owner;
    if (method === 'GET') expect(passed).toContain((await send(bare)).status);
    else expect(await send(bare)).toMatchObject({ status: 403 });
    expect(await send({ ...people.owner, 'x-mayday-csrf': viewer['x-mayday-csrf'] ?? '' })).toMatchObject(
      method === 'GET' ? {} : { status: 403 },
    );
  });
});

test('an agent with the cookie of a person, which their browser sends to every server here, gets nothing', async () => {
  const ask = async (...words: string[]) => {
    const code = `const [url, headers] = JSON.parse(process.argv[1]);
      process.stdout.write(String((await fetch(url, { headers })).status));`;
    const given = JSON.stringify([`${world.desk.url}api/runs`, people.owner]);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      code,
      given,
      ...words,
    ]);
    return stdout;
  };
  expect(await ask()).toBe('200');
  if (process.platform !== 'linux') return;
  // As a program under an attendant looks from outside.
  expect(await ask('/x/attendant.js', join(world.repository.home, 'runs/zzzz/1'))).toBe('403');
});

test('a link works once, by a POST; looking at it, as previews and prefetchers do, leaves it good', async () => {
  const { pathname, search } = new URL(world.desk.link());
  const link = `${pathname}${search}`;
  for (const method of ['GET', 'HEAD', 'GET']) {
    const seen = await world.send(link, { method });
    expect(seen).toMatchObject({ status: 200 });
    expect(seen.headers['set-cookie']).toBeUndefined();
  }
  const page = await world.send(link);
  expect(page.text).toContain('You are ann');
  expect(page.text).toMatch(/<form method="post">/);
  expect(page.text).not.toContain('<script');
  // A form of another site must not log a person in as somebody else.
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    expect(await world.send(link, { method: 'POST', headers })).toMatchObject({ status: 403 });
  const both = await Promise.all([1, 2].map(() => world.send(link, { method: 'POST' })));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([303, 401]));
  expect(await world.send(link)).toMatchObject({ status: 401, body: { code: 'LINK_USED' } });
  const visit = await world.send(link, { headers: { accept: 'text/html,*/*' } });
  expect(visit.text).toContain('this link was used before');
  expect(visit.text).not.toContain('<form');
});

const inviting = (headers: Headers, body: object) =>
  world.send('/api/links', { method: 'POST', headers, body });

test('a link is in the name of its maker, or says who invited', async () => {
  expect((await inviting(operator, {})).body).toMatchObject({ by: 'opa, invited by ann', role: 'viewer' });
  const { body } = await inviting(operator, { role: 'operator', by: 'cid' });
  expect(body).toMatchObject({ by: 'cid, invited by opa, invited by ann' });
  const cid = await world.login(body['url'] as string);
  expect((await world.send('/api/session', { headers: cid })).body).toMatchObject({
    by: 'cid, invited by opa, invited by ann',
    role: 'operator',
  });
  for (const by of ['ann, invited by god', 'x\nann', '<b>ann</b>', '', ' ', 'a'.repeat(61), '\u202Enna'])
    expect((await inviting(people.owner, { role: 'viewer', by })).status, by).toBe(422);
});

test('nobody lends more than they have, only the owner lets others start, and the desk is not given away', async () => {
  const made = async (maker: DeskRole, role: DeskRole, by?: string) =>
    (await inviting(people[maker], { role, ...(by && { by }) })).status;
  expect(await made('owner', 'starter', 'sue')).toBe(200);
  expect(await made('owner', 'owner', 'sue')).toBe(403);
  expect(await made('owner', 'owner')).toBe(200);
  expect(await made('starter', 'starter', 'tim')).toBe(403);
  expect(await made('starter', 'starter')).toBe(200);
  expect(await made('starter', 'operator', 'tim')).toBe(200);
  expect(await made('operator', 'starter')).toBe(403);
  expect(await made('operator', 'owner')).toBe(403);
});

test('a revoked link ends its session, its live stream, and whom that person invited', async () => {
  const made = (await inviting(people.owner, { role: 'operator', by: 'rex' })).body;
  const rex = await world.login(made['url'] as string);
  const guest = await world.invited('viewer', 'gus', rex);
  const waiting = (await inviting(rex, { role: 'viewer', by: 'wim' })).body['url'] as string;
  const { links } = (await world.send('/api/links', { headers: people.owner })).body as { links: object[] };
  expect(links).toContainEqual(
    expect.objectContaining({ id: made['id'], by: 'rex, invited by ann', role: 'operator' }),
  );
  const stream = world.stream(0, rex);
  const path = `/api/links/${String(made['id'])}`;
  expect((await world.send(path, { method: 'DELETE', headers: people.owner })).body).toEqual({
    revoked: made['id'],
  });
  for (const headers of [rex, guest])
    expect(await world.send('/api/runs', { headers })).toMatchObject({ status: 401 });
  await expect(world.login(waiting)).rejects.toThrow('401');
  await stream.ended;
  expect(await world.send('/api/runs', { headers: operator })).toMatchObject({ status: 200 });
});

test('sessions outlive the server, as hashes that only this user can read; a logged out one does not come back', async () => {
  const first = await DeskWorld.open({ in: world.repository });
  const port = Number(new URL(first.desk.url).port);
  await first.desk.close();
  const before = await DeskWorld.open({ in: world.repository, port });
  const stays = await before.invited('operator', 'kim');
  const leaves = await before.login();
  expect(await before.send('/logout', { method: 'POST', headers: leaves })).toMatchObject({ status: 200 });
  await before.desk.close();
  const file = join(world.repository.home, 'keys', `desk-${port}.sessions`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(file, 'utf8');
  for (const secret of [stays['cookie']?.split('=')[1], stays['x-mayday-csrf']])
    expect(kept).not.toContain(secret);
  const after = await DeskWorld.open({ in: world.repository, port });
  // The header of the page that is still open is good as well.
  expect(await after.send('/api/runs/zzzz/stop', { method: 'POST', headers: stays, body: {} })).toMatchObject(
    { status: 404 },
  );
  expect((await after.send('/api/session', { headers: stays })).body).toMatchObject({
    by: 'kim, invited by ann',
    role: 'operator',
  });
  expect(await after.send('/api/session', { headers: leaves })).toMatchObject({ status: 401 });
  writeFileSync(file, '[["x",');
  expect(await after.send('/api/session', { headers: stays })).toMatchObject({ status: 401 });
  await after.login();
  await after.desk.close();
  expect(after.faults).toEqual([]);
});

test('the token for programs lies where agents do not look, readable by this user alone', async () => {
  const { tokenFile } = world.desk;
  expect(tokenFile.startsWith(`${world.repository.home}/keys/`)).toBe(true);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  expect(await world.send('/api/session', { headers: { authorization } })).toMatchObject({
    status: 200,
    body: { by: 'ann', role: 'owner' },
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
  const { headers } = await world.send(`${pathname}${search}`, { method: 'POST' });
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
      const { status } = await world.send(at(path), { method, headers: people.owner, pieces });
      expect([200, 404, 409, 422], `${method} ${path} ${pieces[0]?.slice(0, 200)}`).toContain(status);
    }
});

test('nothing of all this broke a promise of our own', () => {
  expect(world.faults).toEqual([]);
});
