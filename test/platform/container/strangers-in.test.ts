import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HAS_PROC, readProcess, TICK_MS } from '../../../src/platform/process/proc-table.ts';
import { strangersIn } from '../../../src/platform/container/strangers-in.ts';

it.skipIf(!HAS_PROC)(
  'a process that left our tree is found by where it stands, and our own children are not',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayday-strangers-'));
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Its parent ends at once, so that nothing but its folder ties it to us.
    const orphan = spawn('sh', ['-c', 'setsid env -i sleep 60 > /dev/null 2>&1 & echo $!'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [own, left] = await Promise.all([firstLine(child.stdout), firstLine(orphan.stdout)]);
    await once(orphan, 'close');
    try {
      const found = (await strangersIn([folder])).map(({ pid }) => pid);
      expect(found).toContain(left);
      expect(found).not.toContain(own);
      expect(await strangersIn([join(folder, 'none')])).toEqual([]);
    } finally {
      process.kill(left, 'SIGKILL');
      process.kill(own, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

it.skipIf(!HAS_PROC)('what an agent left is told from what an older process started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-strangers-'));
  // A terminal of the person, which is no child of ours: in it a shell that is opened later, when it is told to.
  const line = 'setsid sh -c "read go < pipe; cd inside; sleep 60 & wait" > /dev/null 2>&1 & echo $!';
  const terminal = spawn('sh', ['-c', `mkfifo pipe; mkdir inside; ${line}`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const old = await firstLine(terminal.stdout);
  const sinceTicks = (readProcess(old)?.startTicks ?? 0) + 1;
  // What begins from here on begins in a later tick.
  await pause(3 * TICK_MS);
  const begin = spawn('sh', ['-c', 'setsid sh -c "exec sleep 60" > /dev/null 2>&1 & echo $!'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const left = await firstLine(begin.stdout);
  // Until then what it left is the child of a process that we started before.
  if (begin.exitCode === null) await once(begin, 'exit');
  try {
    writeFileSync(join(folder, 'pipe'), 'go\n');
    const shown = async () => (await strangersIn([folder], { sinceTicks })).map(({ pid }) => pid);
    expect(await shown()).toEqual([left]);
    expect((await strangersIn([folder])).map(({ pid }) => pid)).toContain(old);
  } finally {
    process.kill(left, 'SIGKILL');
    process.kill(-old, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

it.skipIf(!HAS_PROC)('a process that is on its way out is nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-strangers-'));
  const leaving = spawn('sh', ['-c', 'setsid sh -c "sleep 0.3" > /dev/null 2>&1 & echo $!'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await Promise.all([firstLine(leaving.stdout), once(leaving, 'close')]);
  expect(await strangersIn([folder])).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

async function firstLine(stream: NodeJS.ReadableStream): Promise<number> {
  const [line] = (await once(stream, 'data')) as [Buffer];
  return Number(line);
}
