import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { groupMembers, MARKER_VARIABLE } from '../../../src/platform/container/process-group.ts';
import { HAS_PROC } from '../../../src/platform/process/proc-table.ts';
import { eventually, newMarker } from '../attempt-under-test.ts';

const NOBODY = { bootId: '', pid: 0, startTicks: 0 };

/** As a keeper looks all the time. */
function frequentLook(marker: string): number[] {
  return groupMembers(marker, NOBODY, null, { readAgain: false }).map(({ pid }) => pid);
}

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
