/**
 * `npm run test:agents`: the pinned agent CLIs, installed once in folders of their own, against the scripted model server: first each
 * adapter with the bare CLI, then the table of stories by CLI, bare beside supervised. It plays a sample of the recorded green cells, drawn by
 * MAYDAY_TEST_SEED (printed); `--all` plays every cell. `--only TEXT` keeps stories whose name has the text, `--cli NAME` one CLI (all of
 * its cells), `--open` those that are not recorded as green; `--table` leaves out the adapters, `--record` writes what each cell showed into
 * docs/agents-table.md as soon as it is played.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentCli } from '../test-agents/agent-cli.ts';
import { ALL_CLIS } from '../test-agents/all-clis.ts';
import { cellTable, storyTable } from '../test-agents/cell-table.ts';
import { isGreen, recordCells } from '../test-agents/measured-cells.ts';
import { installCli } from '../test-agents/install-cli.ts';
import { type Story, storiesOf } from '../test-agents/story.ts';
import { playCell, type StoryCell } from '../test-agents/story-cell.ts';
import { Random } from '../test/simulation/random.ts';

/** Cells wait far more than they work; more would make the two cores late to notice. */
const CELLS_AT_ONCE = 3;
/** As many as fit into ten minutes on two cores, beside the adapters. */
const SAMPLE = 12;

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    cli: { type: 'string', default: '' },
    open: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const seed = Number(process.env['MAYDAY_TEST_SEED'] ?? 1 + Math.floor(Math.random() * 1e6));
const columns = ALL_CLIS.filter(({ cli }) => `${cli.adapter.name} ${cli.version}`.startsWith(values.cli));
const title = ({ title: name, version }: AgentCli): string => `${name} ${version}`;

interface Place {
  readonly cli: AgentCli;
  readonly story: Story;
}

const places: readonly Place[] = columns.flatMap(({ cli, isOlder }) =>
  storiesOf(cli)
    .filter(({ name, everyVersion }) => name.includes(values.only) && (!isOlder || everyVersion === true))
    .map((story) => ({ cli, story })),
);
const possible = places.filter(({ cli, story }) => cli.cannot?.[story.name] === undefined);
const isNarrowed = values.only !== '' || values.cli !== '';
const isProven = ({ cli, story }: Place): boolean => isGreen(title(cli), story.name);
const chosen = values.open
  ? possible.filter((place) => !isProven(place))
  : values.all || isNarrowed
    ? possible
    : drawn(possible.filter(isProven), SAMPLE);
const programs = new Map([...new Set(chosen.map(({ cli }) => cli))].map((cli) => [cli, installCli(cli)]));
const adaptersPass = values.table || adapters();
const cells = await play(chosen);
const wrong = cells.filter((cell) => cell.wrong.length > 0);
for (const { cli } of columns) {
  const own = cells.filter((cell) => cell.cli === title(cli));
  if (own.length > 0)
    console.log(`\n${title(cli)}, bare and under Mayday, the same script:\n${cellTable(own)}`);
}
const stories = [...new Set(places.map(({ story }) => story.name))];
console.log(
  `\n${storyTable(
    stories,
    columns.map(({ cli }) => title(cli)),
    cells,
    gap,
  )}\n`,
);
for (const { cli, story } of places) {
  const reason = cli.cannot?.[story.name];
  if (reason !== undefined) console.log(`${title(cli)}, ${story.name}: cannot be, ${reason}`);
}
console.log(
  `test:agents: adapters ${values.table ? 'not run' : adaptersPass ? 'pass' : 'FAIL'}; ${cells.length - wrong.length} of ${cells.length} cells end as they must (${possible.length} there are; seed ${seed}, --all plays every cell)`,
);
process.exit(adaptersPass && wrong.length === 0 ? 0 : 1);

function adapters(): boolean {
  const args = ['run', '--config', 'test-agents/vitest.config.ts'];
  const cwd = resolve(import.meta.dirname, '..');
  const env = {
    ...process.env,
    MAYDAY_TEST_SEED: String(seed),
    ...(values.all ? { MAYDAY_TEST_ALL: '1' } : {}),
  };
  return spawnSync('vitest', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** Of each CLI as many as of the others, so that no draw leaves one out. */
function drawn(from: readonly Place[], count: number): readonly Place[] {
  const random = new Random(seed);
  const share = Math.max(1, Math.floor(count / columns.length));
  return columns.flatMap(({ cli }) => {
    const left = from.filter((place) => place.cli === cli);
    return Array.from({ length: Math.min(share, left.length) }, () =>
      left.splice(random.between(0, left.length - 1), 1),
    ).flat();
  });
}

function gap(story: string, cli: string): string {
  const place = places.find((one) => one.story.name === story && title(one.cli) === cli);
  if (place === undefined) return '-';
  return place.cli.cannot?.[story] === undefined ? 'not drawn' : 'cannot be';
}

async function play(all: readonly Place[]): Promise<readonly StoryCell[]> {
  const played: StoryCell[] = [];
  const left = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, place] = next;
      const cell = await told(place, '');
      const last = cell.wrong.length === 0 ? cell : await told(place, ' (second look)');
      played[index] = last;
      if (values.record) recordCells([last]);
    }
  };
  await Promise.all(Array.from({ length: CELLS_AT_ONCE }, worker));
  return played;
}

/** A CLI of 300 MB on a busy machine can be late; a cell that is wrong twice is wrong. Both results are printed. */
async function told({ cli, story }: Place, look: string): Promise<StoryCell> {
  const cell = await playCell(cli, story, programs.get(cli) as string);
  const mark = cell.wrong.length === 0 ? 'ok   ' : 'WRONG';
  console.log(`${mark} ${title(cli)}: ${story.name}${look} ${cell.wrong.join('; ')}`);
  return { ...cell, cli: title(cli) };
}
