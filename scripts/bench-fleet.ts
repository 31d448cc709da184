/**
 * `npm run bench:fleet`: what a fleet costs its database and its hosts, as ratios taken in one run. Turns through the record against bare
 * INSERTs of the same bytes, by eight processes each, in rounds that alternate; and the processor time of an idle host while 10,000 runs wait.
 */
import { fork, spawn, spawnSync } from 'node:child_process';
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
/** A host is up for days. V8 makes its code faster during the first 2,000 turns or so; these rounds are told apart and do not count. */
const WARM_UP_ROUNDS = 8;
const APPENDS_PER_CLIENT = 250;
const APPENDS = CLIENTS * APPENDS_PER_CLIENT;
const WAITING_RUNS = 10_000;
const HOSTS = 10_000;
/** About as long as the document of a run. */
const VIEW = JSON.stringify({ text: 'y'.repeat(2000) });
const SETTLE_MS = 5_000;
const WATCHED_MS = 20_000;
const RUNS_AT_WORK = 10;
/** Longer than they are watched. */
const AGENT_SECONDS = 120;
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
  const core = await oneHost(store);
  const isHeld = ratio >= LEAST_RATIO && core <= MOST_CORE;
  console.log(`bench:fleet: ${isHeld ? 'holds' : 'does not hold'}`);
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await server.stop();
}

interface Speed {
  readonly perSecond: number;
  readonly cpuUs: number;
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
  /** What each client answered. */
  const answers = async (): Promise<number[]> =>
    (await Promise.all(clients.map((client) => once(client, 'message')))).map(([cpuUs]) => cpuUs as number);
  const ask = async (asked: Asked): Promise<Speed> => {
    const answered = answers();
    const begun = performance.now();
    for (const client of clients) client.send(asked);
    const cpuUs = (await answered).reduce((sum, each) => sum + each, 0) / APPENDS;
    return { perSecond: (APPENDS * 1000) / (performance.now() - begun), cpuUs };
  };
  await answers();
  const rounds: { bare: Speed; turn: Speed; ratio: number }[] = [];
  const warmUp: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    await ask(APPENDS_PER_CLIENT);
    const [bare, turn] = [await ask('bare'), await ask('turn')];
    const ratio = turn.perSecond / bare.perSecond;
    if (round < WARM_UP_ROUNDS) warmUp.push(ratio);
    else rounds.push({ bare, turn, ratio });
  }
  for (const question of ['beat', 'renew', 'claim'] as const) {
    const { perSecond } = await ask(question);
    console.log(
      `  ${question}: ${perSecond.toFixed(0)} per second, ${HOSTS} hosts, ${WAITING_RUNS} runs wait`,
    );
  }
  const gone = clients.map((client) => once(client, 'exit'));
  for (const client of clients) client.disconnect();
  await Promise.all(gone);
  const ratio = medianOf(rounds.map((round) => round.ratio));
  const each = rounds.map((round) => round.ratio.toFixed(2)).join(' ');
  console.log(
    `turns / bare INSERTs, ${CLIENTS} clients: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}; rounds ${each})`,
  );
  console.log(
    `  in the first ${WARM_UP_ROUNDS * APPENDS_PER_CLIENT} turns of each: ${medianOf(warmUp).toFixed(2)}`,
  );
  for (const way of ['turn', 'bare'] as const) {
    const [perSecond, cpuUs] = (['perSecond', 'cpuUs'] as const).map((name) =>
      medianOf(rounds.map((round) => round[way][name])).toFixed(0),
    );
    console.log(`  ${way}: ${perSecond} per second, ${cpuUs} µs of a client's processor each`);
  }
  return ratio;
}

/** The share of a core that a host takes while nothing is to be done; and what it asks the database, idle and at work. */
async function oneHost(store: string): Promise<number> {
  return await inBenchPlace(async ({ repository, env }) => {
    const inFleet = { ...env, MAYDAY_STORE: store };
    const host = spawn(process.execPath, [BIN, 'work', '--concurrency', String(RUNS_AT_WORK)], {
      env: inFleet,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const gone = once(host, 'exit');
    const watch = async (what: string): Promise<number> => {
      const [before, asked] = [processorSeconds(host.pid ?? 0), await transactions(store)];
      await pause(WATCHED_MS);
      const core = ((processorSeconds(host.pid ?? 0) - before) * 1000) / WATCHED_MS;
      const perSecond = (((await transactions(store)) - asked) * 1000) / WATCHED_MS;
      console.log(`${what}: ${(core * 100).toFixed(1)} % of a core, ${perSecond.toFixed(1)} statements/s`);
      return core;
    };
    try {
      await pause(SETTLE_MS);
      const core = await watch(`an idle host while ${WAITING_RUNS} runs wait (at most ${MOST_CORE * 100} %)`);
      const [args, agent] = [
        ['--check', 'true', 'wait', '--'],
        ['sleep', String(AGENT_SECONDS)],
      ];
      for (let run = 0; run < RUNS_AT_WORK; run += 1)
        spawnSync(process.execPath, [BIN, 'submit', ...args, ...agent], { cwd: repository, env: inFleet });
      await pause(SETTLE_MS);
      await watch(`a host with ${RUNS_AT_WORK} runs whose agents say nothing`);
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

/** That this database has seen. The server may tell a second late. */
async function transactions(store: string): Promise<number> {
  const client = new pg.Client(store);
  await client.connect();
  const { rows } = await client.query<{ seen: string }>(
    'SELECT xact_commit AS seen FROM pg_stat_database WHERE datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.seen);
}
