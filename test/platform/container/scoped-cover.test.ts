import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COVER, GIVEN_UP } from '../../../src/platform/container/cover-script.ts';
import { type HiddenHome, hideHome, stageIn } from '../../../src/platform/container/hide-home.ts';
import { mountCall, SCOPED_COVER } from '../../../src/platform/container/scoped-cover.ts';
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

/** The same words for the shell script: it takes no number of a system call. */
function byShell(words: readonly string[]): string[] {
  const at = words.indexOf('perl');
  const before = words.slice(0, at).filter((word) => !word.startsWith('PERL_'));
  const after = words.slice(at + 4);
  return [...before, 'sh', '-c', COVER, 'mayday-cover', ...after.slice(0, 7), ...after.slice(8)];
}

/** The same words where the number of the system call is not known. */
function byProgram(words: readonly string[]): string[] {
  return words.with(words.indexOf(SCOPED_COVER) + 9, '');
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

const MOUNTS = 'cat /proc/self/mountinfo';

/** Every mount, without the numbers that each namespace has anew, and without the word that only the second use of a layer has. */
function mounts(words: readonly string[]): string[] {
  const lines = run(words, MOUNTS).split('\n');
  return lines.flatMap((line) => {
    const [, , , root = '', point = '', ...rest] = line.split(' ');
    return line.includes(' - ') ? [[root, point, ...rest].join(' ').replace(/,uuid=\w+/, '')] : [];
  });
}

/** Of both covers, seen between two equal looks at the machine's own mounts: other tests mount file systems too. */
function mountsOfBoth(words: readonly string[], others: readonly string[]): readonly [string[], string[]] {
  for (;;) {
    const before = readFileSync('/proc/self/mountinfo', 'utf8');
    const both = [mounts(words), mounts(others)] as const;
    if (readFileSync('/proc/self/mountinfo', 'utf8') === before) return both;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
const probed = hideHome(
  { home: folder, show: [], inside: { runId: 'r1', blocker: null } },
  { stage: stageIn(folder), cwd: '/', env: {}, argv: [] },
);
rmSync(folder, { recursive: true });
const isPossible = probed.type === 'hidden' && probed.words.includes(SCOPED_COVER);
if (!isPossible) console.log('this machine has no scoped cover for this user: its tests are skipped');

describe.skipIf(!isPossible)('the cover that Perl makes for root', () => {
  it('has exactly the mounts of the shell script, the same ones read-only', () => {
    const { words } = everything();
    const [perl, shell] = mountsOfBoth(words, byShell(words));
    expect(perl.length).toBeGreaterThan(10);
    expect(perl).toEqual(shell);
    expect(perl.filter((line) => / \/proc\/sys ro/.test(line))).toHaveLength(1);
  });

  it('is the same where the number of the system call is not known', () => {
    expect(mountCall()).not.toBe('');
    const { words } = everything();
    const [known, unknown] = mountsOfBoth(words, byProgram(words));
    expect(unknown).toEqual(known);
  });

  it('gives the program the environment, the folder and the files that the shell script gives it', () => {
    const { words, hidden } = everything();
    const look = `pwd; env | sort; cat ../deep/er/note ../inside-a-run.json; ls -A ..; cat '${hidden.over?.[0]?.to}'`;
    const perl = run(words, look);
    expect(perl).toBe(run(byShell(words), look));
    expect(perl).toContain('KEPT=yes');
    expect(perl).toContain('shown{"runId":"r1"');
  });

  it('gives the program the rights that the shell script gives it', () => {
    const { words } = everything();
    const look = 'grep -E "^(Cap|NoNewPrivs)" /proc/self/status';
    const perl = run(words, look);
    expect(perl).toBe(run(byShell(words), look));
    const bounding = BigInt(`0x${/CapBnd:\s*(\w+)/.exec(perl)?.[1]}`);
    expect(Object.values(GIVEN_UP).filter((right) => ((bounding >> BigInt(right)) & 1n) === 1n)).toEqual([]);
  });

  it('leaves root no right that was inheritable, by neither way', () => {
    const { words } = everything();
    const rich = ['setpriv', '--inh-caps=+sys_admin,+sys_ptrace', '--ambient-caps=+sys_admin'];
    for (const way of [words, byShell(words)]) {
      const told = run([...rich, ...way], 'grep -E "^Cap(Inh|Amb|Prm)" /proc/self/status');
      expect(told).toMatch(/CapInh:\s*0+\n/);
      expect(told).toMatch(/CapAmb:\s*0+\n/);
      const permitted = BigInt(`0x${/CapPrm:\s*(\w+)/.exec(told)?.[1]}`);
      expect((permitted >> BigInt(GIVEN_UP.sys_admin)) & 1n).toBe(0n);
    }
  });

  it('tells of a program that is not there, and leaves it no file but its own', () => {
    const { words } = everything();
    const [command = '', ...args] = words;
    const missing = spawnSync(command, [...args, 'no-such-program'], {
      encoding: 'utf8',
      cwd: '/',
      env: SYSTEM,
      stdio: [...STDIO],
    });
    expect([missing.status, missing.stderr]).toEqual([
      127,
      expect.stringContaining('no-such-program: not found'),
    ]);
    expect(missing.output[3]).toBe('begins\n');
    expect(run(words, 'ls /proc/$$/fd')).toBe(run(byShell(words), 'ls /proc/$$/fd'));
  });

  it('begins nothing where one of the mounts fails', () => {
    const { words } = everything();
    const lost = words.indexOf('--empty') + 1;
    const [command = '', ...args] = words.with(lost, '/nowhere/at/all');
    const { stdout, status } = spawnSync(command, [...args, 'echo', 'ran'], {
      encoding: 'utf8',
      cwd: '/',
      env: SYSTEM,
      stdio: [...STDIO],
    });
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
  });
});
