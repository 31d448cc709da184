import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  addWorktree,
  letGoOfWorktree,
  listWorktrees,
  moveWorktree,
  removeWorktree,
  worktreeGitDir,
} from '../../../src/platform/git/worktree.ts';

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
        if (round % 2 === 0) await removeWorktree({ repository, path });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, worker) => cycle(worker)));
    expect(listWorktrees({ repository })).toHaveLength(1 + 6 * 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a list that git cannot make is an error, never an empty list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    expect(() => listWorktrees({ repository: folder })).toThrow('no git repository was found');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('git itself knows a worktree that was made, moved and let go', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-worktrees-')));
  try {
    const repository = join(folder, 'repository');
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
        cwd,
        encoding: 'utf8',
      }).trim();
    git(folder, 'init', '--quiet', '--initial-branch=main', repository);
    writeFileSync(join(repository, 'a.txt'), 'a\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'first');
    const commit = git(repository, 'rev-parse', 'HEAD');
    const [path, to] = [join(folder, 'w1'), join(folder, 'w2')];
    const call = { repository, path, env: process.env };
    await addWorktree({ ...call, commit, reason: 'a test' });
    const listed = () => git(repository, 'worktree', 'list', '--porcelain');
    expect(listed()).toContain(`worktree ${path}\nHEAD ${commit}\ndetached\nlocked a test`);
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
    git(path, 'checkout', '--quiet', '-b', 'own');
    expect(listWorktrees({ repository })).toEqual([
      { path: repository, branch: 'refs/heads/main' },
      { path, branch: 'refs/heads/own' },
    ]);
    expect(await moveWorktree({ ...call, to })).toBe(true);
    expect(listed()).toContain(`worktree ${to}\n`);
    expect(git(to, 'status', '--porcelain')).toBe('');
    await letGoOfWorktree({ path: to, env: process.env, commonDir: join(repository, '.git'), commit });
    expect(listed()).toContain(`worktree ${to}\nHEAD ${commit}\ndetached`);
    expect(listed()).not.toContain('locked');
    await removeWorktree({ repository, path: to });
    expect(listed()).not.toContain('w2');
    expect(git(repository, 'fsck')).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a commit that is not there makes an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    const call = { repository: folder, path: join(folder, 'w1'), reason: 'a test', env: process.env };
    await expect(addWorktree({ ...call, commit: 'f00' })).rejects.toThrow(/making the worktree/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a worktree is found beside one whose pointer is a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    const [piped, own] = ['a', 'b'].map((name) => join(folder, 'git/worktrees', name)) as [string, string];
    for (const each of [piped, own]) mkdirSync(each, { recursive: true });
    execFileSync('mkfifo', [join(piped, 'gitdir')]);
    writeFileSync(join(own, 'gitdir'), `${join(folder, 'work/.git')}\n`);
    expect(worktreeGitDir(join(folder, 'git'), join(folder, 'work'))).toBe(own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
