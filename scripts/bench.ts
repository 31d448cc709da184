/** `npm run bench`: what supervision costs, as ratios taken in one run on this machine, each with its limit. `--quick` for a small look. */
import { benchCheckpoint } from './bench-checkpoint.ts';
import { benchProcess } from './bench-process.ts';
import { benchRecord, describeRecordBench } from './bench-record.ts';
import { benchStartup, describeStartup, lastRelease } from './bench-startup.ts';

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

const startup = benchStartup(quick ? { rounds: 3, only: ['ps'] } : {});
for (const line of describeStartup(startup, lastRelease())) console.log(line);
add('mayday ps / node -e 0', startup.startup_ratio['ps'] ?? Number.NaN, 'less', 4);

const record = await benchRecord();
// A turn also checks the fence and writes run row, commands and timers: a figure to watch, no promise.
console.log(`  ${describeRecordBench(record)}`);

const checkpoint = await benchCheckpoint(quick ? 2_000 : 20_000);
add(`first checkpoint of ${checkpoint.files} files / bare git`, checkpoint.firstRatio, 'less', 1.5);
add('next checkpoint / bare git', checkpoint.incrementalRatio, 'less', 1.5);

const sizes = quick ? { streamBytes: 64 * MB, floodBytes: 128 * MB } : {};
const stream = await benchProcess(sizes);
add('supervised / bare output throughput', stream.writerRatio.median, 'more', 0.9);
add(
  `supervisor memory while ${Math.round(stream.streamedBytes / MB)} MB stream (MB)`,
  stream.keeperBytes / MB,
  'less',
  150,
);
add('time to notice a death (s)', stream.noticeDeathMs.median / 1000, 'less', 1);

const held = rows.filter(holds).length;
console.log(
  `bench: ${held} of ${rows.length} limits hold${quick ? ' (quick look; the limits are for full sizes)' : ''}`,
);
process.exit(quick || held === rows.length ? 0 : 1);

function holds({ value, better, limit }: Row): boolean {
  return better === 'more' ? value >= limit : value <= limit;
}
