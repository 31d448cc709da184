import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const QUICK = { stop_soft_ms: 100, stop_term_ms: 100 };

async function delivered(box: Box, ...names: string[]): Promise<void> {
  for (const name of names)
    await box.call('run', '--name', name, '--check=test -f a', 'x', '--', 'sh', '-c', 'touch a');
}

async function working(box: Box, ...names: string[]): Promise<void> {
  for (const name of names) {
    await box.call(
      'run',
      '--detach',
      '--name',
      name,
      '--check=true',
      'x',
      '--',
      'sh',
      '-c',
      'touch a; sleep 600',
    );
    await box.until('it works', () => existsSync(join(box.home, 'work', name, 'a')));
  }
}

it('rm takes several runs, or all that have ended; one that refuses is told and keeps no other', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    await delivered(box, 'one', 'two', 'three');
    await working(box, 'busy');

    const unknown = await box.call('rm', 'one', 'nobody');
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await box.call('ps')).stdout, 'nothing was done').toMatch(/^one /m);

    const mixed = await box.call('rm', '--json', 'busy', 'one');
    expect(mixed.exitCode, 'something was changed').toBe(1);
    expect(mixed.stderr).toContain('RUN_NOT_ENDED');
    expect(JSON.parse(mixed.stdout)).toMatchObject([
      { run_id: 'busy', error: { code: 'RUN_NOT_ENDED' } },
      { run_id: 'one', removed: true },
    ]);
    expect((await box.call('completion', 'runs')).stdout).not.toContain('one');

    const all = await box.call('rm', '--all');
    expect(all.exitCode, all.stderr).toBe(0);
    expect(all.stdout.match(/^run \w+ is off the list/gm)?.toSorted()).toEqual([
      'run three is off the list',
      'run two is off the list',
    ]);
    expect((await box.call('ps')).stdout).toMatch(/^busy /m);
    expect((await box.call('show', 't')).stderr).toContain(
      'the names of 2 runs begin with "t" (UNKNOWN_RUN)',
    );
    expect((await box.call('rm')).stderr).toContain('WRONG_ARGUMENTS');
  }));

it('stop and abandon take several runs; each has a line of its own that names it', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    await working(box, 'one', 'two');
    const stopped = await box.call('stop', 'one', 'two', 'one');
    expect(stopped.exitCode, stopped.stderr).toBe(0);
    expect(stopped.stdout.match(/^run (\w+) is stopped/gm)).toEqual([
      'run one is stopped',
      'run two is stopped',
    ]);

    const ended = await box.call('abandon', '--all', '--reason=enough');
    expect(ended.exitCode, ended.stderr).toBe(0);
    const lines = ended.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const name of ['one', 'two'])
      expect(lines.join('\n')).toMatch(new RegExp(`^${name} {2}abandoned {2}.*enough`, 'm'));
    expect((await box.call('abandon', '--all')).stdout).toBe('no such run: mayday ps\n');
  }));

it('a run that was left or abandoned says what can be done now', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    const begun = await box.call(
      'run',
      '--detach',
      '--name=one',
      '--check=true',
      'x',
      '--',
      'sh',
      '-c',
      'touch a; sleep 600',
    );
    for (const next of ['mayday watch one', 'mayday stop one', 'mayday inbox'])
      expect(begun.stdout).toContain(next);
    await box.until('it works', () => existsSync(join(box.home, 'work', 'one', 'a')));
    const { stdout } = await box.call('abandon', 'one');
    for (const next of ['mayday diff one', 'mayday show one', 'mayday rm one'])
      expect(stdout).toContain(next);
  }));
