/**
 * `npm run bench:fleet`: what a fleet costs its database and its hosts, as ratios taken in one run. Turns through the record against bare
 * INSERTs of eight clients each, in rounds that alternate; and the processor time of an idle host while 10,000 runs wait.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { RunRow } from '../src/record/contract/journal.ts';
import { openPostgresRecord } from '../src/record/postgres/open.ts';
import { rowOf } from '../test/contracts/record/place.ts';
import { startPostgres } from '../test/fixtures/postgres/server.ts';
import { BIN, medianOf } from './bench-place.ts';

const CLIENTS = 8;
const ROUNDS = 7;
const APPENDS_PER_CLIENT = 100;
const WAITING_RUNS = 10_000;
const SETTLE_MS = 5_000;
const WATCHED_MS = 20_000;
/** Of `/proc/PID/stat`, as on every Linux. */
const TICKS_PER_SECOND = 100;
/** About the size of an event that carries a diagnosis. */
const BODY = JSON.stringify({ type: 'bench', text: 'x'.repeat(400) });

const LEAST_RATIO = 0.5;
const MOST_CORE = 0.05;

// As in real life: the server waits for the disk.
const server = await startPostgres(['fsync=on']);
try {
  const ratio = await appendRatio(await server.database());
  const core = await idleHost(await server.database());
  const isHeld = ratio >= LEAST_RATIO && core <= MOST_CORE;
  console.log(`bench:fleet: ${isHeld ? 'holds' : 'does not hold'}`);
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await server.stop();
}

async function appendRatio(store: string): Promise<number> {
  // Two clients that make one table at the same time fail, also with IF NOT EXISTS.
  const first = new pg.Client(store);
  await first.connect();
  await first.query(
    'CREATE TABLE bare (run bigint, seq bigint, at bigint, type text, body text, PRIMARY KEY (run, seq))',
  );
  await first.end();
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => twoWays(store, index)));
  const timed = async (append: (client: (typeof clients)[number]) => Promise<void>): Promise<number> => {
    const begun = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (let n = 0; n < APPENDS_PER_CLIENT; n += 1) await append(client);
      }),
    );
    return performance.now() - begun;
  };
  const ratios: number[] = [];
  const perSecond: number[] = [];
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bareMs = await timed(({ bare }) => bare());
    const turnMs = await timed(({ turn }) => turn());
    if (round === 0) continue;
    ratios.push(bareMs / turnMs);
    perSecond.push((CLIENTS * APPENDS_PER_CLIENT * 1000) / turnMs);
  }
  for (const { close } of clients) await close();
  const ratio = medianOf(ratios);
  const each = ratios.map((one) => one.toFixed(2)).join(' ');
  console.log(
    `turns / bare INSERTs, ${CLIENTS} clients: ${ratio.toFixed(2)} (at least ${LEAST_RATIO}; rounds ${each}), ${medianOf(perSecond).toFixed(0)} turns/s`,
  );
  return ratio;
}

/** One client: a turn of a run of its own through the record, and the least that could be called an append. */
async function twoWays(store: string, index: number) {
  const record = await openPostgresRecord({ address: store });
  const runId = `bench-${index}`;
  const row = waitingRow(runId);
  await record.createRun({ runId, events: [], row }, { owner: 'bench', ttlMs: 3_600_000 });
  const client = new pg.Client(store);
  await client.connect();
  let [seq, bareSeq] = [0, 0];
  return {
    bare: async () => {
      const values = [index, (bareSeq += 1), bareSeq, 'bench', BODY];
      await client.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2, $3, $4, $5)', values });
    },
    turn: async () => {
      const events = [{ at: seq, version: 1, type: 'bench', body: BODY }];
      await record.commit({ runId, fence: 1, expectedSeq: seq, events, row });
      seq += 1;
    },
    close: async () => {
      await client.end();
      await record.close();
    },
  };
}

/** The share of a core that a host takes while nothing is to be done. */
async function idleHost(store: string): Promise<number> {
  const record = await openPostgresRecord({ address: store });
  const inTwoDays = Date.now() + 2 * 86_400_000;
  for (let made = 0; made < WAITING_RUNS; made += CLIENTS)
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        const runId = `waiting-${made + index}`;
        const timers = { set: [{ name: 'wait', dueAt: inTwoDays, body: '{}' }], cancel: [] };
        const row = waitingRow(runId);
        await record.createRun({ runId, events: [], row, timers }, { owner: 'bench', ttlMs: 60_000 });
        await record.releaseLease(runId, 1);
      }),
    );
  await record.close();
  const home = mkdtempSync(join(tmpdir(), 'mayday-bench-fleet-'));
  const host = spawn(process.execPath, [BIN, 'work'], {
    env: { ...process.env, MAYDAY_HOME: home, MAYDAY_STORE: store },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

function waitingRow(runId: string): RunRow {
  const view = JSON.stringify({ run_id: runId, text: 'y'.repeat(2000) });
  return rowOf(runId, { state: 'waiting', agent: 'command', view });
}
