import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

const RUN = ['run', '--check', 'test -f done.txt', '--', 'sh', '-c', 'echo secret; echo > done.txt'];

it('once a day the keeper that ends sweeps the house: worktrees and raw output that are due go, the story stays', () =>
  inBox(async (box) => {
    box.policy({ quarantine_ms: 0, raw_output_ms: 0 });
    await box.call(...RUN);
    const stamp = await box.until(
      'a stamp',
      () => existsSync(join(box.home, 'swept')) && join(box.home, 'swept'),
    );
    const [first = ''] = readdirSync(join(box.home, 'runs'));
    const worktree = join(box.home, 'quarantine', first);
    const stdout = join(box.home, 'runs', first, 'attempts/1/stdout');
    expect([existsSync(worktree), existsSync(stdout)], 'nothing is swept twice a day').toEqual([true, true]);

    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(stamp, yesterday, yesterday);
    await box.call(...RUN);
    await box.until('swept', () => !existsSync(worktree) && !existsSync(stdout));
    expect((await box.call('logs', first)).stdout).toContain('secret');
    expect((await box.call('verify')).exitCode).toBe(0);
  }));
