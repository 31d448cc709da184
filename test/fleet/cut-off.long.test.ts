/** Hosts whose way to the store breaks, and hosts that look alike or whose clocks are wrong: nothing is stolen, doubled or lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { checkTables } from './check-tables.ts';
import { type FleetBox, inFleet, LEASE_MS } from './fleet-box.ts';
import { StoreLink } from './store-link.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const CHECK = 'test -f one.txt && test -f two.txt';

/** Writes one file and a checkpoint, then goes on as `then` says. A later attempt writes the second file. */
function agent(fleet: FleetBox, then: string): string {
  return `exec 9> ${fleet.folder}/lock.$MAYDAY_RUN
    flock -n 9 || echo $MAYDAY_RUN >> ${fleet.folder}/twice
    echo $MAYDAY_RUN $MAYDAY_ATTEMPT >> ${fleet.folder}/starts
    if [ -f one.txt ]; then echo two > two.txt; exit 0; fi
    echo one > one.txt; echo '{"completed":["one.txt"]}' > $MAYDAY_CHECKPOINT
    ${then}`;
}

async function submit(fleet: FleetBox, count: number, program: string): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const told = await fleet.call(
      'submit',
      '--check',
      CHECK,
      'write one, then two',
      '--',
      'sh',
      '-c',
      program,
    );
    expect(told.exitCode, told.stderr).toBe(0);
  }
}

const areDelivered = (fleet: FleetBox) => async () =>
  (await fleet.runs()).every(({ state }) => state === 'delivered');
const haveCheckpoints = (fleet: FleetBox) => async () =>
  (await fleet.runs()).every(({ checkpoints }) => checkpoints.length > 0);

it('a host that is cut off from the store stops its agents before another host goes on with them', async () =>
  inFleet(await server.database(), async (fleet) => {
    const link = new StoreLink(fleet.store, join(fleet.folder, 'link-a'));
    await submit(fleet, 2, agent(fleet, 'sleep 3600'));
    const a = fleet.startHost('a', ['--concurrency', '2'], { store: link.address });
    await fleet.until('both agents have a checkpoint', haveCheckpoints(fleet));
    fleet.startHost('b', ['--concurrency', '2']);
    link.cut();
    await fleet.until('the other host delivers both', areDelivered(fleet));
    expect(fleet.lines('twice'), 'no agent was alive when the next one began').toEqual([]);
    expect(fleet.lines('starts')).toHaveLength(4);
    link.mend();
    await fleet.until('the first host learns it', () => fleet.said('a').includes('another host has run'));
    expect(a.child?.exitCode, 'the first host works on').toBeNull();
    expect(await checkTables((sql) => fleet.ask(sql))).toEqual([]);
    link.close();
  }));

it('a store that is away for three leases costs no run, no event and no host', async () =>
  inFleet(await server.database(), async (fleet) => {
    await submit(fleet, 3, agent(fleet, 'sleep 20; echo two > two.txt'));
    const hosts = ['a', 'b'].map((name) => fleet.startHost(name, ['--concurrency', '2']));
    await fleet.until('the agents have checkpoints', haveCheckpoints(fleet));
    await server.kill();
    await pause(3 * LEASE_MS);
    await server.start();
    await fleet.until('all are delivered', areDelivered(fleet));
    expect(fleet.lines('twice')).toEqual([]);
    expect(hosts.map(({ child }) => child?.exitCode)).toEqual([null, null]);
    expect(await checkTables((sql) => fleet.ask(sql))).toEqual([]);
  }));

it('answers that are lost after the store did its work double nothing', async () =>
  inFleet(await server.database(), async (fleet) => {
    const links = ['a', 'b'].map((name) => new StoreLink(fleet.store, join(fleet.folder, `link-${name}`)));
    await submit(fleet, 4, agent(fleet, 'echo two > two.txt'));
    let answers = 0;
    for (const [index, link] of links.entries()) {
      link.loseAnswers(() => (answers += 1) % 17 === 0);
      fleet.startHost(String(index), ['--concurrency', '2'], { store: link.address });
    }
    await fleet.until('all are delivered', areDelivered(fleet));
    expect(links.reduce((sum, { answersLost }) => sum + answersLost, 0)).toBeGreaterThan(5);
    expect(fleet.lines('twice')).toEqual([]);
    expect(await checkTables((sql) => fleet.ask(sql))).toEqual([]);
    for (const link of links) link.close();
  }));

it('two hosts of one name and process numbers of their own, clocks two minutes apart: nothing is stolen', async () =>
  inFleet(await server.database(), async (fleet) => {
    const go = join(fleet.folder, 'go');
    const program = agent(fleet, `while [ ! -e ${go} ]; do sleep 0.1; done; echo two > two.txt`);
    const ahead = encodeURIComponent('const { now } = Date; Date.now = () => now() + 120_000');
    const apart = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];
    await submit(fleet, 1, program);
    fleet.startHost('a', ['--concurrency', '1'], { wrap: apart });
    await fleet.until('the first agent has a checkpoint', haveCheckpoints(fleet));
    fleet.startHost('b', ['--concurrency', '1'], {
      wrap: apart,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${ahead}` },
    });
    await submit(fleet, 1, program);
    await fleet.until('the second agent has a checkpoint', haveCheckpoints(fleet));
    await pause(2 * LEASE_MS);
    expect(fleet.lines('starts'), 'each agent was started once').toHaveLength(2);
    writeFileSync(go, '');
    await fleet.until('both are delivered', areDelivered(fleet));
    expect((await fleet.runs()).map(({ attempts }) => attempts.map(({ ended_by }) => ended_by))).toEqual([
      ['itself'],
      ['itself'],
    ]);
    expect(await checkTables((sql) => fleet.ask(sql))).toEqual([]);
  }));
