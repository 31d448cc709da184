/** A machine that has run out of something: the true cause is told, with a code and advice, and no stack. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAYDAY } from '../mayday-under-test.ts';
import { type Box, inBox } from './box.ts';

const isRoot = process.getuid?.() === 0;
/** Modes bind nobody who is root: the command is then called as another user. */
const NOBODY = 65_534;
const asUser = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
const maySwitch = !isRoot || spawnSync('setpriv', ['--version']).status === 0;
const mayMount = isRoot && spawnSync('mountpoint', ['/']).status === 0;
if (!mayMount) console.log('skipped: disks of their own need the right to mount (root)');
if (!maySwitch) console.log('skipped: another user needs setpriv');

interface Call {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly before?: readonly string[];
}

function told(box: Box, { args, env = {}, cwd = box.repository, before = [] }: Call): string {
  const [program = '', ...rest] = [...before, process.execPath, MAYDAY, ...args];
  const { stdout, stderr, signal } = spawnSync(program, rest, {
    cwd,
    env: { ...process.env, MAYDAY_HOME: box.home, ...env },
    encoding: 'utf8',
    timeout: 150_000,
  });
  const all = `${stdout}${stderr}`;
  expect(signal, 'the command ends by itself').toBeNull();
  expect(all).not.toMatch(/^ +at .*:\d+:\d+\)?$/m);
  expect(all).not.toContain('INTERNAL');
  expect(all).not.toContain('git is installed');
  return all;
}

/** A disk that holds so little. */
function disk(folder: string, options: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
}

const RUN = ['run', '--check', 'true', '--', 'sh', '-c', 'echo a > a.txt'];

describe('a temporary folder', () => {
  it('that does not exist is named', () =>
    inBox(async (box) => {
      const said = told(box, { args: ['doctor'], env: { TMPDIR: join(box.folder, 'none') } });
      expect(said).toContain(
        `the temporary folder ${join(box.folder, 'none')} cannot be used: it does not exist`,
      );
    }));

  it.skipIf(!mayMount)('that is full is named', () =>
    inBox(async (box) => {
      const folder = join(box.folder, 'small');
      disk(folder, 'size=16k,nr_inodes=3');
      try {
        writeFileSync(join(folder, 'a'), '');
        writeFileSync(join(folder, 'b'), '');
        const said = told(box, { args: ['doctor'], env: { TMPDIR: folder } });
        expect(said).toContain(
          `the temporary folder ${folder} cannot be used: no file entries (inodes) are left`,
        );
      } finally {
        execFileSync('umount', ['--lazy', folder]);
      }
    }),
  );
});

describe('the home', () => {
  it.skipIf(!mayMount)('on a disk without inodes says that they are used up, not that git failed', () =>
    inBox(async (box) => {
      disk(box.home, 'size=64m,nr_inodes=12');
      try {
        const said = told(box, { args: RUN });
        expect(said).toContain('(DISK_FULL)');
        expect(said).toContain('file entries (inodes)');
        expect(said).not.toContain('GIT_FAILED');
      } finally {
        box.killAll();
        await box.until('no process of the box lives', () => box.processes().length === 0);
        execFileSync('umount', ['--lazy', box.home]);
      }
    }),
  );

  it.skipIf(!maySwitch)('below a home folder that was deleted is told as what is missing', () =>
    inBox(async (box) => {
      chmodSync(box.folder, 0o755);
      const gone = join(box.folder, 'gone');
      chmodSync(box.folder, isRoot ? 0o755 : 0o555);
      const said = told(box, { args: ['ps'], env: { MAYDAY_HOME: join(gone, '.mayday') }, before: asUser });
      chmodSync(box.folder, 0o755);
      expect(said).toContain(`${gone} does not exist, and it may not be made`);
      expect(said).toContain('(STORE_READ_ONLY)');
    }),
  );
});

describe('file handles', () => {
  // Below twenty-odd, Node itself cannot start.
  it.each([24, 28, 30])('that are used up at %d are told as such, or are enough', (limit) =>
    inBox(async (box) => {
      const said = told(box, { args: RUN, before: ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`] });
      box.killAll();
      expect(said).not.toMatch(/GIT_NOT_STARTED|RECORD_CANNOT_OPEN/);
      expect(said).toMatch(/all files that this process may open are open \(EMFILE\)|delivered/);
    }),
  );
});

/** A checkout and a home that belong to the user who is not root. */
function ownWorkspace(box: Box): string {
  chmodSync(box.folder, 0o755);
  const workspace = join(box.folder, 'workspace');
  cpSync(box.repository, workspace, { recursive: true });
  mkdirSync(box.home);
  if (isRoot) {
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, workspace]);
    chownSync(box.home, NOBODY, NOBODY);
  }
  return workspace;
}

it.skipIf(!maySwitch)('a workspace that may not be read is told as such', () =>
  inBox(async (box) => {
    const workspace = ownWorkspace(box);
    chmodSync(workspace, 0);
    const said = told(box, { args: RUN, cwd: workspace, before: asUser });
    chmodSync(workspace, 0o755);
    expect(said).toContain(`${workspace} cannot be entered: its mode forbids it`);
    expect(said).toContain('(FOLDER_NOT_READABLE)');
  }),
);

it.skipIf(!maySwitch)(
  'work that may not be read is listed, and nothing is delivered as if it were complete',
  () =>
    inBox(async (box) => {
      const workspace = ownWorkspace(box);
      const agent =
        'echo a > a.txt; echo s > secret; chmod 0 secret; mkdir shut; echo i > shut/inside; chmod 0 shut';
      const args = ['run', '--check', 'test -f a.txt', '--', 'sh', '-c', agent];
      const said = told(box, { args, cwd: workspace, before: asUser, env: { HOME: box.folder } });
      expect(said).toContain('part of the work is in no checkpoint');
      expect(said).toContain('secret');
      expect(said).toContain('shut/');
      expect(said).not.toContain('delivered  branch');
    }),
);
