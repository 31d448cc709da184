import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MAYDAY } from '../../mayday-under-test.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A stand-in that speaks like Claude Code: enough for the first minute, where no model is asked. */
function claude(version: string): string {
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    usage: { output_tokens: 3 },
  };
  return `#!/bin/sh
case "$1" in
  --version) echo '${version} (Claude Code)' ;;
  *) cat > /dev/null; echo hello > out.txt; echo '${JSON.stringify(result)}' ;;
esac
`;
}

interface World {
  readonly program?: string;
  readonly commits?: boolean;
  readonly dirty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

function run({ program, commits = true, dirty = false, env = { ANTHROPIC_API_KEY: 'k' } }: World) {
  const root = mkdtempSync(join(tmpdir(), 'mayday-first-'));
  folders.push(root);
  const repo = join(root, 'repo');
  for (const name of ['repo', 'bin', 'home']) mkdirSync(join(root, name));
  const base = { HOME: join(root, 'home'), PATH: `${join(root, 'bin')}:/usr/bin:/bin` };
  const git = (...args: string[]) => spawnSync('git', args, { cwd: repo, env: base });
  git('init', '-q', '-b', 'main');
  if (commits)
    git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-q', '--allow-empty', '-m', 'base');
  if (dirty) writeFileSync(join(repo, 'notes.txt'), 'mine');
  if (program !== undefined) {
    writeFileSync(join(root, 'bin/claude'), program);
    chmodSync(join(root, 'bin/claude'), 0o755);
  }
  const args = [
    MAYDAY,
    'run',
    '--agent',
    'claude',
    '--check',
    'grep -q hello out.txt',
    'write hello to out.txt',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: repo,
    env: { ...base, ...env, MAYDAY_HOME: join(root, 'mayday') },
    encoding: 'utf8',
  });
  return { status, said: `${stdout}\n${stderr}` };
}

describe('mayday run --agent claude says exactly what to do', () => {
  it('without the program', () => {
    const { status, said } = run({});
    expect(status).toBe(1);
    expect(said).toMatch(/"claude" was not found/);
    expect(said).toContain('npm install -g @anthropic-ai/claude-code@');
  });

  it('with a program that is broken', () => {
    const { status, said } = run({ program: '#!/bin/sh\necho native binary missing; exit 3\n' });
    expect(status).toBe(1);
    expect(said).toContain('native binary missing');
  });

  it.runIf(process.platform === 'linux')('without a login', () => {
    const { status, said } = run({ program: claude('2.1.325'), env: {} });
    expect(status).toBe(1);
    expect(said).toMatch(/not logged in/);
    expect(said).toContain('claude setup-token');
  });

  it('in a repository without commits', () => {
    const { status, said } = run({ program: claude('2.1.325'), commits: false });
    expect(status).toBe(2);
    expect(said).toMatch(/no commits/);
    expect(said).toContain('git commit');
  });

  it('with an unknown version: warns, and goes on', () => {
    const { status, said } = run({ program: claude('9.9.9') });
    expect(said).toMatch(/9\.9\.9 is newer than the versions/);
    expect(status).toBe(0);
  });

  it('with a dirty tree: says what is left out, and goes on', () => {
    const { status, said } = run({ program: claude('2.1.325'), dirty: true });
    expect(said).toMatch(/notes\.txt.*--include-dirty/);
    expect(status).toBe(0);
  });
});
