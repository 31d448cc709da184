/** `queueRun`: many small queued runs over several hosts. Each must be delivered exactly once, by what the tables and the agents say. */
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../fixtures/postgres/server.ts';
import { checkTables } from './check-tables.ts';
import { type FleetResult, FleetBox } from './fleet-box.ts';

interface QueuePlan {
  readonly runs: number;
  readonly hosts: number;
  readonly say: (text: string) => void;
}

const LOOK_MS = 2_000;
/** Enough that runs wait in the queue: a single one is slower than the hosts. */
const SUBMITTERS = 4;
/** Longer than any of these runs takes from its start to its delivery, on a busy machine too. */
const STANDSTILL_MS = 180_000;

export async function queueRun({ runs, hosts, say }: QueuePlan): Promise<FleetResult> {
  const server = await startPostgres();
  const fleet = new FleetBox(await server.database());
  try {
    // The first command makes the tables.
    await fleet.call('ps');
    for (let index = 1; index <= hosts; index += 1) fleet.startHost(`h${index}`, ['--concurrency', '2']);
    const begun = performance.now();
    const agent = `echo $MAYDAY_RUN >> ${fleet.folder}/starts; touch done`;
    const submitter = async (first: number) => {
      for (let index = first; index < runs; index += SUBMITTERS)
        await fleet.call('submit', '--check', 'test -f done', `task ${index}`, '--', 'sh', '-c', agent);
    };
    const submitting = Promise.all(Array.from({ length: SUBMITTERS }, (_, first) => submitter(first)));
    const count = async () =>
      (await fleet.ask<{ n: string }>(`SELECT count(*) AS n FROM run_rows WHERE state = 'delivered'`))[0]?.n;
    let [delivered, movedAt] = [0, performance.now()];
    while (delivered < runs && performance.now() - movedAt < STANDSTILL_MS) {
      await pause(LOOK_MS);
      const now = Number(await count());
      if (now === delivered) continue;
      [delivered, movedAt] = [now, performance.now()];
      say(`${delivered} of ${runs} delivered`);
    }
    await submitting;
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const starts = fleet.lines('starts');
    const problems = [
      ...(await checkTables((sql) => fleet.ask(sql))),
      ...(delivered === runs ? [] : [`${runs - delivered} runs were not delivered`]),
      ...(new Set(starts).size === starts.length ? [] : ['an agent was started twice']),
    ];
    const shares = await fleet.ask<{ n: string }>('SELECT count(*) AS n FROM runs GROUP BY host ORDER BY 1');
    say(`runs by host: ${shares.map(({ n }) => n).join(', ')}`);
    return { problems, figures: { runs, seconds, starts: starts.length } };
  } finally {
    for (const { child } of fleet.hosts) child?.kill('SIGKILL');
    await fleet.dispose();
    await server.stop();
  }
}
