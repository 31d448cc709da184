/** `npm run bench`: what supervision costs, as ratios taken in one run on this machine, each with its limit. `--quick` for a small look. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { benchCheckpoint } from './bench-checkpoint.ts';
import { benchIdle } from './bench-idle.ts';
import { benchIsolation } from './bench-isolation.ts';
import { benchRun } from './bench-run.ts';
import { benchStartup } from './bench-startup.ts';

const MB = 1024 ** 2;
const quick = process.argv.includes('--quick');

interface Row {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly better: 'more' | 'less';
}

const rows: Row[] = [];
function add(what: string, value: number, better: Row['better'], limit: number): void {
  rows.push({ what, value, better, limit });
  const word = better === 'more' ? 'at least' : 'at most';
  console.log(
    `${holds(rows.at(-1) as Row) ? '✓' : '✗'} ${what.padEnd(58)}${value.toFixed(2).padStart(9)}   ${word} ${limit}`,
  );
}

const startup = benchStartup(quick ? ['ps'] : undefined);
add(`the slowest command, mayday ${startup.slowest} / node -e 0`, startup.ratio, 'less', 5);
add('memory of mayday ps (MB)', startup.psMb, 'less', 60);

const checkpoint = await benchCheckpoint(quick ? 2_000 : 20_000);
add(`first checkpoint of ${checkpoint.files} files / bare git`, checkpoint.firstRatio, 'less', 1.5);
add('next checkpoint / bare git', checkpoint.incrementalRatio, 'less', 1.5);

const run = await benchRun(quick ? 64 * MB : 1024 * MB);
add('supervised / bare output throughput', run.outputRatio, 'more', 0.9);
console.log(
  `  pairs ${run.outputRatios.map((ratio) => ratio.toFixed(2)).join(' ')}; bare ${run.bareMbPerS.toFixed(0)} MB/s`,
);
add(`keeper memory while ${run.streamedBytes / MB} MB stream (MB)`, run.keeperMb, 'less', 150);
add('the same, second half of the stream / first half', run.keeperGrowth, 'less', 1.2);
add('time to notice a death (s)', Math.max(...run.noticeDeathMs) / 1000, 'less', 1);
const idle = await benchIdle(quick ? 5_000 : undefined);
add('keeper of a run that waits (MB; 0: there is none)', idle.waitingKeeperMb, 'less', 40);
add('idle mayday work (% of a core)', idle.idleWorkPercent, 'less', 0.2);
const isolation = await benchIsolation();
add('a happy run with the home hidden / in sight', isolation.asSelf, 'less', 1.3);
if (isolation.asOrdinaryUser !== null)
  add('the same as an ordinary user', isolation.asOrdinaryUser, 'less', 1.3);
add('a happy run (s)', run.happyMs / 1000, 'less', 1.2);
add('a happy run / node -e 0', run.happyToNode, 'less', 30);
console.log(`  a happy run / git worktree add && remove ${run.happyToWorktree.toFixed(1)}`);

for (const [name, ...flags] of [
  ['bench-detect.ts', '--expose-gc'],
  ['bench-session.ts'],
  ['bench-context.ts'],
  ['bench-gates.ts'],
] as const) {
  const { stdout, status } = spawnSync(process.execPath, [...flags, join(import.meta.dirname, name)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  console.log(`  ${stdout.trim().split('\n').at(-1) ?? `${name} said nothing`}`);
  add(`goals of ${name} that are missed`, status === 0 ? 0 : 1, 'less', 0);
}

const held = rows.filter(holds).length;
console.log(
  `bench: ${held} of ${rows.length} limits hold${quick ? ' (quick look; the limits are for full sizes)' : ''}`,
);
process.exit(quick || held === rows.length ? 0 : 1);

function holds({ value, better, limit }: Row): boolean {
  return better === 'more' ? value >= limit : value <= limit;
}
