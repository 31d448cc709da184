import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';
import { atTerminal, hasTerminal } from './terminal.ts';

const WRITES = ['--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', 'echo x > a.txt'];

describe('a folder that is no repository', () => {
  it.skipIf(!hasTerminal)('is asked about at a terminal before it is edited in place; n starts nothing', () =>
    inBox(async (box) => {
      const plain = join(box.folder, 'plain');
      mkdirSync(plain);
      const there = Object.assign(Object.create(box) as Box, { repository: plain });
      const no = await atTerminal(there, ['run', ...WRITES], [{ asked: 'Go on?', typed: 'n\n' }]);
      expect(no.exitCode).toBe(2);
      expect(no.screen).toContain('git init');
      expect((await box.call('ps')).stdout, 'nothing was started').not.toContain('write a');
      const yes = await atTerminal(there, ['run', ...WRITES], [{ asked: 'Go on?', typed: '\n' }]);
      expect(yes.exitCode).toBe(0);
    }),
  );

  it('is named once in a script, and not where --in-place says that the person knows', () =>
    inBox(async (box) => {
      const plain = join(box.folder, 'plain');
      mkdirSync(plain);
      const told = await box.start(['run', ...WRITES], { cwd: plain }).done;
      expect(told).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('is no git repository') as string,
      });
      const known = await box.start(
        ['run', '--in-place', '--sink=none', ...WRITES.slice(0, -1), 'echo y > a.txt'],
        {
          cwd: plain,
        },
      ).done;
      expect(known.stderr).not.toContain('is no git repository');
    }));
});

describe('mayday init', () => {
  it.skipIf(!hasTerminal)(
    'names the agents that it knows, asks again for another, and takes - for none',
    () =>
      inBox(async (box) => {
        writeFileSync(join(box.repository, 'package.json'), '{"scripts":{"test":"true"}}');
        const { exitCode, screen } = await atTerminal(
          box,
          ['init'],
          [
            { asked: 'Which agent? (claude, codex', typed: 'foo\n' },
            { asked: 'Not understood.', typed: 'codex\n' },
            { asked: 'proves the work?', typed: '\n' },
            { asked: 'fresh copy ready?', typed: '-\n' },
          ],
        );
        expect(exitCode, screen).toBe(0);
        const config = readFileSync(join(box.repository, 'mayday.yaml'), 'utf8');
        expect(config).toContain('agent: codex\nchecks:\n  - npm test\n');
        expect(config).not.toContain('setup:');
      }),
  );

  it('in a monorepo without a test script of its own proposes the tests of every package', () =>
    inBox(async (box) => {
      writeFileSync(join(box.repository, 'package.json'), '{"private":true,"workspaces":["packages/*"]}');
      expect((await box.call('init', '--yes')).stdout).toContain('monorepo');
      expect(readFileSync(join(box.repository, 'mayday.yaml'), 'utf8')).toContain(
        'npm test --workspaces --if-present',
      );
    }));

  it('where nothing tells how work is proven says so, and leaves a file to fill in', () =>
    inBox(async (box) => {
      const { stdout } = await box.call('init', '--yes');
      expect(stdout).toContain('nothing here tells how work is proven');
      expect(readFileSync(join(box.repository, 'mayday.yaml'), 'utf8')).toContain('# checks:');
      const run = await box.call('run', ...WRITES);
      expect(run.exitCode).toBe(0);
      expect(run.stdout, 'the configuration counts, so it is not left out').not.toContain('left out');
    }));

  it('works before the first commit, and says that it comes next', () =>
    inBox(async (box) => {
      const { exitCode, stdout } = await box.call('init', '--yes');
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('git commit') as string,
      });
    }, {}));
});

it('mayday doctor ends with what to do next', () =>
  inBox(async (box) => {
    const { stdout } = await box.call('doctor');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^next {2}\S.*mayday/);
    expect(stdout).toMatch(/^. temporary folders {2}/m);
    expect(stdout, 'an agent that is not installed is no fault').not.toMatch(
      /^! .*(claude|codex|gemini|opencode)/m,
    );
  }));
