/**
 * `chaosRun`: a fleet under random kills of hosts and database, pauses, cuts of the network and lost connections. It submits small runs all the time; when the
 * faults end, every run must end delivered. What is judged is read from the tables and from the notes of the agents.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../fixtures/postgres/server.ts';
import { checkTables } from './check-tables.ts';
import { FleetBox, type FleetHost, type FleetResult } from './fleet-box.ts';
import { StoreLink } from './store-link.ts';

interface ChaosPlan {
  readonly minutes: number;
  readonly hosts: number;
  readonly seed: number;
  readonly say: (text: string) => void;
}

const FAULTS = ['kill', 'pause', 'cut', 'database', 'connections'] as const;
/** Between two faults. */
const CALM_MS = 4_000;
/** Between two new runs: less work than the hosts can do, so that the queue ends empty. */
const SUBMIT_MS = 6_000;
/** After the last fault every run must end within this time. */
const SETTLE_MS = 240_000;

/** Writes three files, one after the other; a later attempt goes on where the checkpoint ends. */
function agent(fleet: FleetBox): string {
  return `exec 9> ${fleet.folder}/lock.$MAYDAY_RUN
    flock -n 9 || echo $MAYDAY_RUN >> ${fleet.folder}/twice
    echo $MAYDAY_RUN $MAYDAY_ATTEMPT >> ${fleet.folder}/starts
    for n in 1 2 3; do
      [ -f $n.txt ] || { sleep 1; echo $n > $n.txt; echo '{"completed":["'$n'.txt"]}' > $MAYDAY_CHECKPOINT; sleep 1; }
    done`;
}

export async function chaosRun({ minutes, hosts, seed, say }: ChaosPlan): Promise<FleetResult> {
  const server = await startPostgres();
  const fleet = new FleetBox(await server.database());
  const draw = drawFrom(seed);
  const names = Array.from({ length: hosts }, (_, index) => `h${index + 1}`);
  const links = new Map(
    names.map((name) => [name, new StoreLink(fleet.store, join(fleet.folder, `link-${name}`))]),
  );
  const start = (name: string): FleetHost =>
    fleet.startHost(name, ['--concurrency', '2'], { store: links.get(name)?.address ?? fleet.store });
  const ended: string[] = [];
  let [submitted, faults, isOver] = [0, 0, false];
  try {
    for (const name of names) start(name);
    const submitting = (async () => {
      while (!isOver) {
        const told = await fleet.call(
          'submit',
          '--check',
          'cat 1.txt 2.txt 3.txt',
          'write three',
          '--',
          'sh',
          '-c',
          agent(fleet),
        );
        if (told.exitCode === 0) submitted += 1;
        await pause(SUBMIT_MS);
      }
    })();
    const endsAt = performance.now() + minutes * 60_000;
    while (performance.now() < endsAt) {
      await pause(CALM_MS * (0.5 + draw()));
      const name = names[Math.floor(draw() * names.length)] ?? 'h1';
      const host = fleet.hosts.find((one) => one.name === name);
      const awayMs = 500 + draw() * 12_000;
      const fault = FAULTS[Math.floor(draw() * FAULTS.length)];
      faults += 1;
      say(
        `${Math.round((endsAt - performance.now()) / 1000)} s left: ${fault} ${name}, ${Math.round(awayMs)} ms`,
      );
      if (fault === 'kill') {
        host?.child?.kill('SIGKILL');
        await pause(awayMs);
        start(name);
      } else if (fault === 'cut') {
        links.get(name)?.cut();
        await pause(awayMs);
        links.get(name)?.mend();
      } else if (fault === 'pause') {
        host?.child?.kill('SIGSTOP');
        await pause(awayMs);
        host?.child?.kill('SIGCONT');
      } else if (fault === 'database') {
        await server.kill();
        await pause(awayMs);
        await server.start();
      } else
        await fleet
          .ask('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $$mayday$$')
          .catch(() => []);
      for (const one of fleet.hosts)
        if (one.child?.exitCode !== null || one.child.signalCode !== null) {
          ended.push(`host ${one.name} ended by itself: ${fleet.said(one.name).slice(-2_500)}`);
          start(one.name);
        }
    }
    isOver = true;
    await submitting;
    const isDone = async () => (await fleet.runs()).every(({ state }) => state === 'delivered');
    await fleet
      .until('every run is delivered', isDone, SETTLE_MS)
      .catch((error: unknown) => say(String(error)));
    const twice = existsSync(`${fleet.folder}/twice`) ? fleet.lines('twice') : [];
    const problems = [
      ...ended,
      ...(await checkTables((sql) => fleet.ask(sql))),
      ...twice.map((run) => `two agents of run ${run} lived at the same time`),
      ...((await fleet.runs()).length === submitted ? [] : [`${submitted} runs were submitted`]),
    ];
    const figures = { runs: submitted, faults, attempts: fleet.lines('starts').length };
    return { problems, figures };
  } finally {
    for (const { child } of fleet.hosts) child?.kill('SIGKILL');
    for (const link of links.values()) link.close();
    await fleet.dispose();
    await server.stop();
  }
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
