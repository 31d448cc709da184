import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LaunchContext } from '../../../src/agents/adapter.ts';
import { codexAdapter } from '../../../src/agents/codex/codex-adapter.ts';
import { shellCommand } from '../../../src/agents/codex/stream-reader.ts';

const context: LaunchContext = {
  mode: 'fresh',
  agentSession: null,
  brief: { path: '/state/brief.md', text: 'Write hello' },
  workspace: '/repo',
  attemptDir: '/state/attempt-1',
  noteFiles: ['/state/attempt-1/checkpoint.json', '/state/attempt-1/blocker.json'],
  permissions: { checks: ['npm test'], allowedTools: [], skipAll: false },
  model: null,
  maxTurns: null,
  command: [],
  version: '0.166.0',
  env: { HOME: '/home/dev' },
};

describe('starting Codex', () => {
  it('works headless in its own sandbox, asks for nothing, and reads the brief on stdin', () => {
    const plan = codexAdapter.launch(context);
    expect(plan.argv.join(' ')).toBe(
      'codex exec --json --skip-git-repo-check --sandbox workspace-write -c approval_policy="never" --add-dir /state/attempt-1 -c shell_environment_policy.exclude=["RUST_LOG"] -',
    );
    expect(plan).toMatchObject({ stdin: 'brief', files: [], hookFiles: [] });
  });

  it('asks its log for the pieces of a message, unless the person has a log or hides variables from tools', () => {
    const ofLog = (env: LaunchContext['env'], workspace = '/repo') => {
      const plan = codexAdapter.launch({ ...context, env, workspace });
      return [plan.env['RUST_LOG'], plan.argv.some((word) => word.includes('shell_environment_policy'))];
    };
    const home = mkdtempSync(join(tmpdir(), 'mayday-codex-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const env = { CODEX_HOME: home };
    const asked = ['error,codex_api::sse::responses=trace', true];
    expect(ofLog(env)).toEqual(asked);
    writeFileSync(join(home, 'config.toml'), 'model = "m"\n');
    expect(ofLog(env)).toEqual(asked);
    expect(ofLog({ ...env, RUST_LOG: 'info' })).toEqual([undefined, false]);
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex/config.toml'), '[shell_environment_policy]\nexclude = ["AWS_*"]\n');
    expect(ofLog(env, home)).toEqual([undefined, false]);
    rmSync(join(home, 'config.toml'));
    symlinkSync('/dev/zero', join(home, 'config.toml'));
    expect(ofLog(env)).toEqual([undefined, false]);
  });

  it('goes on in the session that the agent told', () => {
    const plan = codexAdapter.launch({ ...context, mode: 'resume', agentSession: 'abc-1' });
    expect(plan.argv.slice(-3)).toEqual(['resume', 'abc-1', '-']);
  });

  it('gets the tools of Mayday for the run, as options and not as a file', () => {
    const mcpServer = {
      command: '/bin/node',
      args: ['mayday.js', 'mcp'],
      env: { MAYDAY_NOTES: '/state/a "b"' },
    };
    const { argv, files } = codexAdapter.launch({ ...context, mcpServer });
    expect(argv.filter((word) => word.startsWith('mcp_servers.mayday.'))).toEqual([
      'mcp_servers.mayday.command="/bin/node"',
      'mcp_servers.mayday.args=["mayday.js","mcp"]',
      String.raw`mcp_servers.mayday.env={MAYDAY_NOTES="/state/a \"b\""}`,
      'mcp_servers.mayday.default_tools_approval_mode="approve"',
    ]);
    expect(files).toEqual([]);
  });

  it('lifts the sandbox only when the person said so', () => {
    const wide = {
      checks: [],
      allowedTools: ['sandbox:danger-full-access', 'dir:/srv/data'],
      skipAll: false,
    };
    expect(codexAdapter.launch({ ...context, permissions: wide }).argv.join(' ')).toContain(
      '--sandbox danger-full-access -c approval_policy="never" --add-dir /state/attempt-1 --add-dir /srv/data',
    );
    const all = { checks: [], allowedTools: ['all'], skipAll: true };
    expect(codexAdapter.launch({ ...context, permissions: all }).argv).toContain(
      '--dangerously-bypass-approvals-and-sandbox',
    );
  });

  it('gets the login that it documents, without a word in the configuration', () => {
    expect(codexAdapter.launch(context).passEnv).toEqual(
      expect.arrayContaining(['OPENAI_API_KEY', 'CODEX_*']),
    );
  });

  it('a machine without a login is told before the run', () => {
    const result = {
      spawnError: null,
      exitCode: 0,
      stdout: 'codex-cli 0.166.0\n',
      stderr: '',
      platform: 'linux',
    };
    expect(codexAdapter.judgePreflight({ ...result, present: [], env: {} })).toMatchObject({
      version: '0.166.0',
      problems: [{ code: 'login_missing' }],
    });
    const key = { OPENAI_API_KEY: 'k' };
    expect(codexAdapter.judgePreflight({ ...result, present: [], env: key }).problems).toEqual([]);
    const newer = { ...result, stdout: 'codex-cli 0.200.0\n', present: [], env: key };
    expect(codexAdapter.judgePreflight(newer).problems).toMatchObject([{ code: 'version_unknown' }]);
  });
});

describe('the command in a shell call of Codex', () => {
  it.each([
    [`/bin/bash -lc 'echo "a b" > c'`, 'echo "a b" > c'],
    [`bash -lc ls`, 'ls'],
    [`/bin/zsh -lc "echo 'it' \\"and\\" \\$HOME"`, `echo 'it' "and" $HOME`],
    [`/bin/bash -lc 'a' 'b'`, `/bin/bash -lc 'a' 'b'`],
    ['git status', 'git status'],
  ])('%s', (line, command) => {
    expect(shellCommand(line)).toBe(command);
  });
});
