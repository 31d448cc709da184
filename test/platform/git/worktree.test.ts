import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addWorktree, listWorktrees, removeWorktree } from '../../../src/platform/git/worktree.ts';

it('many worktrees of one repository are made and removed at the same time without tripping over each other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    const repository = join(folder, 'repository');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '--quiet', repository);
    git('-C', repository, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    const commit = git('-C', repository, 'rev-parse', 'HEAD').trim();
    const cycle = async (worker: number) => {
      for (let round = 0; round < 6; round += 1) {
        const path = join(folder, `w${worker}-${round}`);
        await addWorktree({ repository, path, commit, reason: 'a test', env: process.env });
        if (round % 2 === 0) await removeWorktree({ repository, path, env: process.env });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, worker) => cycle(worker)));
    expect(await listWorktrees({ repository, env: process.env })).toHaveLength(1 + 6 * 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
