/** Small things of every day: what `init`, `doctor`, `drill` and `help` say. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { inBox } from './box.ts';

it('init does not speak of node_modules to a project with a virtualenv', () =>
  inBox(async (box) => {
    mkdirSync(join(box.repository, '.venv'));
    writeFileSync(join(box.repository, '.venv', 'pyvenv.cfg'), 'home = /usr/bin\n');
    writeFileSync(join(box.repository, 'test_a.py'), 'import unittest\n');
    const { exitCode, stdout } = await box.call('init', '--yes');
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain('.venv is installed');
    expect(`${stdout}${readFileSync(join(box.repository, 'mayday.yaml'), 'utf8')}`).not.toContain(
      'node_modules',
    );
  }));

it('doctor ticks nothing that could be stronger, and names what is not contained', () =>
  inBox(async (box) => {
    const { stdout } = await box.call('doctor');
    expect(stdout).not.toMatch(/^✓ .*\n +do /m);
    const { findings } = JSON.parse((await box.call('doctor', '--json')).stdout) as {
      findings: { what: string; says: string }[];
    };
    const open = findings.find(({ what }) => what === 'not contained')?.says ?? '';
    expect(open.includes('the agent ran as root')).toBe(process.getuid?.() === 0);
  }));

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

it('a word that resembles no command proposes none', () =>
  inBox(async (box) => {
    expect((await box.call('go')).stderr).toMatch(/^ {2}do +mayday --help$/m);
    expect((await box.call('serv')).stderr).toMatch(/^ {2}do +mayday serve, or mayday --help$/m);
    expect((await box.call('serve', '--port', 'high')).stderr).toContain('write it like --port 4747');
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
