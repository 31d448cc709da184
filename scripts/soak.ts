/**
 * `npm run soak -- [--minutes 2] [--seed N] [--keep]`: a fleet of rehearsed agents under one worker, with random deaths of everything.
 * At the end every run must be delivered, the record must hold, nothing of it may live or lie around, and the memory and the open files
 * of a worker that is left alone, and the disk that a run takes, must not have grown.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Box } from '../test/e2e/box.ts';
import { Random } from '../test/simulation/random.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 1e9));
const lastsMs = Number(values.minutes) * 60_000;
const random = new Random(seed);

/** Unfinished runs at any time; the worker keeps four of them. */
const AT_ONCE = 6;
const CONCURRENCY = '4';
const STEP_MS = 1_000;
const SAMPLE_MS = 5_000;
/** After this share of the time the worker is left alone, and its memory is compared. */
const CALM_FROM = 0.4;
/** Of the calm time: the start of a worker is not its daily life. */
const WARM_UP = 0.3;
const MAY_GROW = 1.25;
/** Longer than a lease. */
const PAUSED_MS = 20_000;
const POLICY = {
  backoff_ms: 50,
  backoff_max_ms: 200,
  restarts: 50,
  restarts_total: 100,
  futile_rescues: 50,
  fleet_restarts: 10_000,
  shared_cause_runs: 10_000,
  silence_ms: 2_000,
  stop_soft_ms: 300,
  stop_term_ms: 300,
};

/** What an agent does before it does its work; every one of them is rescued. */
const TROUBLES: Readonly<Record<string, string>> = {
  none: ':',
  'fails once': '[ "$MAYDAY_ATTEMPT" -gt 1 ] || exit 1',
  'is killed': '[ "$MAYDAY_ATTEMPT" -gt 1 ] || kill -9 $$',
  'claims success': '[ "$MAYDAY_ATTEMPT" -gt 1 ] || exit 0',
  'says nothing more': '[ "$MAYDAY_ATTEMPT" -gt 1 ] || sleep 600',
  'leaves a child': 'setsid sleep 600 >/dev/null 2>&1 &',
  floods: 'yes "a line of the flood that is long enough to be one" | head -c 5000000',
  'works for a while': 'for n in 1 2 3 4 5 6; do echo step $n; sleep 0.5; done',
};

const HARMS = ['agents killed', 'attendants killed', 'workers killed', 'workers paused', 'sweeps between'];

const ENDED = new Set(['delivered', 'unverified', 'abandoned']);

interface Sample {
  readonly rssMb: number;
  readonly files: number;
  /** Journal, evidence, checkpoints and raw output stay for a while: the share of one run must not grow. */
  readonly diskKbPerRun: number;
}

const box = new Box();
const scratch = join(box.folder, 'tmp');
mkdirSync(scratch);
box.policy(POLICY);
box.env['TMPDIR'] = scratch;
console.log(`soak: ${values.minutes} minutes from seed ${seed}; again: npm run soak -- --seed ${seed}`);
const submitted: string[] = [];
const deaths = new Map<string, number>();
const samples: Sample[] = [];
let worker = startWorker();
let sampledAt = 0;
const problems: string[] = [];
try {
  await live();
  await settle();
  await judge();
} finally {
  if (values.keep) console.log(`kept: ${box.folder}`);
  else await box.dispose();
}
for (const problem of problems) console.log(`  ! ${problem}`);
console.log(
  `soak: ${problems.length === 0 ? 'passed' : 'failed'}: ${submitted.length} runs, ${[...deaths].map(([what, times]) => `${times} ${what}`).join(', ')}, ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

function startWorker(): ChildProcess {
  return box.start(['work', '--concurrency', CONCURRENCY]).child;
}

async function live(): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < lastsMs) {
    const isCalm = performance.now() - began > lastsMs * CALM_FROM;
    const unfinished = (await rows()).filter(({ state }) => !ENDED.has(state)).length;
    if (unfinished < AT_ONCE) await submit();
    if (random.chance(0.3)) await harm(isCalm);
    if (isCalm && performance.now() - sampledAt > SAMPLE_MS) sample();
    await pause(STEP_MS);
  }
}

async function submit(): Promise<void> {
  const name = `soak-${submitted.length + 1}`;
  const trouble = random.pick(Object.keys(TROUBLES));
  const work = `${TROUBLES[trouble]}\necho ${name} > ${name}.txt`;
  const check = ['--check', `test -f ${name}.txt`];
  const called = await box.call('submit', '--name', name, ...check, name, '--', 'sh', '-c', work);
  if (called.exitCode === 0) submitted.push(name);
  else problems.push(`${name} (${trouble}) was not taken: ${called.stderr.trim()}`);
}

async function rows(): Promise<
  readonly { readonly run_id: string; readonly state: string; readonly why: string }[]
> {
  const { stdout } = await box.call('ps', '--all', '--json');
  return JSON.parse(stdout || '[]') as never;
}

/** Once it is calm, only agents die. */
async function harm(isCalm: boolean): Promise<void> {
  const alive = box.processes();
  const others = alive.filter(({ command }) => !command.includes('mayday.js'));
  const agent = others.find(({ command }) => command.startsWith('sh -c'));
  const attendant = others.find(({ command }) => command.includes('attendant'));
  const what = random.pick(isCalm ? ['agents killed'] : HARMS);
  deaths.set(what, (deaths.get(what) ?? 0) + 1);
  switch (what) {
    case 'agents killed':
      return kill(agent?.pid, 'SIGKILL');
    case 'attendants killed':
      return kill(attendant?.pid, 'SIGKILL');
    case 'workers killed':
      kill(worker.pid, 'SIGKILL');
      worker = startWorker();
      return;
    case 'workers paused':
      kill(worker.pid, 'SIGSTOP');
      await pause(PAUSED_MS);
      return kill(worker.pid, 'SIGCONT');
    default:
      await box.call('sweep');
  }
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function sample(): void {
  sampledAt = performance.now();
  try {
    const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1];
    samples.push({
      rssMb: Math.round(Number(rss) / 1024),
      files: readdirSync(`/proc/${worker.pid}/fd`).length,
      diskKbPerRun: Math.round(diskKb() / Math.max(submitted.length, 1)),
    });
  } catch {
    problems.push('the worker ended by itself');
    worker = startWorker();
  }
}

function diskKb(): number {
  try {
    return Number.parseInt(execFileSync('du', ['-sk', box.home], { encoding: 'utf8', stdio: 'pipe' }), 10);
  } catch (error) {
    // A file went away while it was counted; the sum is printed all the same.
    return Number.parseInt((error as { readonly stdout?: string }).stdout ?? '0', 10);
  }
}

/** The worker goes, and what is left is brought to its end. */
async function settle(): Promise<void> {
  const isOver = worker.exitCode === null && worker.signalCode === null ? once(worker, 'exit') : null;
  kill(worker.pid, 'SIGTERM');
  await isOver;
  const { exitCode, stderr } = await box.call('work', '--until-idle', '--concurrency', CONCURRENCY);
  if (exitCode !== 0) problems.push(`work --until-idle ended with ${exitCode}: ${stderr.trim()}`);
  await box.call('ps');
  await box.call('sweep');
}

async function judge(): Promise<void> {
  for (const { run_id, state, why } of await rows())
    if (state !== 'delivered') problems.push(`${run_id} is ${state}: ${why}`);
  const kept = new Set((await rows()).map(({ run_id }) => run_id));
  for (const name of submitted) {
    if (!kept.has(name)) problems.push(`${name} is not in the record`);
    else if (!holds(name)) problems.push(`${name} was delivered without its work`);
  }
  const verified = await box.call('verify');
  if (verified.exitCode !== 0) problems.push(`verify: ${verified.stdout.trim()} ${verified.stderr.trim()}`);
  await box.until('keepers end', () => box.processes().length === 0, 30_000).catch(() => undefined);
  for (const { command } of box.processes()) problems.push(`still alive: ${command.slice(0, 100)}`);
  lyingAround('temporary folder', scratch, () => true);
  for (const folder of ['work', 'check', 'commands'])
    lyingAround(folder, join(box.home, folder), (name) => !name.endsWith('.json'));
  // What lies in quarantine is unlocked, and goes when its time is over.
  const locked = box
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('locked'));
  if (locked.length > 0) problems.push(`${locked.length} worktrees are still locked`);
  compare('memory of the worker in MB', ({ rssMb }) => rssMb);
  compare('open files of the worker', ({ files }) => files);
  compare('disk in kB for each run', ({ diskKbPerRun }) => diskKbPerRun);
}

function holds(name: string): boolean {
  try {
    return box.git('ls-tree', '--name-only', `mayday/${name}`).includes(`${name}.txt`);
  } catch {
    return false;
  }
}

function lyingAround(what: string, folder: string, isLeft: (name: string) => boolean): void {
  try {
    const left = readdirSync(folder).filter(isLeft);
    if (left.length > 0) problems.push(`${left.length} left in ${what}: ${left.slice(0, 3).join(', ')}`);
  } catch {
    // Never made: nothing lies there.
  }
}

function compare(what: string, read: (sample: Sample) => number): void {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const half = Math.floor(warm.length / 2);
  if (half < 2) return console.log(`  ${what}: too short to compare`);
  const [before, after] = [warm.slice(0, half), warm.slice(half)].map((part) => Math.max(...part.map(read)));
  console.log(`  ${what}: ${before}, then ${after}`);
  if ((after ?? 0) > (before ?? 0) * MAY_GROW) problems.push(`${what} grew from ${before} to ${after}`);
}
