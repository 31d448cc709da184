import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callAttendant } from '../../../src/platform/container/call-attendant.ts';
import { startContained } from '../../../src/platform/container/container.ts';
import { observe } from '../../../src/platform/container/observe.ts';
import { groupMembers, MARKER_VARIABLE } from '../../../src/platform/container/process-group.ts';
import { ReadyCover } from '../../../src/platform/container/ready-cover.ts';
import { descendantsOf, HAS_PROC, listProcesses } from '../../../src/platform/process/proc-table.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';
import { eventually, leaveNothing, newMarker } from '../attempt-under-test.ts';

const NOBODY = { bootId: '', pid: 0, startTicks: 0 };

/** As a keeper looks all the time. */
function frequentLook(marker: string): number[] {
  return groupMembers(marker, NOBODY, null, { readAgain: false }).map(({ pid }) => pid);
}

const hasCover = (() => {
  const cover = ReadyCover.start();
  cover?.end();
  return cover !== null;
})();

it.skipIf(!HAS_PROC)(
  'a process that was looked at before it became a program with the marker is a member',
  async () => {
    const marker = newMarker();
    const script = `read go; ${MARKER_VARIABLE}=${marker} exec sleep 300`;
    const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    expect(frequentLook(marker)).toEqual([]);
    child.stdin.write('go\n');
    await eventually(
      () => frequentLook(marker),
      ([pid]) => pid === child.pid,
    );
  },
);

it.skipIf(!hasCover)('so is an agent of the same name as the cover that waited for it', async () => {
  const home = temporaryDirectory();
  const [attemptDir, cwd] = [join(home, 'attempt'), join(home, 'work')];
  for (const folder of [attemptDir, cwd]) mkdirSync(folder);
  const marker = newMarker();
  const called = await callAttendant(attemptDir, 'process-group', marker);
  const attendant = called ?? expect.fail('no attendant');
  await eventually(
    () => existsSync(join(attemptDir, 'witness')),
    (isThere) => isThere,
  );
  expect(descendantsOf([attendant.child.pid ?? 0], listProcesses()).map(({ command }) => command)).toEqual([
    'perl',
  ]);
  expect(frequentLook(newMarker())).toEqual([]);
  const handle = await startContained({
    attemptDir,
    argv: ['perl', '-e', 'sleep 300'],
    cwd,
    env: { PATH: '/usr/bin:/bin' },
    stdinFile: null,
    marker,
    attendant,
    hidden: { home, show: [cwd], inside: { runId: 'r', blocker: null } },
    level: 'process-group',
  });
  leaveNothing(handle);
  const died = once(attendant.child, 'exit');
  attendant.child.kill('SIGKILL');
  await died;
  // As if the attendant had died before its note of the leader.
  const { members, empty } = await observe({ ...handle, leader: null });
  expect([members.map(({ command }) => command), empty]).toEqual([['perl'], false]);
});
