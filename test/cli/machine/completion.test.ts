import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { MAYDAY } from '../../mayday-under-test.ts';

const call = (...args: string[]) =>
  spawnSync(process.execPath, [MAYDAY, 'completion', ...args], { encoding: 'utf8' });

describe('completions', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`for ${shell} name every command and are read by it`, (context) => {
      const { status, stdout } = call(shell);
      expect(status).toBe(0);
      for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
      const folder = mkdtempSync(join(tmpdir(), 'mayday-completion-'));
      const file = join(folder, 'completion');
      writeFileSync(file, stdout);
      const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      if (read.error !== undefined) return context.skip(`${shell} is not on this machine`);
      expect(read.stderr).toBe('');
      expect(read.status).toBe(0);
    });
  }

  it('in bash offer commands first and then the options of the one typed, but nothing after --', () => {
    const script = (words: string, at: number) =>
      `${call('bash').stdout}\nCOMP_WORDS=(${words}); COMP_CWORD=${at}; _mayday; echo "\${COMPREPLY[*]}"`;
    const complete = (words: string, at: number) =>
      spawnSync('bash', ['-c', script(words, at)], { encoding: 'utf8' }).stdout.trim();
    expect(complete('mayday dia', 1)).toBe('diagnose');
    expect(complete('mayday run --che', 2)).toBe('--check');
    expect(complete('mayday run -- --che', 3)).toBe('');
  });

  it('in fish offer commands first and then the options of the one typed', (context) => {
    const shell: string = 'fish';
    const complete = (line: string) =>
      spawnSync(shell, ['-c', `${call('fish').stdout}\ncomplete -C ${JSON.stringify(line)}`], {
        encoding: 'utf8',
      });
    const command = complete('mayday dia');
    if (command.error !== undefined) return context.skip('fish is not on this machine');
    expect(command.stdout).toMatch(/^diagnose\t/);
    expect(complete('mayday run --che').stdout).toMatch(/^--check\t/);
  });

  it('in bash offer runs, questions, agents and checks by name, and evaluate none of them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayday-completion-'));
    try {
      const names = {
        runs: 'k7f2 m3xa',
        questions: 'k7f2-q1',
        agents: 'claude',
        checks: 'x$(touch${IFS}evil)',
      };
      const cases = Object.entries(names).map(
        ([kind, words]) =>
          `${kind}) printf '%s\\n' ${words
            .split(' ')
            .map((word) => `'${word}'`)
            .join(' ')} ;;`,
      );
      writeFileSync(join(folder, 'mayday'), `#!/bin/sh\ncase $2 in\n${cases.join('\n')}\nesac\n`, {
        mode: 0o755,
      });
      const complete = (words: string, at: number) =>
        spawnSync(
          'bash',
          [
            '-c',
            `${call('bash').stdout}\nCOMP_WORDS=(${words}); COMP_CWORD=${at}; _mayday; printf '%s|' "\${COMPREPLY[@]}"`,
          ],
          {
            encoding: 'utf8',
            cwd: folder,
            env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
          },
        ).stdout;
      expect(complete('mayday show k', 2)).toBe('k7f2|');
      expect(complete('mayday answer k7', 2)).toBe('k7f2-q1|');
      expect(complete('mayday run --agent c', 3)).toBe('claude|');
      expect(complete('mayday logs --agent m', 3), 'a switch there').toBe('m3xa|');
      expect(complete('mayday run --check x', 3)).toContain('x\\$\\(touch');
      expect(existsSync(join(folder, 'evil'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('for another shell are wrong usage with advice', () => {
    const { status, stderr } = call('tcsh');
    expect(status).toBe(2);
    expect(stderr).toContain('UNKNOWN_SHELL');
  });
});
