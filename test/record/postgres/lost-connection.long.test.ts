/** A connection that ends while a turn is committed: before the server heard of it, and after it was written. The turn is there once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredTurn } from '../../../src/record/contract/journal.ts';
import { CommitUnknown } from '../../../src/record/contract/record-unavailable.ts';
import { openPostgresRecord, type PostgresRecord } from '../../../src/record/postgres/open.ts';
import { patientRecord } from '../../../src/supervise/patient-record.ts';
import { created, event, rowOf } from '../../contracts/record/place.ts';
import { type PostgresServer, startPostgres } from '../../fixtures/postgres/server.ts';

const SOCKET = '.s.PGSQL.5432';
const folder = mkdtempSync(join(tmpdir(), 'mayday-way-'));
/** What the next connection is cut at: words on their way to the server. */
let cut: { readonly words: string; readonly when: 'before' | 'after' } | null = null;
let cuts = 0;
let server: PostgresServer;
let way: Server;
let record: PostgresRecord;

beforeAll(async () => {
  server = await startPostgres();
  const real = join(new URL(server.address).searchParams.get('host') ?? '', SOCKET);
  way = createServer((client) => carry(client, connect(real))).listen(join(folder, SOCKET));
  const address = `postgres://mayday@localhost/postgres?host=${encodeURIComponent(folder)}`;
  record = await openPostgresRecord({ address, schema: 'cut' });
});
afterAll(async () => {
  await record.close();
  way.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Carries bytes both ways, until the words come by. */
function carry(client: Socket, there: Socket): void {
  let isCut = false;
  const end = () => {
    client.destroy();
    there.destroy();
  };
  client.on('data', (bytes) => {
    if (cut !== null && bytes.includes(cut.words)) {
      isCut = true;
      cuts += 1;
      const { when } = cut;
      cut = null;
      if (when === 'before') return end();
    }
    there.write(bytes);
  });
  there.on('data', (bytes) => {
    // The answer is the news that it is written: it does not arrive.
    if (isCut) end();
    else client.write(bytes);
  });
  for (const socket of [client, there]) socket.on('close', end).on('error', end);
}

const FAILED = '{"type":"TASK_UPDATE","task_id":"t","agent_id":"other","status":"FAILED"}';
/** A turn that speaks on the bus is several statements and a COMMIT; any other is one statement. */
const SPOKEN: Partial<StoredTurn> = { bus: [{ at: 1, source: 'external', body: FAILED }] };

it.each([
  ['before', 'one statement'],
  ['after', 'one statement'],
  ['before', 'COMMIT'],
  ['after', 'COMMIT'],
] as const)(
  'a turn whose connection is lost %s the server wrote it is there once: %s',
  async (when, what) => {
    const runId = `run-${when}-${what.slice(0, 3)}`;
    const words = what === 'COMMIT' ? what : runId;
    await created(record, runId);
    const turn = (seq: number): StoredTurn => ({
      runId,
      fence: 1,
      expectedSeq: seq,
      events: [event('x')],
      row: rowOf(runId),
      ...(what === 'COMMIT' ? SPOKEN : {}),
    });
    cuts = 0;
    cut = { words, when };
    await expect(record.commit(turn(1))).rejects.toBeInstanceOf(CommitUnknown);
    const { length } = await record.events(runId);
    expect(length).toBe(when === 'before' ? 1 : 2);

    cut = { words, when };
    const patient = patientRecord(record, new AbortController().signal, () => undefined);
    await patient.commit(turn(length));
    await patient.commit(turn(length + 1));
    expect(cuts).toBe(2);
    expect((await record.events(runId)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: length + 2 }, (_, index) => index + 1),
    );
    expect(await record.verify()).toEqual([]);
  },
);
