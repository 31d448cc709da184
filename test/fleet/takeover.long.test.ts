/** Hosts are lost, paused and cut off while agents work on them: other hosts go on, nothing runs twice, nothing is lost, no person is asked. */
import { renameSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { slowness } from '../slowness.ts';
import { checkTables } from './check-tables.ts';
import { type FleetBox, inFleet, LEASE_MS } from './fleet-box.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Says each start, and whether another agent of the same run lives then. The first one stays until it is ended. */
function agent(fleet: FleetBox): string {
  return `exec 9> ${fleet.folder}/lock.$MAYDAY_RUN
    flock -n 9 || echo $MAYDAY_RUN >> ${fleet.folder}/twice
    echo $MAYDAY_RUN $MAYDAY_ATTEMPT >> ${fleet.folder}/starts
    if [ -f one.txt ]; then echo going on; echo two > two.txt; exit 0; fi
    echo one > one.txt; echo '{"completed":["one.txt"]}' > $MAYDAY_CHECKPOINT
    sleep 3600`;
}

async function submit(fleet: FleetBox, count: number, program = agent(fleet)): Promise<string[]> {
  const runs: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const told = await fleet.call(
      'submit',
      '--json',
      '--check',
      'test -f one.txt && test -f two.txt',
      'write one, then two',
      '--',
      'sh',
      '-c',
      program,
    );
    expect(told.exitCode, told.stderr).toBe(0);
    runs.push((JSON.parse(told.stdout) as { run_id: string }).run_id);
  }
  return runs;
}

it('a host with five agents is killed: another goes on with all five from their checkpoints, and nobody is asked', async () =>
  inFleet(await server.database(), async (fleet) => {
    const runs = await submit(fleet, 5);
    const a = fleet.startHost('a', ['--concurrency', '5']);
    await fleet.until('five agents have a checkpoint', async () =>
      (await fleet.runs()).every(({ checkpoints }) => checkpoints.length > 0),
    );
    fleet.startHost('b', ['--concurrency', '5']);
    await fleet.until(
      'the second host is there',
      async () => (await fleet.ask('SELECT id FROM hosts')).length === 2,
    );
    // The repository is not where the second host could see it.
    renameSync(fleet.repository, `${fleet.repository}.away`);
    a.child?.kill('SIGKILL');
    const killedAt = performance.now();
    await fleet.until('all five go on elsewhere', () => fleet.lines('starts').length === 10);
    expect(performance.now() - killedAt).toBeLessThan((LEASE_MS + 5_000) * slowness());
    renameSync(`${fleet.repository}.away`, fleet.repository);
    await fleet.until('all five are delivered', async () =>
      (await fleet.runs()).every(({ state }) => state === 'delivered'),
    );
    await fleet.call('ps');
    const shown = await fleet.runs();
    expect(shown.map(({ run_id }) => run_id).toSorted()).toEqual(runs.toSorted());
    expect(shown.map(({ attempts }) => attempts.map(({ ended_by }) => ended_by))).toEqual(
      runs.map(() => ['host', 'itself']),
    );
    expect(shown.flatMap(({ questions }) => questions)).toEqual([]);
    expect(fleet.lines('twice')).toEqual([]);
    // The branches were brought home by the look of the person.
    for (const run of runs) expect(fleet.git('show', `mayday/${run}:two.txt`)).toBe('two\n');
    // A person reads from any host what only the other one had.
    expect((await fleet.call('logs', runs[0] ?? '')).stdout).toContain('going on');
    expect((await fleet.call('diff', runs[0] ?? '')).stdout).toContain('+two');
    expect((await fleet.call('verify')).exitCode).toBe(0);
  }));

it('a host that is paused past its lease stops its agents, loses its run to another, and keeps what only it had on a branch', async () =>
  inFleet(await server.database(), async (fleet) => {
    const busy = agent(fleet).replace('sleep 3600', 'while :; do echo more >> more.txt; sleep 0.1; done');
    const [run = ''] = await submit(fleet, 1, busy);
    const a = fleet.startHost('a');
    await fleet.until('the agent has a checkpoint', async () =>
      (await fleet.runs()).every(({ checkpoints }) => checkpoints.length > 0),
    );
    a.child?.kill('SIGSTOP');
    fleet.startHost('b');
    await fleet.until(
      'the other host delivers it',
      async () => (await fleet.runs())[0]?.state === 'delivered',
    );
    a.child?.kill('SIGCONT');
    await fleet.until('the first host says what it had', () =>
      fleet.said('a').includes(`another host has run ${run}`),
    );
    expect(await checkTables((sql) => fleet.ask(sql))).toEqual([]);
    const [branch = ''] = /mayday\/\w+-salvage-\w+/.exec(fleet.said('a')) ?? [];
    expect(fleet.git('show', `${branch}:more.txt`)).toMatch(/^(more\n)+$/);
    expect(fleet.lines('twice')).toEqual([]);
    expect((await fleet.runs())[0]?.questions).toEqual([]);
    // What the first host left is no obstacle: it works on.
    const [next = ''] = await submit(fleet, 1, 'echo one > one.txt; echo two > two.txt');
    await fleet.until('both hosts are there for the next run', async () =>
      (await fleet.runs()).some(({ run_id, state }) => run_id === next && state === 'delivered'),
    );
  }));
