/** The bundled drills on a store in PostgreSQL: a few that the seed draws, all of them with MAYDAY_TEST_FULL=1. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { SEED } from '../lane.ts';
import { Random } from '../simulation/random.ts';
import { BUNDLED, playBundled } from './play-bundled.ts';

const DRAWN = 8;
const random = new Random(SEED);
const PLAYED =
  process.env['MAYDAY_TEST_FULL'] === '1'
    ? BUNDLED
    : [...new Set(Array.from({ length: DRAWN }, () => random.pick(BUNDLED)))];

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe.concurrent('a bundled drill on PostgreSQL ends as it says, and its journal decides the same again', () => {
  for (const name of PLAYED) it(name, async () => await playBundled(name, await server.database()), 240_000);
});
