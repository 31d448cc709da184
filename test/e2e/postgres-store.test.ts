/** A run whose record is in PostgreSQL goes the same way as any other, and outlives the death of the server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { inBox } from './box.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

it('a run is delivered, shown and verified', () =>
  inBox(async (box) => {
    box.env['MAYDAY_STORE'] = await server.database();
    const run = await box.call(
      'run',
      '--check',
      'test -f a.txt',
      'write a',
      '--',
      'sh',
      '-c',
      'echo a > a.txt',
    );
    expect(run.exitCode, `${run.stdout}${run.stderr}`).toBe(0);
    expect(await box.show()).toMatchObject({ state: 'delivered', delivered: { files: ['a.txt'] } });
    expect((await box.call('verify')).exitCode).toBe(0);
  }));

it('the server is killed while the agent works: the agent goes on, and once the server is back the run is delivered', () =>
  inBox(async (box) => {
    box.env['MAYDAY_STORE'] = await server.database();
    const [go, done] = [join(box.folder, 'go'), join(box.folder, 'done')];
    const agent = `echo once >> ${box.folder}/tries; until [ -e ${go} ]; do sleep 0.1; done; echo a > a.txt; touch ${done}`;
    const run = box.start(['run', '--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', agent]);
    await box.until('the agent works', async () => existsSync(join(box.folder, 'tries')));
    await server.kill();
    writeFileSync(go, '');
    await box.until('the agent is done while the server is away', async () => existsSync(done));
    await server.start();
    const { exitCode, stdout, stderr } = await run.done;
    expect(exitCode, `${stdout}${stderr}`).toBe(0);
    expect(await box.show()).toMatchObject({ state: 'delivered', attempts: [{ number: 1 }] });
    expect(readFileSync(join(box.folder, 'tries'), 'utf8')).toBe('once\n');
    expect((await box.call('verify')).exitCode).toBe(0);
  }));

it('a record moves from its file into a store: runs and evidence are the same there', () =>
  inBox(async (box) => {
    const run = (text: string) =>
      box.call('run', '--check', 'test -f a.txt', text, '--', 'sh', '-c', `echo ${text} > a.txt`);
    for (const text of ['one', 'two']) expect((await run(text)).exitCode).toBe(0);
    const { run_id: last } = await box.show();
    const told = async () => {
      const calls = [
        ['ps', '--all', '--json'],
        ['ledger', last, '--json'],
        ['verify', '--json'],
      ];
      const answers = await Promise.all(calls.map((args) => box.call(...args)));
      return answers.map(({ stdout }) => JSON.parse(stdout) as unknown);
    };
    const before = await told();
    const unnamed = await box.call('store', 'copy');
    expect(unnamed.stderr).toContain('STORE_UNNAMED');
    box.env['MAYDAY_STORE'] = await server.database();
    const copy = await box.call('store', 'copy');
    expect(copy.exitCode, `${copy.stdout}${copy.stderr}`).toBe(0);
    expect(copy.stdout).toMatch(/^copied 2 runs, \d+ events\nthe copy holds/);
    expect(await told()).toEqual(before);
    const again = await box.call('store', 'copy');
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('STORE_NOT_EMPTY')]);
    // What comes next has numbers of its own.
    expect((await run('three')).exitCode).toBe(0);
    expect((await box.call('verify')).exitCode).toBe(0);
  }));

it('the agent finds neither the address nor the password of the store, and a hold that is planted there holds nothing', () =>
  inBox(async (box) => {
    const address = new URL(await server.database());
    box.env['MAYDAY_STORE'] = address.href;
    const hold = { key: 'fleet', kind: 'fleet', until: 9e12, reason: 'forged', since: 1, holder: 'x' };
    const forged = { ...hold, probe: null, probeUntil: null, liftedAt: null, mac: '0'.repeat(64) };
    expect((await box.call('ps')).exitCode).toBe(0);
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    await client.query('INSERT INTO mayday.holds (key, body) VALUES ($1, $2)', [
      'fleet',
      JSON.stringify(forged),
    ]);
    await client.end();
    const look = `{ env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'; } 2>/dev/null | grep -F '${address.pathname}' > ${box.folder}/found; echo a > a.txt`;
    const run = await box.call('run', '--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', look);
    expect(run.exitCode, `${run.stdout}${run.stderr}`).toBe(0);
    expect(readFileSync(join(box.folder, 'found'), 'utf8')).toBe('');
    const verified = await box.call('verify');
    expect(verified.exitCode).toBe(1);
    expect(verified.stdout + verified.stderr).toContain('hold fleet was not written by Mayday');
  }));
