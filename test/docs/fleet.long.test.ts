/** The first fleet as the page tells it: its blocks are run in order, with a PostgreSQL server from npm in place of the one that it names. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startPostgres } from '../fixtures/postgres/server.ts';
import { inFleet } from '../fleet/fleet-box.ts';

const docs = resolve(import.meta.dirname, '../../docs');

it('the first fleet works as written: two hosts, a task from a third place, its branch in the repository', async () => {
  const page = readFileSync(join(docs, 'how-to/fleet.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());
  const [store = '', work = '', use = ''] = blocks;
  expect(store).toMatch(/^export MAYDAY_STORE=postgres:\/\/\S+$/);
  const server = await startPostgres();
  try {
    await inFleet(await server.database(), async (fleet) => {
      const words = work.replace(/^mayday work /, '').split(' ');
      for (const name of ['a', 'b']) fleet.startHost(name, words);
      await fleet.until('both hosts are there', async () => {
        const hosts = await fleet.ask('SELECT 1 FROM hosts').catch(() => []);
        return hosts.length === 2;
      });
      const mayday = `mayday() { '${process.execPath}' '${fleet.bin}' "$@"; }`;
      const told = await fleet.shell(`set -e; cd '${fleet.repository}'; ${mayday}; ${use}`);
      expect(told.exitCode, told.stdout + told.stderr).toBe(0);
      expect(told.stdout.match(/working +\d runs? of 4 +linux/g)).toHaveLength(2);
      await fleet.until('it is delivered', async () => (await fleet.runs())[0]?.state === 'delivered');
      await fleet.call('ps');
      expect(fleet.git('show', `mayday/${(await fleet.runs())[0]?.run_id}:hello.txt`)).toBe('hello\n');
    });
  } finally {
    await server.stop();
  }
});
