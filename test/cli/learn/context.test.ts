import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAYDAY } from '../../mayday-under-test.ts';

let folder = '';

function mayday(...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: folder, USER: 'ann', MAYDAY_HOME: join(folder, 'home') };
  return spawnSync(process.execPath, ['--no-warnings', MAYDAY, ...args], {
    encoding: 'utf8',
    env,
    cwd: join(folder, 'repo'),
  });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayday-context-cli-'));
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch=main', 'repo');
  git('-C', 'repo', 'commit', '--quiet', '--no-gpg-sign', '--allow-empty', '--message', 'first');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('mayday context', () => {
  let id = '';

  it('adds a proposal as a file in the checkout', () => {
    const keys = ['--class', 'environment', '--paths', 'src/queue/**'];
    const texts = ['--title', 'Start redis first', '--guidance', 'docker compose up -d redis'];
    const added = mayday('context', 'add', '--json', ...texts, ...keys);
    expect(added.stderr).toBe('');
    ({ id } = JSON.parse(added.stdout) as { id: string });
    expect(existsSync(join(folder, 'repo/.mayday/context', `${id}.md`))).toBe(true);
    const again = mayday('context', 'add', ...texts, '--class', 'looping');
    expect(again.stderr, 'what is there is not replaced').toContain('has this title and guidance already');
  });

  it.each([
    ['a class that is none', ['--class', 'nope'], 'no such failure class'],
    ['a day that is none', ['--expires', '2026-13-45'], 'a day as YYYY-MM-DD'],
    ['no guidance', ['--guidance', ''], 'needs --title and --guidance'],
  ])('refuses %s', (_, more, words) => {
    const { status, stderr } = mayday('context', 'add', '--title', 't', '--guidance', 'g', ...more);
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('lists, finds and approves it; broken files are named and left out', () => {
    writeFileSync(join(folder, 'repo/.mayday/context/broken.md'), 'no front matter');
    const listed = mayday('context', 'ls', '--json');
    expect(listed.stderr).toContain('broken.md was left out');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { id, title: 'Start redis first', status: 'proposed' },
      { id: 'broken', status: 'broken' },
    ]);
    expect(JSON.parse(mayday('context', 'search', 'redis', '--json').stdout)).toMatchObject([{ id }]);
    expect(JSON.parse(mayday('context', 'approve', 'start-redis', '--json').stdout)).toMatchObject({
      id,
      status: 'approved',
    });
    expect(mayday('context', 'show', id).stdout).toContain('approved: approved by ann');
  });

  it('is in the flow sync, and gone after it was rejected', () => {
    const sync = JSON.parse(mayday('sync', '--json').stdout) as Record<string, unknown>;
    expect(sync).toMatchObject({ triage: [], governance: { decided_this_week: [{ id }], to_review: [] } });
    // No file of this repository lies under src/queue.
    expect(sync).toMatchObject({ governance: { stale: [{ id }] } });
    expect(JSON.parse(mayday('context', 'reject', id, '--json').stdout)).toEqual({
      id,
      title: 'Start redis first',
      status: 'revoked',
      briefs: [],
    });
  });

  it('refuses what is no lesson and says what to do', () => {
    expect(mayday('context', 'approve', 'nothing')).toMatchObject({ status: 2 });
    expect(mayday('context', 'add', '--title', 'x').stderr).toContain('WRONG_LESSON');
    expect(mayday('context', 'burn').stderr).toContain('mayday context ls');
  });
});

describe('mayday report', () => {
  it('prints the classic lines for an empty record, and one JSON document', () => {
    const text = mayday('report').stdout;
    expect(text).toMatch(/Total agent tasks: +0$/m);
    expect(text).toMatch(/Interrupted \(SIGINT\) +0 +none +-$/m);
    const report = JSON.parse(mayday('report', '--format', 'json', '--since', '7d').stdout) as object;
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining([
        'period',
        'tasks',
        'unblock',
        'learning',
        'missions',
        'criteria',
        'by',
        'recent',
      ]),
    );
    expect(mayday('report', '--format', 'pdf').status).toBe(2);
    expect(mayday('report', '--false-positive', 'nobody').stderr).toContain('UNKNOWN_INCIDENT');
  });
});
