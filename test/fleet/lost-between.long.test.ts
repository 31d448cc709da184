/** A host is lost after its agent has ended and before Mayday has examined what it left: the run is interrupted, and nobody is blamed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { type FleetBox, type FleetHost, inFleet } from './fleet-box.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const CHECK = 'test -f one.txt';

/** Ends with its work done, when the test says so. */
function agent(fleet: FleetBox): string {
  return `echo $MAYDAY_ATTEMPT >> ${fleet.folder}/starts; echo "by attempt $MAYDAY_ATTEMPT" > one.txt
    while [ ! -e ${fleet.folder}/go ]; do sleep 0.05; done`;
}

/** Nothing is saved before the agent ends, and what its host saves then does not reach the store: the host is killed before. */
async function loseHostBeforeExamination(fleet: FleetBox, host: FleetHost): Promise<void> {
  await fleet.until('the agent works', () => fleet.lines('starts').length === 1);
  const lock = new pg.Client({ connectionString: fleet.store, options: '-c search_path=mayday' });
  await lock.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE parcels IN SHARE ROW EXCLUSIVE MODE');
    writeFileSync(join(fleet.folder, 'go'), '');
    await fleet.until(
      'the host wants to save what it examined',
      async () =>
        (await fleet.ask(`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length > 0,
    );
    host.child?.kill('SIGKILL');
    await fleet.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
  } finally {
    await lock.end();
  }
}

async function submitted(fleet: FleetBox): Promise<string> {
  fleet.policy({ lease_ms: 6_000, lease_renew_ms: 1_000, lease_stop_ms: 4_000, snapshot_every_ms: 600_000 });
  const words = ['--json', '--check', CHECK, 'write one', '--', 'sh', '-c', agent(fleet)];
  const told = await fleet.call('submit', ...words);
  expect(told.exitCode, told.stderr).toBe(0);
  return (JSON.parse(told.stdout) as { run_id: string }).run_id;
}

async function delivered(fleet: FleetBox) {
  await fleet.until('it is delivered', async () => (await fleet.runs())[0]?.state === 'delivered');
  const [run] = await fleet.runs();
  return run as unknown as {
    attempts: { ended_by: string; exit_code: number | null }[];
    incidents: { class: string; root_cause: string; strategy: string }[];
    questions: unknown[];
    lessons_proposed: unknown[];
  };
}

it('another host takes the run: interrupted, counted against nothing, no lesson; the first names its branch in `show`', async () =>
  inFleet(await server.database(), async (fleet) => {
    const run = await submitted(fleet);
    const a = fleet.startHost('a');
    await loseHostBeforeExamination(fleet, a);
    fleet.startHost('b');
    const document = await delivered(fleet);
    expect(document.incidents).toMatchObject([{ class: 'interrupted', strategy: 'resume' }]);
    expect(document.incidents[0]?.root_cause).toContain(
      'was lost after it had ended and before its work was examined',
    );
    expect(document.attempts).toMatchObject([{ ended_by: 'host', exit_code: 0 }, { ended_by: 'itself' }]);
    expect(document.questions).toEqual([]);
    expect(document.lessons_proposed).toEqual([]);
    expect((await fleet.call('show', run)).stdout).not.toMatch(/false.success|nothing was changed/i);
    fleet.startHost('a');
    const branch = await fleet.until('the first host tells its branch', async () => {
      const [found] = /mayday\/\w+-salvage-\w+/.exec((await fleet.call('show', run)).stdout) ?? [];
      return found;
    });
    expect(fleet.git('show', `${branch}:one.txt`)).toBe('by attempt 1\n');
    expect((await fleet.call('show', run, '--json')).stdout).toContain(branch);
    expect((await fleet.call('verify')).exitCode).toBe(0);
  }));

it('the host itself comes back first: it goes on with what is on its own disk, and nothing has happened to the run', async () =>
  inFleet(await server.database(), async (fleet) => {
    await submitted(fleet);
    const a = fleet.startHost('a');
    await loseHostBeforeExamination(fleet, a);
    fleet.startHost('a');
    const document = await delivered(fleet);
    expect(document.attempts).toMatchObject([{ ended_by: 'itself', exit_code: 0 }]);
    expect(document.incidents).toEqual([]);
    expect(document.lessons_proposed).toEqual([]);
  }));
