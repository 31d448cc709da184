import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sampled } from '../lane.ts';
import { type Box, type Called, inBox } from './box.ts';

/** Dozens of real calls per test, on a machine that may be busy. */
vi.setConfig({ testTimeout: 300_000 });

/** What a person has before the call: must be the same after it. */
function picture(box: Box): string {
  return [
    box.git('status', '--porcelain'),
    box.git('for-each-ref'),
    box.git('worktree', 'list'),
    box.git('config', '--local', '--list'),
  ].join('\n');
}

/** A typed error with advice; no run, no folder, the repository as it was. */
function refused({ exitCode, stdout, stderr }: Called, code: string, exit: 1 | 2 = 2, what = ''): void {
  expect({ exitCode, stdout, code: /\(([A-Z0-9_]+)\)$/m.exec(stderr)?.[1] }, `${what} ${stderr}`).toEqual({
    exitCode: exit,
    stdout: '',
    code,
  });
  expect(stderr, 'advice').toMatch(/^ {2}\S+/m);
  expect(stderr).not.toContain('    at ');
}

function nothingWritten(box: Box): void {
  expect(existsSync(box.home) ? readdirSync(box.home) : []).toEqual([]);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

const AGENT = ['--', 'touch', 'a'];

const BOMB = Array.from({ length: 9 }, (_, depth) =>
  depth === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
    : `a${depth}: &a${depth} [${Array.from({ length: 9 }, () => `*a${depth - 1}`).join(', ')}]`,
).join('\n');

describe('wrong usage of run is refused before anything is written', () => {
  const cases: readonly (readonly [what: string, code: string, args: readonly string[], exit?: 1])[] = [
    ['an empty task', 'EMPTY_TASK', ['run', '--agent', 'claude', '']],
    ['a task of blanks', 'EMPTY_TASK', ['run', '--agent', 'claude', ' \n\t ']],
    ['no agent', 'NO_AGENT', ['run', 'x']],
    ['an unknown agent', 'UNKNOWN_AGENT', ['run', '--agent', 'nosuch', 'x']],
    ['an unknown fallback', 'UNKNOWN_AGENT', ['run', '--fallback', '../x', 'x', ...AGENT]],
    ['two agents', 'TWO_AGENTS', ['run', '--agent', 'claude', 'x', ...AGENT]],
    ['a missing program', 'AGENT_NOT_FOUND', ['run', 'x', '--', 'no-such-program'], 1],
    ['a program that is no program', 'AGENT_NOT_EXECUTABLE', ['run', 'x', '--', './README.md'], 1],
    ['an empty check', 'WRONG_CHECK', ['run', '--check', ' ', 'x', ...AGENT]],
    ['an empty set-up', 'WRONG_SETUP', ['run', '--setup', ' ', 'x', ...AGENT]],
    ['a negative budget', 'WRONG_BUDGET', ['run', '--budget-usd=-1', 'x', ...AGENT]],
    ['a budget of nothing', 'WRONG_BUDGET', ['run', '--budget-usd', '0', 'x', ...AGENT]],
    ['a huge budget', 'WRONG_BUDGET', ['run', '--budget-tokens', '1e300', 'x', ...AGENT]],
    ['half a turn', 'WRONG_BUDGET', ['run', '--max-turns', '1.5', 'x', ...AGENT]],
    ['dollars of a plain command', 'BUDGET_NOT_MEASURED', ['run', '--budget-usd', '5', 'x', ...AGENT]],
    ['its tokens', 'BUDGET_NOT_MEASURED', ['submit', '--budget-tokens', '5', 'x', ...AGENT]],
    ['its turns', 'BUDGET_NOT_MEASURED', ['run', '--max-turns', '5', 'x', ...AGENT]],
    ['NaN', 'WRONG_NUMBER', ['run', '--budget-usd', 'NaN', 'x', ...AGENT]],
    ['half a priority', 'WRONG_NUMBER', ['submit', '--priority', '1.5', 'x', ...AGENT]],
    ['infinity', 'WRONG_NUMBER', ['run', '--budget-usd', 'Infinity', 'x', ...AGENT]],
    ['a huge time limit', 'WRONG_DURATION', ['run', '--timeout', '99999999999999h', 'x', ...AGENT]],
    ['a negative time limit', 'WRONG_DURATION', ['run', '--timeout=-5m', 'x', ...AGENT]],
    ['an option without its value', 'WRONG_OPTION', ['run', '--timeout', '-5m', 'x', ...AGENT]],
    ['an unknown option', 'WRONG_OPTION', ['run', '--nope', 'x', ...AGENT]],
    ['an unknown size', 'WRONG_SIZE', ['run', '--size', 'huge', 'x', ...AGENT]],
    ['an empty task before a command', 'EMPTY_TASK', ['run', '', ...AGENT]],
    ['a branch without a name', 'WRONG_SINK', ['run', '--sink', 'branch:', 'x', ...AGENT]],
    ['an unknown sink', 'WRONG_SINK', ['run', '--sink', 'moon', 'x', ...AGENT]],
    ['a branch that climbs', 'WRONG_BRANCH', ['run', '--sink', 'branch:../x', 'x', ...AGENT]],
    ['a branch like an option', 'WRONG_BRANCH', ['run', '--sink', 'branch:--force', 'x', ...AGENT]],
    ['an empty scope', 'WRONG_SCOPE', ['run', '--scope', '', 'x', ...AGENT]],
    ['a scope outside', 'WRONG_SCOPE', ['run', '--scope', '../x', 'x', ...AGENT]],
    ['an absolute scope', 'WRONG_SCOPE', ['run', '--scope', '/etc/**', 'x', ...AGENT]],
    ['a missing task file', 'NO_TASK_FILE', ['run', '--task-file', 'nope', ...AGENT]],
    ['a folder as task file', 'NO_TASK_FILE', ['run', '--task-file', '.', ...AGENT]],
    ['a missing script', 'NO_SCRIPT', ['run', '--script', 'nope', 'x']],
    ['a rehearsal without a script', 'NO_SCRIPT', ['run', '--agent', 'rehearsal', 'x']],
    ['a folder as script', 'WRONG_SCRIPT', ['run', '--script', '.', 'x']],
  ];

  it('each with its own code', () =>
    inBox(async (box) => {
      const before = picture(box);
      for (const batch of chunks(sampled(cases, 12), 4)) {
        const called = await Promise.all(batch.map(([, , args]) => box.call(...args)));
        for (const [index, [what, code, , exit]] of batch.entries())
          refused(called[index] as Called, code, exit ?? 2, what);
        nothingWritten(box);
      }
      expect(picture(box)).toBe(before);
    }));

  it('a task of 10 MB, and one with a NUL byte', () =>
    inBox(async (box) => {
      const file = join(box.folder, 'task');
      writeFileSync(file, 'a'.repeat(10 * 1024 * 1024));
      refused(await box.call('run', '--task-file', file, ...AGENT), 'TASK_TOO_LONG');
      writeFileSync(file, 'a\0b');
      refused(await box.call('run', '--task-file', file, ...AGENT), 'WRONG_TASK');
      nothingWritten(box);
    }));
});

describe('names that are no names', () => {
  const names = ['../x', 'a/b', 'a\nb', 'a'.repeat(300), '', '%', '_', 'é', 'e\u0301'];
  const verbs = ['show', 'logs', 'watch', 'stop', 'resume', 'diff', 'accept', 'checkpoint', 'checkpoints'];

  it('are unknown runs and questions, told in one safe line, and nothing is touched', () =>
    inBox(async (box) => {
      // One run exists, so that a prefix or a pattern could match it by mistake.
      await box.call('run', '--', 'sh', '-c', 'touch a');
      const before = [picture(box), readdirSync(join(box.home, 'runs')).join()];
      const calls = names.flatMap((name, index) => [
        [verbs[index % verbs.length] as string, name],
        ['restore', `${name}@1`],
        ['answer', name === '' ? name : `${name}-q1`, 'retry'],
        ['flag', name, '--reason', 'r'],
      ]);
      for (const batch of chunks(sampled(calls, 12), 4)) {
        const called = await Promise.all(batch.map((args) => box.call(...args)));
        for (const [index, args] of batch.entries())
          refused(called[index] as Called, args[0] === 'answer' ? 'UNKNOWN_QUESTION' : 'UNKNOWN_RUN', 2);
      }
      refused(await box.call('show', '-x'), 'WRONG_OPTION');
      refused(await box.call('restore', 'abcd@0x'), 'UNKNOWN_RUN');
      expect([picture(box), readdirSync(join(box.home, 'runs')).join()]).toEqual(before);
    }));
});

describe('places where no run may work', () => {
  it('are refused, each by its own name', () =>
    inBox(async (box) => {
      const other = join(box.home, 'work', 'abcd');
      const empty = join(box.folder, 'empty');
      const bare = join(box.folder, 'bare.git');
      mkdirSync(other, { recursive: true });
      execFileSync('git', ['init', '--quiet', empty]);
      execFileSync('git', ['init', '--quiet', '--bare', bare]);
      const strange = Buffer.concat([Buffer.from(`${box.folder}/n`), Buffer.from([0xff])]);
      mkdirSync(strange);
      const places = [
        ['/', 'WORKSPACE_IS_ROOT'],
        [box.folder, 'WORKSPACE_IS_HOME'],
        [box.home, 'WORKSPACE_IS_MAYDAY_HOME'],
        [other, 'WORKSPACE_IS_ANOTHER_RUN'],
        [empty, 'REPOSITORY_HAS_NO_COMMITS'],
        [bare, 'REPOSITORY_IS_BARE'],
        [join(box.repository, '.git'), 'REPOSITORY_IS_BARE'],
      ] as const;
      for (const [cwd, code] of places)
        refused(await box.start(['run', 'x', ...AGENT], { cwd, env: { HOME: box.folder } }).done, code);
      // A working directory whose name is not UTF-8 can only be entered by a shell.
      const script = `cd "$(printf 'n\\377')" && exec '${process.execPath}' '${box.bin}' run x -- touch a`;
      refused(await box.shell(script), 'WORKSPACE_NAME_NOT_UTF8');
      // Git is asked through a folder in the home, which is gone with the answer.
      expect(readdirSync(join(box.home, 'commands'))).toEqual([]);
      expect(readdirSync(box.home)).toEqual(['commands', 'work']);
      expect(readdirSync(join(box.home, 'work'))).toEqual(['abcd']);
    }));

  it('a link to the repository is the repository', () =>
    inBox(async (box) => {
      const link = join(box.folder, 'link');
      symlinkSync(box.repository, link);
      const { exitCode } = await box.start(['run', '--check', 'test -f a', ...AGENT], { cwd: link }).done;
      expect(exitCode).toBe(0);
    }));

  it('a folder with spaces, quotes and a command in its name is only a name', () =>
    inBox(async (box) => {
      const folder = join(box.folder, `a b'c"$(touch pwned);\\ é`);
      execFileSync('git', ['clone', '--quiet', box.repository, folder]);
      const { exitCode } = await box.start(['run', '--check', 'test -f a', ...AGENT], { cwd: folder }).done;
      expect(exitCode).toBe(0);
      expect(readdirSync(folder).toSorted()).toEqual(['.git', 'README.md']);
    }));

  it('a shallow repository works, with a warning', () =>
    inBox(async (box) => {
      const folder = join(box.folder, 'shallow');
      execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${box.repository}`, folder]);
      const called = await box.start(['run', '--check', 'test -f a', ...AGENT], { cwd: folder }).done;
      expect(called).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('shallow') as unknown });
    }));
});

it('a mayday.yaml that cannot be read is told by doctor too, from a folder below it', () =>
  inBox(async (box) => {
    const below = join(box.repository, 'below');
    mkdirSync(below);
    writeFileSync(join(box.repository, 'mayday.yaml'), 'checks: [\n');
    const { exitCode, stdout } = await box.start(['doctor'], { cwd: below }).done;
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^! settings .*mayday\.yaml/m);
    expect(stdout).toContain('next  mend settings');
  }));

describe('a place for Mayday\u2019s own state that does not serve', () => {
  it('is named, and no command waits for it', () =>
    inBox(async (box) => {
      const file = join(box.folder, 'file');
      writeFileSync(file, '');
      for (const home of ['/dev/null/x', '/proc/mayday', file]) {
        for (const args of [['run', 'x', ...AGENT], ['ps'], ['doctor', '--json']]) {
          const called = await box.start(args, { env: { MAYDAY_HOME: home } }).done;
          if (args[0] !== 'doctor') refused(called, 'STORE_READ_ONLY', 1);
          else expect(called.stderr).not.toContain('INTERNAL');
        }
      }
    }));

  it('inside the repository it is left out of the work, or refused where the work would swallow it', () =>
    inBox(async (box) => {
      const env = { MAYDAY_HOME: join(box.repository, '.state') };
      for (const option of ['--in-place', '--include-dirty'])
        refused(await box.start(['run', option, 'x', ...AGENT], { env }).done, 'HOME_IN_WORKSPACE');
      expect(existsSync(env.MAYDAY_HOME)).toBe(false);
      const called = await box.start(['run', '--json', '--check', 'test -f a', ...AGENT], { env }).done;
      expect(JSON.parse(called.stdout)).toMatchObject({ state: 'delivered', delivered: { files: ['a'] } });
      writeFileSync(join(box.repository, '.git/info/exclude'), '/.state/\n');
      const again = await box.start(
        ['run', '--json', '--in-place', '--check', 'test -f b', '--', 'touch', 'b'],
        {
          env,
        },
      ).done;
      expect(JSON.parse(again.stdout)).toMatchObject({ state: 'delivered', delivered: { files: ['b'] } });
    }));
});

describe('a configuration that is wrong', () => {
  const deep = `agent: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`;
  const cases: readonly (readonly [what: string, text: string | Buffer, says: RegExp])[] = [
    ['an unknown key', 'agent: claude\n\nbudgit: 3\n', /mayday\.yaml:3: budgit/],
    ['an unknown limit', 'policy:\n  silence: 3\n', /:2: policy\.silence.*silence_ms/],
    ['broken YAML', 'agent: x\nchecks: [\n', /:3: /],
    ['two equal keys', 'agent: a\nagent: b\n', /:2: /],
    ['a wrong type', 'agent: 5\n', /:1: agent/],
    ['bytes', Buffer.from([0xff, 0xfe, 0, 1, 2]), /:1: /],
    ['a negative limit', 'policy:\n  restarts: -3\n', /:2: policy\.restarts/],
    ['not a number', 'policy:\n  restarts: .nan\n', /:2: policy\.restarts/],
    ['a huge limit', 'policy:\n  restarts: 1e300\n', /:2: policy\.restarts/],
    ['a huge budget', 'budget:\n  usd: 1e300\n', /:2: budget\.usd/],
    ['a cycle', 'agents: &a\n  x: *a\n', /:\d+: agents/],
    ['deep nesting', deep, /:1: too deeply nested/],
    ['an alias bomb', BOMB, /:1: Excessive alias count/],
  ];

  it('is refused with line and key, and the run is not started', () =>
    inBox(async (box) => {
      for (const batch of chunks(cases, 1)) {
        for (const [what, text, says] of batch) {
          writeFileSync(join(box.repository, 'mayday.yaml'), text);
          const called = await box.call('run', 'x', ...AGENT);
          refused(called, 'WRONG_CONFIG', 2, what);
          expect(called.stderr, what).toMatch(says);
        }
      }
      writeFileSync(join(box.repository, 'mayday.yaml'), '#'.repeat(300_000));
      refused(await box.call('run', 'x', ...AGENT), 'CONFIG_TOO_LARGE');
      nothingWritten(box);
    }));
});

describe('a place that is none', () => {
  it('is told: a folder that was removed under the shell, an output that takes nothing', () =>
    inBox(async (box) => {
      const gone = join(box.folder, 'gone');
      const call = `${process.execPath} ${box.bin} ps`;
      refused(
        await box.shell(`mkdir ${gone} && cd ${gone} && rmdir ${gone} && ${call}`),
        'NO_WORKING_FOLDER',
      );
      const full = await box.shell(`${call} > /dev/full`);
      expect([full.exitCode, full.stderr]).toEqual([1, expect.stringContaining('(OUTPUT_NOT_WRITTEN)')]);
    }));
});

describe('a scenario or script that is wrong', () => {
  const nested = `${'[{loop: {times: 1, steps: '.repeat(3_000)}[]${'}}]'.repeat(3_000)}`;
  const cases = {
    cycle: 'name: x\ntask: {text: x}\nagent: &a {attempts: [{steps: [*a]}]}\n',
    'cycle of loops':
      'name: x\ntask: {text: x}\nagent: {attempts: [{steps: &s [{loop: {times: 2, steps: *s}}]}]}\n',
    deep: `name: x\ntask: {text: x}\nagent: {attempts: [{steps: ${nested}}]}\n`,
    bomb: BOMB,
    text: 'just words',
    empty: '',
    bytes: '\u0000\u0001',
    'unknown step': 'name: x\ntask: {text: x}\nagent: {attempts: [{steps: [{fly: 1}]}]}\n',
    'unknown limit': 'name: x\ntask: {text: x}\nagent: {attempts: [{steps: []}]}\npolicy: {nope: 1}\n',
  };

  it('is refused by drill and by run --script', () =>
    inBox(async (box) => {
      for (const [what, text] of Object.entries(cases)) {
        const file = join(box.folder, `${what}.yaml`);
        writeFileSync(file, text);
        const [drilled, scripted] = await Promise.all([
          box.call('drill', file),
          // As a script it has no limits to be wrong about.
          what === 'unknown limit' ? null : box.call('run', '--script', file, 'x'),
        ]);
        refused(drilled, 'WRONG_SCENARIO', 2, what);
        if (scripted !== null) refused(scripted, 'WRONG_SCRIPT', 2, what);
      }
      refused(await box.call('drill', 'nosuch'), 'NO_SCENARIO');
      refused(await box.call('drill', '..'), 'WRONG_SCENARIO');
      refused(await box.call('drill', 'happy', '--jobs', 'NaN'), 'WRONG_NUMBER');
    }));
});
