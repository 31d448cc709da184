import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readlinkSync, readSync, rmdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cgroupKill,
  cgroupPathFor,
  cgroupPrefix,
  removeCgroup,
} from '../../../src/platform/container/cgroup.ts';
import { HAS_PROC } from '../../../src/platform/process/proc-table.ts';
import { hasVanished, lookOrNull } from '../../../src/platform/file/vanished.ts';

const groups = (await cgroupPrefix())?.length === 0;
if (!groups) console.log('skipped: this machine offers no control groups to this user');

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function endedProcess(beforeItEnds: (pid: number) => void): Promise<number> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = child.pid as number;
  beforeItEnds(pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return pid;
}

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('what has vanished', () => {
  it.runIf(HAS_PROC)('is a process whose file was open when it ended', async () => {
    let file = -1;
    const pid = await endedProcess((living) => {
      file = openSync(`/proc/${living}/stat`, 'r');
    });
    const read = errorOf(() => readSync(file, Buffer.alloc(64)));
    closeSync(file);
    expect(read).toMatchObject({ code: 'ESRCH' });
    for (const error of [
      read,
      errorOf(() => process.kill(pid, 0)),
      errorOf(() => readlinkSync(`/proc/${pid}/cwd`)),
    ])
      expect(hasVanished(error), String(error)).toBe(true);
  });

  it.runIf(groups)('is a control group that was removed while its file was open', () => {
    const path = cgroupPathFor(`vanished.${process.pid}`) as string;
    mkdirSync(path);
    const file = openSync(join(path, 'cgroup.kill'), 'w');
    rmdirSync(path);
    const write = errorOf(() => writeSync(file, '1'));
    closeSync(file);
    expect(write).toMatchObject({ code: 'ENODEV' });
    expect(hasVanished(write)).toBe(true);
    expect(removeCgroup(path)).toBe(true);
  });

  it.runIf(groups)('does not stop a kill that races with the removal of the group', async () => {
    const path = cgroupPathFor(`race.${process.pid}`) as string;
    const script = `const fs = require('node:fs');
      for (const end = Date.now() + 700; Date.now() < end; ) { fs.mkdirSync(process.argv[1]); fs.rmdirSync(process.argv[1]); }`;
    const remover = spawn(process.execPath, ['-e', script, path], { stdio: 'ignore' });
    const ended = once(remover, 'exit');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      for (let n = 0; n < 500; n += 1) cgroupKill(path);
      await new Promise(setImmediate);
    }
    expect(await ended).toEqual([0, null]);
  });

  it('is told from what could not be looked at', () => {
    const look = (code: string) => () => {
      throw failed(code);
    };
    for (const code of ['ENOENT', 'ESRCH', 'ENODEV', 'EACCES', 'EPERM', 'EINVAL'])
      expect(lookOrNull(look(code)), code).toBeNull();
    for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])
      expect(() => lookOrNull(look(code)), code).toThrow(code);
    for (const code of ['EACCES', 'EBUSY', 'EMFILE']) expect(hasVanished(failed(code)), code).toBe(false);
  });
});
