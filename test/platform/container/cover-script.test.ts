import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HiddenHome, hideHome, stageIn } from '../../../src/platform/container/hide-home.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

/** The last one is told when the program begins. */
const STDIO = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
const SYSTEM = { PATH: '/usr/bin:/bin' };

/** With one of everything that can be asked for. */
function everything(): {
  readonly hidden: HiddenHome;
  readonly words: readonly string[];
  readonly cwd: string;
} {
  const [home, outside] = [temporaryDirectory(), temporaryDirectory()];
  const cwd = join(home, 'a work');
  for (const folder of [cwd, join(home, 'attempt'), join(home, 'deep/er'), join(outside, 'cache')])
    mkdirSync(folder, { recursive: true });
  for (const file of ['settings', 'socket', 'from']) writeFileSync(join(outside, file), file);
  for (const folder of ['emptied', 'under']) mkdirSync(join(outside, folder));
  writeFileSync(join(home, 'deep/er/note'), 'shown');
  symlinkSync(join(outside, 'settings'), join(outside, 'link'));
  const hidden: HiddenHome = {
    home,
    show: [cwd, join(home, 'deep/er/note')],
    over: [{ from: join(outside, 'from'), to: join(outside, 'link') }],
    layers: [
      { to: join(outside, 'cache'), from: join(outside, 'cache'), kept: join(home, 'kept'), keeps: true },
    ],
    emptied: [join(outside, 'emptied')],
    shut: [join(outside, 'socket')],
    inside: { runId: 'r1', blocker: null },
    ownTemporary: [outside],
  };
  const options = { stage: stageIn(join(home, 'attempt')), cwd, env: SYSTEM, argv: ['true'] };
  const hiding = hideHome(hidden, { ...options, isUntested: true });
  return { hidden, words: hiding.type === 'hidden' ? hiding.words : [], cwd };
}

function run([command = '', ...args]: readonly string[], script: string): string {
  const { stdout, stderr, status } = spawnSync(command, [...args, 'sh', '-c', script], {
    encoding: 'utf8',
    cwd: '/',
    env: { ...SYSTEM, KEPT: 'yes' },
    stdio: [...STDIO],
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
const probed = hideHome(
  { home: folder, show: [], inside: { runId: 'r1', blocker: null } },
  { stage: stageIn(folder), cwd: '/', env: {}, argv: [] },
);
rmSync(folder, { recursive: true });
const isPossible = probed.type === 'hidden';
if (!isPossible) console.log('this machine has no cover for this user: its tests are skipped');
const isRoot = process.getuid?.() === 0;

/** Those with which root could undo the cover or get around it: DAC_READ_SEARCH, SYS_MODULE, SYS_RAWIO, SYS_PTRACE, SYS_ADMIN, ... */
const GIVEN_UP = [2, 16, 17, 19, 21, 22, 27, 34, 38, 39, 40].map(BigInt);

function rightsLeft(status: string, name: string): bigint[] {
  const set = BigInt(`0x${new RegExp(`Cap${name}:\\s*(\\w+)`).exec(status)?.[1]}`);
  return GIVEN_UP.filter((right) => ((set >> right) & 1n) === 1n);
}

const RIGHTS = 'cat /proc/self/status';

describe.skipIf(!isPossible)('a cover with one of everything', () => {
  it('gives the program its environment, its folder and what it may see', () => {
    const { words, hidden, cwd } = everything();
    const look = `pwd; env | sort; cat ../deep/er/note ../inside-a-run.json; ls -A ..; cat '${hidden.over?.[0]?.to}'`;
    const lines = run(words, look).split('\n');
    expect(lines).toEqual([
      cwd,
      'KEPT=yes',
      'PATH=/usr/bin:/bin',
      `PWD=${cwd}`,
      'shown{"runId":"r1","blocker":null}a work',
      'deep',
      'inside-a-run.json',
      'shut',
      'from',
    ]);
  });

  it.skipIf(!isRoot)('of root shows the settings of the kernel and its control groups read-only', () => {
    const lines = run(everything().words, 'cat /proc/self/mountinfo').split('\n');
    expect(lines.filter((line) => / \/proc\/sys ro/.test(line))).toHaveLength(1);
    expect(lines.filter((line) => / - cgroup2 /.test(line) && !/ ro[, ].* - cgroup2 /.test(line))).toEqual(
      [],
    );
  });

  it('leaves the program no right that could undo it, also none that was inheritable', () => {
    const { words } = everything();
    const rich = ['setpriv', '--inh-caps=+sys_admin,+sys_ptrace', '--ambient-caps=+sys_admin'];
    for (const way of isRoot ? [words, [...rich, ...words]] : [words]) {
      const status = run(way, RIGHTS);
      for (const name of ['Bnd', 'Prm', 'Eff']) expect(rightsLeft(status, name)).toEqual([]);
      expect(status).toMatch(/CapInh:\s*0+\n/);
      expect(status).toMatch(/CapAmb:\s*0+\n/);
    }
  });

  it('tells of a program that is not there, and leaves it no file but its own', () => {
    const { words } = everything();
    const [command = '', ...args] = words;
    const options = { encoding: 'utf8' as const, cwd: '/', env: SYSTEM, stdio: [...STDIO] };
    const missing = spawnSync(command, [...args, 'no-such-program'], options);
    expect([missing.status, missing.stderr]).toEqual([
      127,
      expect.stringContaining('no-such-program: not found'),
    ]);
    expect(missing.output[3]).toBe('begins\n');
    // The file that is told when the program begins; what Mayday itself inherited is closed by the attendant.
    expect(run(words, 'ls /proc/$$/fd; true').split('\n')).not.toContain('3');
  });

  it('begins nothing where one of the mounts fails', () => {
    const { words } = everything();
    const lost = words.indexOf('--empty') + 1;
    const [command = '', ...args] = words.with(lost, '/nowhere/at/all');
    const options = { encoding: 'utf8' as const, cwd: '/', env: SYSTEM, stdio: [...STDIO] };
    const { stdout, status, output } = spawnSync(command, [...args, 'echo', 'ran'], options);
    expect(status).not.toBe(0);
    expect([stdout, output[3]]).toEqual(['', '']);
  });
});
