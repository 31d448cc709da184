/** Work that no checkpoint can hold is never delivered as if it were complete. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('a file over the size limit stops the delivery; saved again without it, the same attempt is delivered', () =>
  inBox(async (box) => {
    // A hole of 600 MB takes no room.
    const agent = 'echo a > a.txt; truncate -s 600M big.bin; mkfifo pipe';
    const args = ['run', '--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', agent];
    const { exitCode, stderr, stdout } = await box.call(...args);
    expect(exitCode, stdout).toBe(3);
    expect(`${stdout}${stderr}`).toContain('big.bin: larger than 536870912 bytes');
    expect(`${stdout}${stderr}`).toContain('the rest of the work is safe at checkpoint 1');
    const { run_id: runId } = await box.show();
    const told = await box.call('show', runId);
    expect(told.stdout).toContain('unsaved  big.bin (larger than 536870912 bytes)');
    rmSync(join(box.worktree(), 'big.bin'));
    await box.call('answer', `${runId}-q1`, 'retry');
    const after = await box.until('the run is delivered', async () => {
      const run = await box.show();
      return run.state === 'delivered' && run;
    });
    expect(after.attempts).toHaveLength(1);
    expect(after).toMatchObject({ delivered: { files: ['a.txt'], not_saved: [] } });
  }));
