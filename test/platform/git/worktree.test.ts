import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  addWorktree,
  listWorktrees,
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
        if (round % 2 === 0) await removeWorktree({ repository, path, env: process.env });
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, worker) => cycle(worker)));
    expect(await listWorktrees({ repository, env: process.env })).toHaveLength(1 + 6 * 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a list that git cannot make is an error, never an empty list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    await expect(listWorktrees({ repository: folder, env: process.env })).rejects.toThrow(
      'while listing the worktrees',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.each([
  `fatal: failed to read .git/worktrees/w1/commondir: Success`,
  `fatal: unable to read '.git/worktrees/w1/gitdir': No such file or directory`,
  `fatal: Invalid path '/repository/.git/worktrees/w1': No such file or directory`,
  `fatal: Unable to create '/repository/.git/worktrees.lock': File exists.`,
  `fatal: cannot lock ref 'HEAD': is at 1 but expected 2`,
])('a worktree that another command makes or removes at this moment is tried again: %s', async (said) => {
  const { env, calls, folder } = gitThatFirstSays(said);
  try {
    await addWorktree({
      repository: folder,
      path: join(folder, 'w2'),
      commit: 'HEAD',
      reason: 'a test',
      env,
    });
    expect(calls()).toBe(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a commit that is not there is not asked for again', async () => {
  const { env, calls, folder } = gitThatFirstSays('fatal: invalid reference: f00');
  try {
    const added = addWorktree({
      repository: folder,
      path: join(folder, 'w2'),
      commit: 'f00',
      reason: 'a test',
      env,
    });
    await expect(added).rejects.toThrow(/invalid reference/);
    expect(calls()).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A program named git that fails once with these words and then does nothing, well. */
function gitThatFirstSays(said: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-git-'));
  const bin = join(folder, 'bin');
  const log = join(folder, 'calls');
  mkdirSync(bin);
  writeFileSync(join(folder, 'said'), `${said}\n`);
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
if [ "$1" = --version ]; then echo 'git version 2.50.0'; exit; fi
echo call >>'${log}'
if [ "$(wc -l <'${log}')" -gt 1 ]; then exit 0; fi
cat '${folder}/said' >&2
exit 128
`,
    { mode: 0o755 },
  );
  const calls = () => readFileSync(log, 'utf8').split('\n').length - 1;
  return { env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` }, calls, folder };
}

it('the worktrees are also listed by a git that knows no -z', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-worktrees-'));
  try {
    const [repository, bin] = [join(folder, 'repository'), join(folder, 'bin')];
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh\nfor word; do [ "$word" = -z ] && exit 129; done\nexec ${real} "$@"\n`,
      { mode: 0o755 },
    );
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    expect(await listWorktrees({ repository, env })).toEqual([
      { path: realpathSync(repository), branch: 'refs/heads/main' },
    ]);
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
