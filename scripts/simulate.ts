/**
 * `npm run simulate -- --seeds N [--from S] [--bugs] [--bug NAME] [--trace SEED]`: worlds from seeds, invariants after
 * every step; with `--bugs`, each planted bug and the share of seeds that catches it. Without `--from` the seeds are fresh
 * ones, printed; a seed with a violation is printed with the command that tells its story again.
 */
import { parseArgs } from 'node:util';
import { type BugName, PLANTED_BUGS } from '../test/simulation/planted-bugs.ts';
import { World } from '../test/simulation/world.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string' },
    bugs: { type: 'boolean', default: false },
    bug: { type: 'string' },
    trace: { type: 'string' },
  },
});
const seeds = Number(values.seeds);
/** Far beyond the seeds that anybody counts up to by hand. */
const SEED_SPACE = 1e9;
const from = values.from === undefined ? 1 + Math.floor(Math.random() * SEED_SPACE) : Number(values.from);

if (values.trace !== undefined) trace(Number(values.trace));
else {
  const failed = values.bug === undefined ? sound() : 0;
  const uncaught = values.bugs || values.bug !== undefined ? sabotaged() : 0;
  console.log(
    `simulate: ${seeds} seeds from ${from}, ${failed} with violations, ${uncaught} planted bug(s) caught in less than 1 %`,
  );
  process.exitCode = failed + uncaught === 0 ? 0 : 1;
}

function sound(): number {
  let failed = 0;
  let steps = 0;
  let shown = 0;
  console.log(
    `seeds ${from} to ${from + seeds - 1}; again: npm run simulate -- --seeds ${seeds} --from ${from}`,
  );
  const begun = performance.now();
  for (let seed = from; seed < from + seeds; seed += 1) {
    const world = new World(seed).play();
    steps += world.steps;
    if (world.judge.violations.length === 0) continue;
    failed += 1;
    if (shown++ < 20)
      console.log(`seed ${seed}: ${world.judge.violations[0]}\n  again: npm run simulate -- --trace ${seed}`);
  }
  console.log(`${seeds} worlds, ${steps} steps, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return failed;
}

function sabotaged(): number {
  const names = (values.bug === undefined ? Object.keys(PLANTED_BUGS) : [values.bug]) as BugName[];
  let uncaught = 0;
  for (const name of names) {
    let caught = 0;
    for (let seed = from; seed < from + seeds; seed += 1)
      if (new World(seed, PLANTED_BUGS[name]).play().judge.violations.length > 0) caught += 1;
    const share = (100 * caught) / seeds;
    if (share < 1) uncaught += 1;
    console.log(`${name.padEnd(34)} caught in ${share.toFixed(1)} % of the seeds`);
  }
  return uncaught;
}

function trace(seed: number): void {
  const world = new World(
    seed,
    values.bug === undefined ? undefined : PLANTED_BUGS[values.bug as BugName],
  ).play();
  const first = world.judge.violations[0];
  const told = world.runs.filter(({ id }) => first === undefined || first.startsWith(`${id}:`));
  for (const run of told) {
    for (const event of run.journal) {
      const { type, at, ...rest } = event;
      console.log(
        `${String(at - 1_000_000).padStart(9)} ${run.id} ${type} ${JSON.stringify(rest).slice(0, 220)}`,
      );
    }
    for (const { attempt, spawnedAt, endedAt, cause, tree } of run.processes)
      console.log(
        `process ${attempt}: ${spawnedAt - 1_000_000} to ${endedAt === null ? 'alive' : endedAt - 1_000_000} ${cause} ${tree}`,
      );
  }
  for (const hold of world.holds.values()) console.log(JSON.stringify(hold));
  console.log(world.judge.violations.join('\n') || 'no violation');
}
