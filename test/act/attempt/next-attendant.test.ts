import { expect, it, onTestFinished } from 'vitest';
import { attendantOf, callNext } from '../../../src/act/attempt/next-attendant.ts';
import { attemptDir } from '../../../src/act/run-files.ts';
import { HAS_PROC, listPids, readOrNull } from '../../../src/platform/process/proc-table.ts';
import { eventually } from '../../platform/attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

/** The processes of this attempt's attendants. */
function attendants(home: string, attempt: number): number[] {
  const directory = attemptDir(home, 'run', attempt);
  return listPids().filter((pid) => readOrNull(`/proc/${pid}/cmdline`)?.split('\0').includes(directory));
}

async function taken(home: string, attempt: number) {
  const { marker, attendant } = await attendantOf(home, 'run', attempt);
  onTestFinished(() => void attendant?.child.kill('SIGKILL'));
  return { marker, pid: attendant?.child.pid };
}

it.skipIf(!HAS_PROC)(
  'the attendant that was called for the next attempt is the one that it gets',
  async () => {
    const home = temporaryDirectory();
    callNext(home, 'run', 1);
    const waiting = await eventually(
      () => attendants(home, 1),
      (pids) => pids.length > 0,
    );
    callNext(home, 'run', 1);
    const { pid, marker } = await taken(home, 1);
    expect([pid]).toEqual(waiting);
    expect(marker).toMatch(/^run\.1\./);
    expect(attendants(home, 1)).toEqual(waiting);
    expect(await taken(home, 1), 'it is taken once').not.toMatchObject({ pid });
  },
);

it.skipIf(!HAS_PROC)(
  'an attendant whose attempt does not come is let go when another is called',
  async () => {
    const home = temporaryDirectory();
    callNext(home, 'run', 1);
    await eventually(
      () => attendants(home, 1),
      (pids) => pids.length > 0,
    );
    await taken(home, 2);
    await eventually(
      () => attendants(home, 1),
      (pids) => pids.length === 0,
    );
  },
);
