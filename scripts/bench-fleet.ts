/**
 * `npm run bench:fleet`: what a fleet costs its database and its hosts, as ratios taken in one run. Turns through the record against bare
 * INSERTs of the same bytes, by eight processes each, in rounds that alternate; and the processor time of an idle host while 10,000 runs wait.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresRecord } from '../src/record/postgres/open.ts';
import { rowOf } from '../test/contracts/record/place.ts';
import { startPostgres } from '../test/fixtures/postgres/server.ts';
import type { Asked } from './bench-fleet-client.ts';
import { BIN, inBenchPlace, medianOf } from './bench-place.ts';

const CLIENTS = 8;
const ROUNDS = 7;
/** A host is up for days. V8 makes its code faster during the first 2,000 turns or so; these rounds do not count. */
const WARM_UP_ROUNDS = 8;
const APPENDS_PER_CLIENT = 250;
const WAITING_RUNS = 10_000;
const HOSTS = 10_000;
/** About as long as the document of a run. */
const VIEW = JSON.stringify({ text: 'y'.repeat(2000) });
const SETTLE_MS = 5_000;
const WATCHED_MS = 20_000;
/** Of `/proc/PID/stat`, as on every Linux. */
const TICKS_PER_SECOND = 100;
const CLIENT = resolve(import.meta.dirname, 'bench-fleet-client.ts');
const LEAST_RATIO = 0.5;
const MOST_CORE = 0.05;

// As in real life: the server waits for the disk, and clears up.
const server = await startPostgres(['fsync=on', 'autovacuum=on']);
try {
  const store = await server.database();
  await fill(store);
  const ratio = await clientsAtOnce(store);
  const core = await idleHost(store);
  const isHeld = ratio >= LEAST_RATIO && core <= MOST_CORE;
  console.log(`bench:fleet: ${isHeld ? 'holds' : 'does not hold'}`);
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await server.stop();
}

/** As a fleet leaves its database: hosts that were heard of, and runs that wait for a time. */
async function fill(store: string): Promise<void> {
  const record = await openPostgresRecord({ address: store, host: 'bench' });
  const inTwoDays = Date.now() + 2 * 86_400_000;
  for (let made = 0; made < WAITING_RUNS; made += CLIENTS)
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const runId = `waiting-${made + index}`;
        const timers = { set: [{ name: 'wait', dueAt: inTwoDays, body: '{}' }], cancel: [] };
        const row = rowOf(runId, { state: 'waiting', agent: 'command', view: VIEW });
        await record.createRun({ runId, events: [], row, timers }, { owner: 'bench', ttlMs: 60_000 });
        await record.releaseLease(runId, 1);
      }),
    );
  await record.close();
  const client = new pg.Client({ connectionString: store, options: '-c search_path=mayday' });
  await client.connect();
  await client.query(
    `INSERT INTO hosts (id, name, boot, incarnation, labels, agents, concurrency, mode, lease_ms, seen_at)
     SELECT 'host-' || n, 'host', 'b', 1, '{}', '{command}', 4, 'working', 15000, store_now(null) FROM generate_series(1, $1::int) n`,
    [HOSTS],
  );
  await client.query(
    'CREATE TABLE bare (run bigint, seq bigint, at bigint, type text, body text, view text, metrics text, PRIMARY KEY (run, seq))',
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function clientsAtOnce(store: string): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    fork(CLIENT, [store, String(index)], { serialization: 'advanced' }),
  );
  const answers = async () => await Promise.all(clients.map((client) => once(client, 'message')));
  /** How long all of them take. */
  const ask = async (asked: Asked): Promise<number> => {
    const answered = answers();
    const begun = performance.now();
    for (const client of clients) client.send(asked);
    await answered;
    return performance.now() - begun;
  };
  await answers();
  const ratios: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    await ask(APPENDS_PER_CLIENT);
    const ratio = (await ask('bare')) / (await ask('turn'));
    if (round >= WARM_UP_ROUNDS) ratios.push(ratio);
  }
  const gone = clients.map((client) => once(client, 'exit'));
  for (const client of clients) client.disconnect();
  await Promise.all(gone);
  const ratio = medianOf(ratios);
  const each = ratios.map((one) => one.toFixed(2)).join(' ');
  console.log(
    `turns / bare INSERTs, ${CLIENTS} clients: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}; rounds ${each})`,
  );
  return ratio;
}

/** The share of a core that a host takes while nothing is to be done. */
async function idleHost(store: string): Promise<number> {
  return await inBenchPlace(async ({ env }) => {
    const host = spawn(process.execPath, [BIN, 'work'], {
      env: { ...env, MAYDAY_STORE: store },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const gone = once(host, 'exit');
    try {
      await pause(SETTLE_MS);
      const before = processorSeconds(host.pid ?? 0);
      await pause(WATCHED_MS);
      const core = ((processorSeconds(host.pid ?? 0) - before) * 1000) / WATCHED_MS;
      console.log(
        `an idle host while ${WAITING_RUNS} runs wait: ${(core * 100).toFixed(1)} % of a core (at most ${MOST_CORE * 100} %)`,
      );
      return core;
    } finally {
      host.kill('SIGTERM');
      await gone;
    }
  });
}

function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
