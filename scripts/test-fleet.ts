/**
 * `npm run test:fleet`: hosts, the database and their connections are killed and paused at random while runs go on. At the end every run
 * must be delivered, by what the tables and the agents' own notes say. `--minutes N` (10), `--hosts N` (3), `--seed N`. With `--queue N`
 * nothing is killed: N queued runs are spread over the hosts, and each must be delivered exactly once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chaosRun } from '../test/fleet/chaos-run.ts';
import { queueRun } from '../test/fleet/queue-run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    hosts: { type: 'string', default: '3' },
    queue: { type: 'string' },
    seed: {
      type: 'string',
      default: process.env['MAYDAY_TEST_SEED'] ?? String(1 + Math.floor(Math.random() * 1e6)),
    },
  },
});
const [minutes, hosts, seed] = [Number(values.minutes), Number(values.hosts), Number(values.seed)];
const say = (text: string) => console.log(text);
const queued = Number(values.queue ?? 0);
say(`test:fleet: ${queued > 0 ? `${queued} runs` : `${minutes} min`}, ${hosts} hosts, seed ${seed}`);
const { problems, figures } = await (queued > 0
  ? queueRun({ runs: queued, hosts, say })
  : chaosRun({ minutes, hosts, seed, say }));
for (const problem of problems) console.log(`! ${problem}`);
const told = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
console.log(`test:fleet: ${problems.length === 0 ? 'passed' : 'failed'}: ${told.join(', ')}, seed ${seed}`);
await pause(0);
process.exit(problems.length === 0 ? 0 : 1);
