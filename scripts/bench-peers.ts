/**
 * `npm run bench:peers`: the same troubles and the same honest work for the bare CLI, its own options, retry loops, tools from npm, and Mayday.
 * `--list` shows the tables; `--only NAME,NAME` keeps these agents, contestants and troubles; `--times N` (3) repeats each cell; `--jobs N` (1)
 * plays so many at once; `--limit S` (120) bounds each; `--out FOLDER` gets the raw results (a new folder otherwise); `--record` keeps them in
 * bench/peers.jsonl and writes docs/peers.md. `--from FOLDER,FOLDER --record` plays nothing and keeps the results of earlier passes. Fails only when the bench itself fails: a contestant that does badly is a result.
 */
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentCli } from '../test-agents/agent-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from '../test-agents/claude-cli.ts';
import { codexCli } from '../test-agents/codex-cli.ts';
import { installCli } from '../test-agents/install-cli.ts';
import { installPackage } from '../test-agents/install-package.ts';
import { Random } from '../test/simulation/random.ts';
import { chosenCells } from './bench-peers/chosen-cells.ts';
import { CONTESTANTS, type Contestant, NOT_RUN, type PeerAgent } from './bench-peers/contestants.ts';
import { type PeerCell, playPeerCell } from './bench-peers/peer-cell.ts';
import { recordPeerCells } from './bench-peers/peers-page.ts';
import { cellsOfPasses, PASS_FILE } from './bench-peers/recorded-cells.ts';
import { FACTOR, TROUBLES } from './bench-peers/troubles.ts';

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '1' },
    limit: { type: 'string', default: '120' },
    out: { type: 'string' },
    from: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const clis: Readonly<Record<PeerAgent, AgentCli>> = {
  claude: claudeCli(CLAUDE_VERSIONS.at(-1) as string),
  codex: codexCli,
};
const told = Object.values(clis).map(({ title, version }) => `${title} ${version}`);

if (values.list) {
  for (const { name, title, package: pack, claims, commandLine } of CONTESTANTS)
    console.log(
      `${name.padEnd(14)} ${pack === null ? title : `${title} ${pack.version}`}: ${claims}\n${Object.values(
        commandLine,
      )
        .map((line) => `${' '.repeat(15)}${line}`)
        .join('\n')}`,
    );
  for (const { name, title } of TROUBLES) console.log(`${name.padEnd(14)} ${title}`);
  for (const { name, version, why } of NOT_RUN) console.log(`not run: ${name} ${version}: ${why}`);
  console.log(
    `bench:peers: ${CONTESTANTS.length} contestants, ${TROUBLES.length} troubles, with ${told.join(' and ')}`,
  );
  process.exit(0);
}

if (values.from !== undefined) {
  const folders = values.from.split(',');
  const measured = cellsOfPasses(folders);
  if (values.record) recordPeerCells(measured);
  console.log(
    `bench:peers: ${measured.length} cells of ${folders.length} passes ${values.record ? 'recorded' : 'read; --record keeps them'}`,
  );
  process.exit(0);
}

const chosen = chosenCells(values.only);
const [times, jobs] = [Number(values.times), Number(values.jobs)];
const limitMs = Number(values.limit) * 1000;
if (typeof chosen === 'string' || !(times >= 1) || !(jobs >= 1) || !(limitMs > 0)) {
  console.error(
    typeof chosen === 'string' ? chosen : 'bench:peers: --times, --jobs and --limit are numbers above 0',
  );
  process.exit(2);
}
const seed = Number(process.env['MAYDAY_TEST_SEED'] ?? 1 + Math.floor(Math.random() * 1e6));
const out = values.out === undefined ? mkdtempSync(join(tmpdir(), 'mayday-peers-')) : resolve(values.out);
mkdirSync(out, { recursive: true });
const model = cpus()[0]?.model ?? 'unknown processor';
console.log(
  `seed ${seed}; ${process.platform} ${process.arch}, ${availableParallelism()} cores (${model}), load ${loadavg()[0]?.toFixed(1)}; Node ${process.version}; ${told.join(', ')}; every length of time is shortened by ${FACTOR}`,
);
const cells: PeerCell[] = [];
const broken: string[] = [];
// In an order drawn by the seed: no contestant has all the quiet minutes of the machine.
const random = new Random(seed);
const left = Array.from({ length: times }, (_, index) =>
  chosen.map((cell) => ({ ...cell, time: index + 1 })),
).flat();
// Installed before anything is measured.
for (const { agent, contestant } of chosen) programsOf(agent, contestant);
await Promise.all(Array.from({ length: jobs }, playCells));
if (values.record) recordPeerCells(cells);
console.log(
  `bench:peers: ${cells.length} cells measured, ${broken.length} broken; raw results in ${out} (seed ${seed})`,
);
process.exit(broken.length === 0 ? 0 : 1);

/** Folders with the programs of the agent and of the contestant. */
function programsOf(agent: PeerAgent, { package: pack, needs = [] }: Contestant): readonly string[] {
  const own = [...(pack === null ? [] : [pack]), ...needs].map(({ name, version, flags }) =>
    join(installPackage(name, version, flags), '.bin'),
  );
  return [dirname(installCli(clis[agent])), ...own];
}

async function playCells(): Promise<void> {
  while (left.length > 0) {
    const [next] = left.splice(random.between(0, left.length - 1), 1);
    if (next !== undefined) await playCell(next);
  }
}

async function playCell({ agent, contestant, trouble, time }: (typeof left)[number]): Promise<void> {
  const name = `${agent} ${contestant.name} ${trouble.name} ${time}`;
  try {
    const stage = { cli: clis[agent], programs: programsOf(agent, contestant), limitMs, time, seed };
    const { cell, output } = await playPeerCell(contestant, trouble, stage);
    cells.push(cell);
    appendFileSync(join(out, PASS_FILE), `${JSON.stringify(cell)}\n`);
    writeFileSync(join(out, `${name.replaceAll(' ', '-')}.log`), output);
    console.log(`${name}: ${cell.delivered ? 'delivered' : 'not delivered'}, ${JSON.stringify(cell)}`);
  } catch (error) {
    broken.push(name);
    console.error(`${name}: the bench failed: ${(error as Error).message}`);
  }
}
