import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  it('for another shell are wrong usage with advice', () => {
    const { status, stderr } = call('tcsh');
    expect(status).toBe(2);
    expect(stderr).toContain('UNKNOWN_SHELL');
  });
});
