import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journal } from '../crash/disk.ts';
import { PLAYS_ALL } from '../lane.ts';
import { type Box, inBox } from './box.ts';

const QUICK = {
  backoff_ms: 20,
  backoff_max_ms: 50,
  stop_soft_ms: 300,
  stop_term_ms: 300,
  lease_ms: 2_000,
  lease_renew_ms: 400,
  lease_stop_ms: 1_500,
  frozen_ms: 500,
};
/** Says when it is at work, then waits for a go that only some attempts get. */
const TWO_STEPS =
  'echo "$MAYDAY_ATTEMPT" >> "$NOTES"; echo one > one.txt; while [ ! -e "$GO" ] && [ "$MAYDAY_ATTEMPT" = 1 ]; do sleep 0.1; done; echo two > two.txt';
const CHECK = 'test -f one.txt && test -f two.txt';

interface Live {
  readonly runId: string;
  readonly agent: number;
  readonly keeper: number;
  readonly notes: () => string[];
  readonly go: () => void;
}

/** A detached run whose agent is at work. */
async function live(box: Box, policy: Readonly<Record<string, number>> = QUICK): Promise<Live> {
  box.policy(policy);
  const notes = join(box.folder, 'notes');
  const go = join(box.folder, 'go');
  const script = TWO_STEPS.replaceAll('$NOTES', notes).replaceAll('$GO', go);
  const { stdout } = await box.call('run', '--json', '--detach', '--check', CHECK, '--', 'sh', '-c', script);
  const { run_id: runId } = JSON.parse(stdout) as { run_id: string };
  await box.until('the agent is at work', () => existsSync(join(box.worktree(), 'one.txt')));
  const agent = await box.until(
    'the agent is seen',
    () => box.processes().find(({ command }) => command.startsWith('sh -c'))?.pid,
  );
  const keeper = await box.until('the keeper is seen', () => box.keeper());
  return {
    runId,
    agent,
    keeper,
    notes: () => readFileSync(notes, 'utf8').trim().split('\n'),
    go: () => writeFileSync(go, ''),
  };
}

/** Outside of a write: a process that is stopped in one keeps the lock of the record, and no other can take over. */
async function stopOutsideOfWrite(box: Box, pid: number): Promise<void> {
  const isIn = (state: string): boolean =>
    readFileSync(`/proc/${pid}/status`, 'utf8').includes(`State:\t${state}`);
  // The byte that a writer locks in SQLite's WAL.
  const holdsLock = (): boolean =>
    new RegExp(`WRITE +${pid} \\S+ 120 120$`, 'm').test(readFileSync('/proc/locks', 'utf8'));
  await box.until('the keeper is stopped outside of a write', async () => {
    process.kill(pid, 'SIGSTOP');
    await box.until('the keeper is stopped', () => isIn('T'));
    if (!holdsLock()) return true;
    process.kill(pid, 'SIGCONT');
    return false;
  });
}

async function delivered(box: Box, runId: string): Promise<void> {
  const { exitCode } = await box.call('watch', runId);
  expect(exitCode).toBe(0);
  expect(box.git('ls-tree', '--name-only', `mayday/${runId}`)).toContain('two.txt');
  await box.until('nothing runs any more', () => box.processes().length === 0);
}

describe('whatever dies, the run goes on and nothing is lost', () => {
  it('kill -9 of the agent: resumed from the checkpoint', () =>
    inBox(async (box) => {
      const run = await live(box);
      process.kill(run.agent, 'SIGKILL');
      await delivered(box, run.runId);
      const { attempts, incidents } = await box.show();
      expect(attempts).toMatchObject([{ signal: 'SIGKILL', ended_by: 'itself' }, { exit_code: 0 }]);
      expect(incidents).toMatchObject([{ class: 'crashed' }]);
    }));

  it('kill -9 of the keeper: the agent lives on, the next Mayday process adopts it, and there is still one attempt', () =>
    inBox(async (box) => {
      const run = await live(box);
      process.kill(run.keeper, 'SIGKILL');
      await box.until('the keeper is gone', () => box.keeper() === undefined);
      expect(box.processes().some(({ pid }) => pid === run.agent)).toBe(true);
      const watching = box.start(['watch', run.runId]);
      await box.until('another keeper came', () => box.keeper());
      run.go();
      expect((await watching.done).exitCode).toBe(0);
      expect(run.notes()).toEqual(['1']);
      expect(await box.show()).toMatchObject({ state: 'delivered', attempts: [{ exit_code: 0 }] });
    }));

  it('kill -9 of both: resumed, and never two live attempts', () =>
    inBox(async (box) => {
      const run = await live(box);
      process.kill(run.keeper, 'SIGKILL');
      process.kill(run.agent, 'SIGKILL');
      await delivered(box, run.runId);
      expect(run.notes()).toEqual(['1', '2']);
    }));

  it('a keeper that is stopped past its lease loses the run to another and does nothing when it wakes', () =>
    inBox(async (box) => {
      const run = await live(box);
      await stopOutsideOfWrite(box, run.keeper);
      const watching = box.start(['watch', run.runId]);
      await box.until(
        'another keeper took over',
        () => journal(box).some(({ type }) => type === 'taken_over'),
        30_000,
      );
      process.kill(run.keeper, 'SIGCONT');
      await box.until(
        'the old keeper left',
        () => !box.processes().some(({ pid }) => pid === run.keeper),
        30_000,
      );
      run.go();
      expect((await watching.done).exitCode).toBe(0);
      expect(run.notes()).toEqual(['1']);
    }));

  it('a frozen agent is noticed and replaced', () =>
    inBox(async (box) => {
      const run = await live(box);
      process.kill(run.agent, 'SIGSTOP');
      await delivered(box, run.runId);
      expect((await box.show()).incidents).toMatchObject([{ class: 'frozen' }]);
    }));

  it('a closed terminal only detaches', () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const { child, done } = box.start(
        ['run', '--check', 'test -f two.txt', '--', 'sh', '-c', 'sleep 2; echo two > two.txt'],
        { detached: true },
      );
      await box.until('the agent runs', () =>
        box.processes().some(({ command }) => command.startsWith('sh -c')),
      );
      process.kill(-(child.pid as number), 'SIGHUP');
      await done;
      const { run_id } = await box.show();
      await delivered(box, run_id);
    }));
});

describe('output without end', () => {
  const megabytes = Number(process.env['MAYDAY_FLOOD_MB'] ?? (PLAYS_ALL ? 300 : 100));

  it(
    `${megabytes} MB of lines and one line of ${megabytes / 2} MB leave the disk and the memory small`,
    () =>
      inBox(async (box) => {
        const flood = `yes 0123456789012345678901234567890123456789 | head -c ${megabytes}000000; head -c ${megabytes / 2}000000 /dev/zero | tr '\\0' x; touch done`;
        const { child, done } = box.start(['run', '--check', 'test -f done', '--', 'sh', '-c', flood]);
        let largest = 0;
        const keeperMemory = () => {
          const pid = box.keeper();
          try {
            const status = pid === undefined ? '' : readFileSync(`/proc/${pid}/status`, 'utf8');
            largest = Math.max(largest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
          } catch {
            // It ended between two looks.
          }
        };
        const timer = setInterval(keeperMemory, 100);
        const { exitCode } = await done;
        clearInterval(timer);
        expect(child.exitCode).toBe(exitCode);
        expect(exitCode).toBe(0);
        expect(largest).toBeGreaterThan(10);
        expect(largest).toBeLessThan(300);
      }),
    300_000,
  );
});
