/** Root gives folders to another user: only what is in them, never what a name in them leads to. */
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findUser, giveTo, isTrueFor } from '../../../src/platform/process/agent-user.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-user-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.getuid?.() !== 0)('a folder that root gives to nobody', () => {
  const given = join(folder, 'given');
  const owner = (path: string) => statSync(path).uid;

  it('is theirs with the files in it, and a file of root that is linked into it stays with root', () => {
    mkdirSync(join(given, 'below'), { recursive: true });
    for (const name of ['given/a', 'given/below/b', 'shadow', 'passwd', 'other-name'])
      writeFileSync(join(folder, name), 'x');
    linkSync(join(folder, 'shadow'), join(given, 'second-name'));
    symlinkSync(join(folder, 'passwd'), join(given, 'link'));
    symlinkSync(folder, join(given, 'below/way-out'));
    const nobody = findUser('nobody');
    giveTo(nobody, [given]);
    expect([given, join(given, 'a'), join(given, 'below/b')].map(owner)).toEqual(Array(3).fill(nobody.uid));
    expect(['shadow', 'passwd', 'other-name'].map((name) => owner(join(folder, name)))).toEqual([0, 0, 0]);
  });

  it('does not change a file that is theirs already: a seal on it holds', () => {
    const before = statSync(join(given, 'a')).ctimeMs;
    giveTo(findUser('nobody'), [given]);
    expect(statSync(join(given, 'a')).ctimeMs).toBe(before);
  });

  it('does not let a program of theirs get back a right of root', () => {
    const line =
      'test "$(id -u)" = "$(id -u nobody)" && test "$(grep NoNewPrivs /proc/self/status | cut -f2)" = 1';
    expect(isTrueFor(findUser('nobody'), line, [])).toBe(true);
  });
});
