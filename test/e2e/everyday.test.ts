/** Small things of every day: what `init`, `doctor`, `drill` and `help` say. */
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { inBox } from './box.ts';

it('a drill that is not there: the nearest ones, and how all of them are listed', () =>
  inBox(async (box) => {
    const { exitCode, stderr } = await box.call('drill', 'silent-hag');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('did you mean silent-hang?');
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    const listed = JSON.parse((await box.call('drill', '--list', '--json')).stdout) as object[];
    expect(listed).toContainEqual({
      name: 'happy',
      about: expect.stringContaining('nothing breaks') as string,
    });
  }));

it('help begins with what is typed every day and names every command; help all says what each does', () =>
  inBox(async (box) => {
    const { stdout } = await box.call('--help');
    expect(stdout).toMatch(/^Every day\n {2}run /m);
    for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
    expect(stdout.split('\n').length, 'one screen').toBeLessThanOrEqual(40);
    const all = (await box.call('help', 'all')).stdout;
    for (const { name, aliases } of COMMANDS)
      expect(all).toMatch(new RegExp(`^ {2}${aliases === undefined ? name : `${name} `}`, 'm'));
    expect(await box.call('help', 'nosuch')).toMatchObject({ exitCode: 2 });
  }));
