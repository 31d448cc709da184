import { describe, expect, it } from 'vitest';
import type { LaunchContext, PreflightResult } from '../../../src/agents/adapter.ts';
import { claudeAdapter } from '../../../src/agents/claude/claude-adapter.ts';
import { findAdapter } from '../../../src/agents/registry.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';

const context: LaunchContext & { readonly agentSession: string } = {
  mode: 'fresh',
  agentSession: SESSION,
  brief: { path: '/state/brief.md', text: 'Write hello' },
  workspace: '/work/repo_one',
  attemptDir: "/state/it's/attempt-1",
  permissions: {
    checks: ['npm test', 'test -f a.txt && test -f b.txt'],
    allowedTools: ['WebFetch'],
    skipAll: false,
  },
  noteFiles: ['/state/blocker.json'],
  model: null,
  maxTurns: null,
  command: [],
  version: '2.1.325',
  env: { HOME: '/home/dev' },
};

function settingsOf(plan: ReturnType<typeof claudeAdapter.launch>) {
  return JSON.parse(plan.files[0]?.content as string) as {
    permissions: { allow: string[] };
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
}

describe('starting Claude Code', () => {
  it('a fresh session gets its id from us, the brief by stdin', () => {
    const plan = claudeAdapter.launch(context);
    expect(plan.argv.slice(0, 8)).toEqual([
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--session-id',
      SESSION,
    ]);
    expect(plan.stdin).toBe('brief');
    expect(plan.argv.join(' ')).not.toContain('Write hello');
  });

  it('a resume names the session and takes no new id', () => {
    const { argv } = claudeAdapter.launch({ ...context, mode: 'resume' });
    expect(argv.join(' ')).toContain(`--resume ${SESSION}`);
    expect(argv).not.toContain('--session-id');
  });

  it('gets the tools of Mayday for this run, beside the servers that the person has', () => {
    const mcpServer = { command: '/node', args: ['mayday.js', 'mcp'], env: { MAYDAY_BLOCKER: '/b' } };
    const plan = claudeAdapter.launch({ ...context, mcpServer });
    const config = plan.files.find(({ path }) => plan.argv.includes(path) && path.endsWith('mcp.json'));
    expect(JSON.parse(config?.content ?? '')).toEqual({ mcpServers: { mayday: mcpServer } });
    expect(config?.path.startsWith(context.attemptDir)).toBe(true);
    expect(plan.argv).not.toContain('--strict-mcp-config');
    expect(settingsOf(plan).permissions.allow).toContain('mcp__mayday');
  });

  it('edits and the checks are allowed, word for word; the rest only by the person', () => {
    const plan = claudeAdapter.launch(context);
    expect(plan.argv.join(' ')).toContain('--permission-mode acceptEdits');
    expect(settingsOf(plan).permissions.allow).toEqual([
      'Bash(npm test)',
      'Bash(test -f a.txt && test -f b.txt)',
      'Edit(//state/blocker.json)',
      'WebFetch',
    ]);
    expect(plan.argv).not.toContain('--dangerously-skip-permissions');
    const free = claudeAdapter.launch({ ...context, permissions: { ...context.permissions, skipAll: true } });
    expect(free.argv).toContain('--dangerously-skip-permissions');
  });

  it('its own retries are few, unless the person set them, and it suggests nothing, behind ACP too', () => {
    expect(claudeAdapter.launch(context).env).toMatchObject({
      CLAUDE_CODE_MAX_RETRIES: '2',
      DISABLE_AUTOUPDATER: '1',
    });
    const env = { ...context.env, CLAUDE_CODE_MAX_RETRIES: '7' };
    expect(claudeAdapter.launch({ ...context, env }).env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '7' });
    expect(findAdapter('claude-acp')?.launch({ ...context, env }).env).toMatchObject({
      CLAUDE_CODE_MAX_RETRIES: '7',
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    });
  });

  it('cloud credentials pass only when the CLI is pointed at that cloud', () => {
    expect(claudeAdapter.launch(context).passEnv).not.toContain('AWS_*');
    const env = { ...context.env, CLAUDE_CODE_USE_BEDROCK: '1' };
    expect(claudeAdapter.launch({ ...context, env }).passEnv).toContain('AWS_*');
  });

  it('model, turns and program are passed on', () => {
    const { argv } = claudeAdapter.launch({
      ...context,
      model: 'sonnet',
      maxTurns: 7,
      command: ['/opt/claude'],
    });
    expect(argv[0]).toBe('/opt/claude');
    expect(argv.join(' ')).toContain('--model sonnet --max-turns 7');
  });

  it('the session file is found under the configuration directory, by the workspace', () => {
    expect(claudeAdapter.sessionFiles(context)[0]).toBe(
      `/home/dev/.claude/projects/-work-repo-one/${SESSION}.jsonl`,
    );
    const env = { CLAUDE_CONFIG_DIR: '/cfg' };
    expect(claudeAdapter.sessionFiles({ ...context, env })[0]).toBe(
      `/cfg/projects/-work-repo-one/${SESSION}.jsonl`,
    );
  });
});

describe('before the start', () => {
  const fine: PreflightResult = {
    spawnError: null,
    exitCode: 0,
    stdout: '2.1.325 (Claude Code)\n',
    stderr: '',
    present: [],
    env: { ANTHROPIC_API_KEY: 'k' },
    platform: 'linux',
  };
  const codes = (result: Partial<PreflightResult>) =>
    claudeAdapter
      .judgePreflight({ ...fine, ...result })
      .problems.map(({ severity, code }) => `${severity} ${code}`);

  it('a known version with a login has no problems', () => {
    expect(claudeAdapter.judgePreflight(fine)).toEqual({ version: '2.1.325', problems: [] });
    expect(codes({ env: {}, present: ['/home/dev/.claude/.credentials.json'] })).toEqual([]);
  });

  it('without the program it says how to install it', () => {
    const { problems } = claudeAdapter.judgePreflight({
      ...fine,
      spawnError: 'ENOENT',
      exitCode: null,
      stdout: '',
    });
    expect(problems).toMatchObject([{ severity: 'error', code: 'agent_missing' }]);
    expect(problems[0]?.advice).toContain('npm install -g @anthropic-ai/claude-code@2.1.325');
  });

  it('without a login it says how to log in', () => {
    expect(codes({ env: {} })).toEqual(['error login_missing']);
    expect(codes({ env: {}, platform: 'darwin' })).toEqual([]);
  });

  it('an unknown version is a warning and goes on; an older one is told to update', () => {
    expect(codes({ stdout: '3.0.0 (Claude Code)' })).toEqual(['warning version_unknown']);
    expect(codes({ stdout: '2.1.9 (Claude Code)' })).toEqual(['warning version_too_old']);
  });

  it('a program that does not answer like Claude Code is unusable', () => {
    expect(codes({ stdout: 'hello' })).toEqual(['error agent_unusable']);
    expect(codes({ spawnError: 'EACCES', exitCode: null })).toEqual(['error agent_unusable']);
    expect(codes({ exitCode: 1, stderr: 'native binary not installed' })).toEqual(['error agent_unusable']);
  });

  it('the probe asks for the version and looks for the credentials file', () => {
    expect(claudeAdapter.preflight(context)).toMatchObject({
      argv: ['claude', '--version'],
      lookFor: ['/home/dev/.claude/.credentials.json'],
    });
  });
});
