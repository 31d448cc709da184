import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertSink } from '../../../src/supervise/request/parse-sink.ts';
import { parseSink } from '../../../src/supervise/request/parse-sink.ts';
import { temporaryRepository } from '../../act/temporary-repository.ts';

async function choose(text: string, { named = true, prepare = (_root: string) => {} } = {}) {
  const { root } = temporaryRepository({ 'a.txt': 'a\n' });
  prepare(root);
  const sink = parseSink(text, 'r1', root, named, text);
  await assertSink(sink, { repository: root, isGit: true, runId: 'r1' });
  return { sink, root };
}

describe('a sink in a git directory', () => {
  it.each([
    'dir:.git',
    'dir:.git/hooks',
    'dir:.GIT/hooks',
    'dir:out/../.git/hooks',
    'dir:.git./hooks',
    'dir:.g\u200cit/hooks',
    'dir:GIT~1/hooks',
    'patch:.git/hooks/pre-commit',
    'patch:deep/.Git/x.patch',
  ])('%s is refused, also where a person names it', async (text) => {
    await expect(choose(text)).rejects.toMatchObject({ code: 'SINK_REFUSED', exitCode: 2 });
  });

  it('is refused behind a link', async () => {
    const prepare = (root: string) => symlinkSync(join(root, '.git'), join(root, 'out'));
    await expect(choose('dir:out/hooks', { prepare })).rejects.toMatchObject({ code: 'SINK_REFUSED' });
    await expect(choose('patch:out/x.patch', { prepare })).rejects.toMatchObject({ code: 'SINK_REFUSED' });
  });

  it('is refused under any name', async () => {
    const prepare = (root: string) => {
      for (const name of ['objects', 'refs', 'hooks'])
        mkdirSync(join(root, 'bare', name), { recursive: true });
      symlinkSync('../.git/HEAD', join(root, 'bare/HEAD'));
    };
    await expect(choose('dir:bare/hooks', { prepare })).rejects.toMatchObject({ code: 'SINK_REFUSED' });
  });
});

describe('a sink that only a file names', () => {
  it.each([
    'dir:../out',
    'dir:/var/tmp/out',
    'patch:../work.patch',
    `dir:${homedir()}/.ssh`,
    `patch:${homedir()}/.profile.d/x`,
  ])('%s is refused outside the repository', async (text) => {
    await expect(choose(text, { named: false })).rejects.toMatchObject({ code: 'SINK_REFUSED' });
  });

  it('is refused where a link leads out', async () => {
    const prepare = (root: string) => symlinkSync('/var/tmp', join(root, 'out'));
    await expect(choose('dir:out/x', { named: false, prepare })).rejects.toMatchObject({
      code: 'SINK_REFUSED',
    });
  });

  it.each(['dir:out', 'patch:out/work.patch', 'dir:.github/out'])('%s is fine inside it', async (text) => {
    await choose(text, { named: false });
  });
});

it.each([
  'dir:../out',
  'dir:/var/tmp/out',
  'patch:../work.patch',
  'dir:.gitignored',
  'dir:git',
  'dir:my.git.d',
])('a person may name %s', async (text) => {
  await choose(text);
});

describe('a branch', () => {
  it.each([
    'HEAD',
    'head',
    'FETCH_HEAD',
    'refs/heads/x',
    'REFS/x',
    '@',
    '.x',
    'a/.b',
    'a.lock/b',
    'a..b',
    '-x',
    'a b',
    'x/',
  ])('is not called %s', async (name) => {
    await expect(choose(`branch:${name}`)).rejects.toMatchObject({ code: 'WRONG_BRANCH' });
    await expect(choose(`merge:${name}`)).rejects.toMatchObject({ code: 'WRONG_BRANCH' });
  });

  it('that is checked out, or that the work begins from, takes no delivery', async () => {
    await expect(choose('branch:main')).rejects.toMatchObject({ code: 'BRANCH_IN_USE', exitCode: 2 });
  });

  it.each(['fix/login', 'HEADER', 'x/head', 'v1.2', 'mayday/r1'])('may be called %s', async (name) => {
    expect((await choose(`branch:${name}`)).sink).toEqual({ type: 'branch', name });
  });
});
