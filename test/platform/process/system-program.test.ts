/** Mayday runs no program that an agent may have put into the person's home. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { closedGit } from '../../../src/platform/git/git.ts';
import { systemProgram } from '../../../src/platform/process/system-program.ts';

/** A `git` that notes that it ran, in a folder below `home` or elsewhere. */
function planted(place: 'home' | 'elsewhere') {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, place, 'bin');
  for (const path of [join(folder, 'home'), bin]) mkdirSync(path, { recursive: true });
  const script = `#!/bin/sh\necho x >> ${folder}/ran\necho git version 2.99.0\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const call = async (rest: string) => {
    vi.stubEnv('HOME', join(folder, 'home'));
    const env = { PATH: `${bin}:${rest}` };
    await closedGit({ args: ['--version'], cwd: '/', env }, []).finally(() => vi.unstubAllEnvs());
    return existsSync(join(folder, 'ran'));
  };
  return { call };
}

it('a git in the home is passed over where the machine has another', async () => {
  expect(await planted('home').call('/usr/local/bin:/usr/bin:/bin')).toBe(false);
});

it('a git of the person elsewhere is used, and so is the only one there is', async () => {
  expect(await planted('elsewhere').call('/usr/bin:/bin')).toBe(true);
  expect(await planted('home').call('/nonexistent:/bin-with-nothing')).toBe(true);
});

it('programs of the system go by their whole path', () => {
  expect(systemProgram('sh')).toMatch(/^\/(?:usr\/)?s?bin\/sh$/);
  expect(systemProgram('no-such-program')).toBe('no-such-program');
});
