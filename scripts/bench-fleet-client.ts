/**
 * One client of `npm run bench:fleet`, a process of its own as every host is. It inserts rows, one per commit, or commits turns of its
 * own run through the record. Both send the same bytes: turns of recorded journals, at times that never come again. Or it asks what an
 * idle host asks.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createState } from '../src/core/state/create-state.ts';
import { evolve } from '../src/core/state/evolve.ts';
import type { RunState } from '../src/core/state/run-state.ts';
import { runRow } from '../src/core/view/run-row.ts';
import type { RunEvent } from '../src/core/vocabulary/events/event.ts';
import type { NewEvent, RunRow } from '../src/record/contract/journal.ts';
import type { HostsRecord } from '../src/record/contract/hosts.ts';
import { openPostgresRecord } from '../src/record/postgres/open.ts';

/** A number: prepare so many appends. A word: play them so. */
export type Asked = number | keyof typeof WAYS;

interface Append {
  readonly event: NewEvent;
  readonly row: RunRow;
}

const JOURNALS = new URL('../test/journals/version-2.jsonl', import.meta.url);
const DAY_MS = 86_400_000;

const [store = '', index = ''] = process.argv.slice(2);
const runId = `bench-${index}`;
const appends = endlessAppends();
const record = await openPostgresRecord({ address: store, host: runId });
const hosts = record.hosts as HostsRecord;
const incarnation = await hosts.enrol({
  name: runId,
  boot: 'b',
  labels: [],
  agents: ['command'],
  concurrency: 1,
  leaseMs: 15_000,
});
const client = new pg.Client(store);
await client.connect();
await record.createRun(
  { runId, events: [], row: appends.next().value.row },
  { owner: 'bench', ttlMs: 3_600_000 },
);

const WAYS = {
  bare: insertBare,
  turn: commitTurn,
  beat: async () => void (await hosts.beat(incarnation)),
  renew: async () => void (await record.renewLease({ runId, fence: 1, ttlMs: 3_600_000 })),
  // Finds none: all runs wait.
  claim: async () => void (await hosts.claim(CLAIM)),
};
const CLAIM = {
  owner: 'bench',
  ttlMs: 15_000,
  labels: [],
  agents: ['command'],
  account: 'a',
  perAccount: null,
  perRepository: null,
  except: [],
};
let prepared: Append[] = [];
let [seq, bareSeq] = [0, 0];
process.on('message', (asked: Asked) => void answer(asked).then((cpuUs) => process.send?.(cpuUs)));
process.on('disconnect', () => void Promise.all([client.end(), record.close()]));
process.send?.(0);

/** The processor time that it took here. */
async function answer(asked: Asked): Promise<number> {
  const before = process.cpuUsage();
  if (typeof asked === 'number') prepared = Array.from({ length: asked }, () => appends.next().value);
  else for (const append of prepared) await WAYS[asked](append);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function insertBare({ event, row }: Append): Promise<void> {
  bareSeq += 1;
  const { at, type, body } = event;
  const values = [index, bareSeq, at, type, body, row.view, row.metrics];
  const text = 'INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6, $7)';
  await client.query({ name: 'bare', text, values });
}

async function commitTurn({ event, row }: Append): Promise<void> {
  await record.commit({ runId, fence: 1, expectedSeq: seq, events: [event], row });
  seq += 1;
}

/** Each time around a day later: texts that hold a time are new, as in real life. */
function* endlessAppends(): Generator<Append, never> {
  const journals = readFileSync(JOURNALS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly events: readonly RunEvent[] }).events);
  for (let shiftMs = 0; ; shiftMs += DAY_MS)
    for (const events of journals) {
      let state: RunState | null = null;
      for (const told of events) {
        const event: RunEvent = { ...told, at: told.at + shiftMs };
        state = state === null ? createState(runId, event as never) : evolve(state, event);
        const { at, type } = event;
        yield { event: { at, version: 2, type, body: JSON.stringify(event) }, row: runRow(state) };
      }
    }
}
