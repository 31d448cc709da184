import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, journal } from '../crash/disk.ts';
import { type Box, inBox } from './box.ts';

const QUICK = { backoff_ms: 20, backoff_max_ms: 50, stop_soft_ms: 300, stop_term_ms: 300 };
/** The host gate, which would hold every run on a disk that small, stays open: here the disk really fills. */
const NO_GATE = { ...QUICK, disk_free_bytes: 0 };
const MEGABYTE = 1024 ** 2;
const CHECK = 'grep -q one one.txt && grep -q two two.txt';

/** Mounting needs root (or a user namespace, which the box's other processes would not share). */
const mayMount = (() => {
  try {
    const probe = mkdtempSync(join(tmpdir(), 'mayday-mount-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe]);
    rmSync(probe, { recursive: true });
    return true;
  } catch {
    console.log('skipped: disks of their own need the right to mount (root)');
    return false;
  }
})();

async function onSmallDisk(megabytes: number, use: (box: Box) => Promise<void>): Promise<void> {
  await inBox(async (box) => {
    mkdirSync(box.home);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', box.home]);
    try {
      await use(box);
      await box.until('nothing runs any more', () => box.processes().length === 0);
    } finally {
      // What still stands in the folder would keep the disk busy.
      box.killAll();
      await box.until('the disk is given back', () => {
        try {
          execFileSync('umount', [box.home], { stdio: 'ignore' });
          return true;
        } catch {
          return false;
        }
      });
    }
  });
}

/** Every byte that is left. */
function fill(path: string): void {
  for (const size of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size, 120));
    } catch {
      // Full for this size.
    }
  }
}

const go = (box: Box) => join(box.folder, 'go');
const waitingAgent = (box: Box) =>
  `echo one > one.txt; while [ ! -e '${go(box)}' ]; do sleep 0.1; done; echo two > two.txt`;

describe('a disk of its own', () => {
  it.skipIf(!mayMount)(
    'that fills up ends the run with a typed error; nothing acknowledged is lost, and with space again resume delivers',
    () =>
      onSmallDisk(16, async (box) => {
        box.policy(NO_GATE);
        const { done } = box.start(['run', '--check', CHECK, '--', 'sh', '-c', waitingAgent(box)]);
        await box.until('the agent is at work', () => existsSync(join(box.worktree(), 'one.txt')));
        await box.until('its start is on record', () =>
          journal(box).some(({ type }) => type === 'attempt_started'),
        );
        const filler = join(box.home, 'filler');
        fill(filler);
        const before = journal(box);
        writeFileSync(go(box), '');
        const { exitCode, stderr } = await done;
        expect({ exitCode, stderr }).toEqual({
          exitCode: 1,
          stderr: expect.stringMatching(/\(DISK_FULL\)[\s\S]*free some space/) as unknown,
        });
        // Keepers that gave up may have given something back.
        fill(filler);
        const refused = await box.call('run', 'x', '--', 'touch', 'a');
        expect(refused).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('(DISK_FULL)') as unknown,
        });
        expect(journal(box).slice(0, before.length)).toEqual(before);
        // Not by `ps`: whoever looks also adopts, and the run would be delivered before it is resumed.
        const [run_id = ''] = readdirSync(join(box.home, 'runs'));
        rmSync(filler);
        const resumed = await box.call('resume', run_id);
        expect(resumed, resumed.stdout).toMatchObject({ exitCode: 0 });
        expect(box.git('show', `mayday/${run_id}:two.txt`)).toBe('two\n');
        expect((await box.call('verify')).exitCode).toBe(0);
      }),
    300_000,
  );

  it.skipIf(!mayMount)(
    'with less room than disk_free_bytes: runs say why they wait, one asks for all, and with room again both are delivered',
    () =>
      onSmallDisk(32, async (box) => {
        box.policy({ ...QUICK, disk_free_bytes: 12 * MEGABYTE, wake_stagger_ms: 500 });
        const filler = join(box.home, 'filler');
        writeFileSync(filler, Buffer.alloc(24 * MEGABYTE, 120));
        const run = () =>
          box.call('run', '--check', CHECK, '--', 'sh', '-c', 'echo one > one.txt; echo two > two.txt');
        const first = await run();
        expect(first, first.stderr).toMatchObject({ exitCode: 3 });
        expect(first.stdout).toMatch(
          /waiting: the disk is nearly full: \d+ MB left[\s\S]*goes on by itself[\s\S]*no agent runs/,
        );
        const { run_id, ...waiting } = await box.show();
        expect(waiting).toMatchObject({
          state: 'waiting',
          waiting: { for: 'host' },
          holds: [{ kind: 'disk', owner: run_id }],
          questions: [{ kind: 'disk_low' }],
        });
        expect(box.keeper(), 'somebody looks for room').toBeDefined();
        const second = await run();
        expect(second, second.stderr).toMatchObject({ exitCode: 3 });
        expect(second.stdout).toContain(`mayday answer ${run_id}-q1`);
        for (const word of ['ps', 'inbox'])
          expect((await box.call(word)).stdout).toMatch(
            /held {7}the disk is nearly full[\s\S]*room on the disk/,
          );
        rmSync(filler);
        // By their journals: `ps` would start keepers that somebody else should have kept alive.
        const told = (type: string) => eventsOf(box).filter((event) => event.type === type).length;
        await box.until('both are delivered, and nobody was needed', () => told('released') === 2);
        expect(told('work_delivered')).toBe(2);
        expect(told('question_asked')).toBe(1);
        expect(told('question_answered')).toBe(0);
        expect(box.git('show', `mayday/${run_id}:two.txt`)).toBe('two\n');
        expect((await box.call('inbox')).stdout).not.toContain('disk');
      }),
    120_000,
  );

  it.skipIf(!mayMount)('that is read-only is still read, and nothing is started on it', () =>
    onSmallDisk(16, async (box) => {
      box.policy(NO_GATE);
      await box.call('run', '--check', CHECK, '--', 'sh', '-c', 'echo one > one.txt; echo two > two.txt');
      await box.until('nothing runs any more', () => box.processes().length === 0);
      // A process that has ended may hold a file open for a moment longer.
      await box.until('the disk can be made read-only', () => {
        try {
          execFileSync('mount', ['-o', 'remount,ro', box.home], { stdio: 'ignore' });
          return true;
        } catch {
          return false;
        }
      });
      expect(await box.show()).toMatchObject({ state: 'delivered' });
      const refused = await box.call('run', 'x', '--', 'touch', 'a');
      expect(refused).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/\(STORE_READ_ONLY\)[\s\S]*MAYDAY_HOME/) as unknown,
      });
      execFileSync('mount', ['-o', 'remount,rw', box.home]);
    }),
  );
});

describe('what an agent does to its own place', () => {
  it('its .git deleted: the work is delivered all the same', () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const script = 'echo one > one.txt; rm -rf .git; echo two > two.txt';
      expect((await box.call('run', '--check', CHECK, '--', 'sh', '-c', script)).exitCode).toBe(0);
      const { run_id } = await box.show();
      expect(box.git('show', `mayday/${run_id}:one.txt`)).toBe('one\n');
      expect(box.git('log', '--oneline').trim().split('\n')).toHaveLength(1);
    }));

  it('the whole workspace deleted: made again from the checkpoint, and nothing saved is lost', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, snapshot_every_ms: 100 });
      const saved = join(box.folder, 'saved');
      const script = `if [ "$MAYDAY_ATTEMPT" = 1 ]; then echo one > one.txt
        while [ ! -e '${saved}' ]; do sleep 0.1; done; rm -rf "$PWD" 2>/dev/null; exit 1; fi; echo two > two.txt`;
      const { done } = box.start(['run', '--json', '--check', CHECK, '--', 'sh', '-c', script]);
      await box.until('the first file is in a checkpoint', () =>
        journal(box).some(({ type }) => type === 'checkpoint_taken'),
      );
      writeFileSync(saved, '');
      const { exitCode, stdout } = await done;
      expect({ exitCode, run: JSON.parse(stdout) as unknown }).toMatchObject({
        exitCode: 0,
        run: { state: 'delivered', delivered: { files: ['one.txt', 'two.txt'] } },
      });
    }));
});

describe('after a reboot', () => {
  it.skipIf(!mayMount)(
    'nobody of the old boot is taken for alive, and the run resumes from its checkpoint',
    () =>
      inBox(async (box) => {
        box.policy({ ...QUICK, snapshot_every_ms: 100 });
        const script = `echo "$MAYDAY_ATTEMPT" >> '${box.folder}/notes'; if [ "$MAYDAY_ATTEMPT" = 1 ]; then ${waitingAgent(box)}; fi; echo two > two.txt`;
        const { stdout } = await box.call(
          'run',
          '--json',
          '--detach',
          '--check',
          CHECK,
          '--',
          'sh',
          '-c',
          script,
        );
        const { run_id } = JSON.parse(stdout) as { run_id: string };
        await box.until('the first file is in a checkpoint', () =>
          journal(box).some(({ type }) => type === 'checkpoint_taken'),
        );
        // Everything ends at once, without a word; and the machine comes back with another boot id.
        box.killAll();
        await box.until('nothing runs any more', () => box.processes().length === 0);
        const boot = join(box.folder, 'boot-id');
        writeFileSync(boot, '00000000-1111-4222-8333-444444444444\n');
        const resumed = await box.shell(
          `exec unshare --mount sh -c 'mount --bind "${boot}" /proc/sys/kernel/random/boot_id && cd "${box.repository}" && exec "${process.execPath}" "${box.bin}" resume ${run_id}'`,
        );
        expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
        expect(execFileSync('cat', [join(box.folder, 'notes')], { encoding: 'utf8' })).toBe('1\n2\n');
        expect(box.git('ls-tree', '--name-only', `mayday/${run_id}`)).toContain('two.txt');
        const { attempts, incidents } = await box.show();
        expect(attempts[0]).toMatchObject({ ended_by: 'host' });
        expect(incidents).toMatchObject([{ class: 'interrupted', phase: 1 }]);
        expect(incidents[0]?.['root_cause']).toContain('the host of sh was lost, and the agent with it');
      }),
  );
});
