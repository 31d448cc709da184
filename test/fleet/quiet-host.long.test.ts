/** A host looks into the database for all its runs at once. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startPostgres } from '../fixtures/postgres/server.ts';
import { inFleet } from './fleet-box.ts';

const RUNS = 5;
const WATCHED_MS = 5_000;
/** Ten looks a second for all runs, and what a host asks besides. A look of each run for itself would be 75. */
const MOST_PER_SECOND = 45;

it('a host with runs that say nothing asks the database about all of them at once', async () => {
  const server = await startPostgres();
  try {
    await inFleet(await server.database(), async (fleet) => {
      for (let run = 0; run < RUNS; run += 1)
        await fleet.call(
          'submit',
          '--check',
          'true',
          'wait',
          '--',
          'sh',
          '-c',
          `echo started >> ${fleet.folder}/starts; sleep 3600`,
        );
      fleet.startHost('a', ['--concurrency', String(RUNS)]);
      await fleet.until('all agents are started', () => fleet.lines('starts').length === RUNS);
      const seen = async () => {
        const [row] = await fleet.ask<{ seen: string }>(
          'SELECT xact_commit AS seen FROM pg_stat_database WHERE datname = current_database()',
        );
        return Number(row?.seen);
      };
      // What the starts wrote is over when the server has counted it.
      await pause(WATCHED_MS / 2);
      const before = await seen();
      await pause(WATCHED_MS);
      expect(((await seen()) - before) / (WATCHED_MS / 1000)).toBeLessThan(MOST_PER_SECOND);
    });
  } finally {
    await server.stop();
  }
});
