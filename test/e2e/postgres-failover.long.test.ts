/** A standby that lagged behind becomes the server: turns that were acknowledged are gone, and the agent that they tell of lives. */
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

const TABLES = `SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'standby')`;

async function inStore(address: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** What the standby has received by now. */
const replicate = (address: string) =>
  inStore(address, async (client) => {
    await client.query('CREATE SCHEMA standby');
    for (const { schemaname, tablename } of (await client.query(TABLES)).rows)
      await client.query(`CREATE TABLE standby.${tablename} AS TABLE ${schemaname}.${tablename}`);
  });

/** From here on the store holds that and nothing else. */
const failOver = (address: string) =>
  inStore(address, async (client) => {
    const { rows } = await client.query(TABLES);
    const names = rows.map(({ schemaname, tablename }) => `${schemaname}.${tablename}`);
    await client.query('BEGIN');
    await client.query("SET LOCAL session_replication_role = 'replica'");
    await client.query(`TRUNCATE ${names.join(', ')}`);
    for (const { schemaname, tablename } of rows) {
      const columns = await client.query(
        `SELECT string_agg(quote_ident(column_name), ', ') AS all FROM information_schema.columns
         WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER'`,
        [schemaname, tablename],
      );
      const { all } = columns.rows[0] as { all: string };
      const into = `INSERT INTO ${schemaname}.${tablename} (${all}) OVERRIDING SYSTEM VALUE`;
      await client.query(`${into} SELECT ${all} FROM standby.${tablename}`);
    }
    await client.query('COMMIT');
    const events = names.find((name) => name.endsWith('.events'));
    const lost = await client.query(`SELECT FROM ${events} WHERE type = 'attempt_started'`);
    expect(lost.rowCount, 'the start of the agent is not on record').toBe(0);
  });

it('a failover that lost the start of an agent: never two at once, and the work is delivered', () =>
  inBox(async (box) => {
    const address = await server.database();
    box.env['MAYDAY_STORE'] = address;
    box.policy({ lease_ms: 2_000, lease_renew_ms: 400, lease_stop_ms: 1_500, backoff_ms: 20 });
    const at = (name: string) => join(box.folder, name);
    // The check runs once before the agent: until it may go on, nothing of the agent is on record.
    const check = `touch ${at('checked')}; until [ -e ${at('start')} ]; do sleep 0.1; done; test -f a.txt`;
    // Its lock is held as long as it lives: a second one beside it would not get it.
    const alone = `exec 9>> ${at('tries')}; flock -n 9 || echo two at once >> ${at('tries')}`;
    const agent = `${alone}; echo once >> ${at('tries')}; until [ -e ${at('go')} ]; do sleep 0.1; done; echo a > a.txt`;
    await box.call('run', '--detach', '--check', check, 'write a', '--', 'sh', '-c', agent);
    const { run_id } = await box.show();
    await box.until('the check before the work runs', () => existsSync(at('checked')));
    await replicate(address);
    writeFileSync(at('start'), '');
    await box.until('the agent works', () => existsSync(at('tries')));
    await box.until('its start is on record', async () => {
      const { attempts } = await box.show();
      return (attempts[0]?.['started_at'] ?? null) !== null;
    });
    await failOver(address);
    const watching = box.start(['watch', run_id]);
    await box.until('the keeper of before is gone, and another looks', async () => {
      const { attempts } = await box.show();
      return (attempts[0]?.['started_at'] ?? null) !== null;
    });
    writeFileSync(at('go'), '');
    const watched = await watching.done;
    // Two keepers for a moment may get in each other's way at the checks: then a person is asked.
    const ended =
      watched.exitCode === 3 ? await box.call('answer', `${run_id}-q1`, 'retry', '--follow') : watched;
    expect(ended.exitCode, `${watched.stdout}${ended.stdout}${ended.stderr}`).toBe(0);
    expect(readFileSync(at('tries'), 'utf8')).toMatch(/^(?:once\n)+$/);
    expect(await box.show()).toMatchObject({ state: 'delivered', delivered: { files: ['a.txt'] } });
    expect((await box.call('verify')).exitCode).toBe(0);
    await box.until('nothing runs any more', () => box.processes().length === 0);
  }));
