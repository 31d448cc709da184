import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeAdapter } from '../src/agents/claude/claude-adapter.ts';
import { openCalls } from '../src/act/attempt/attempt-knowledge.ts';
import { ModelServer } from '../tools/model-server/model-server.ts';
import type { ModelScriptInput } from '../tools/model-server/script.ts';
import type { AgentCli } from './agent-cli.ts';
import { type BareStart, Box, runBare } from './bare-cli.ts';
import { eventually } from './eventually.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { installCli } from './install-cli.ts';
import { CLAUDE_QUIRKS } from '../test/agents/claude/quirks.ts';

const SLOW = 'echo started > started.txt; sleep 120; echo slept';
const WRITE = { name: 'Write', input: { file_path: '{{cwd}}/out.txt', content: 'hello' } };
const DONE = { when: { tool_result: true }, reply: { text: 'All done.' } };
const clean: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

async function worldOf(
  cli: AgentCli,
  rules: ModelScriptInput['rules'],
): Promise<{ server: ModelServer; box: Box }> {
  const server = await ModelServer.start({ rules });
  const box = new Box(cli, server.url);
  clean.push(
    () => server.close(),
    () => Promise.resolve(box.remove()),
  );
  return { server, box };
}

function bash(command: string) {
  return { name: 'Bash', input: { command, description: 'Run it' } };
}

describe.each(CLAUDE_VERSIONS)('Claude Code %s, started as the adapter plans it', (version) => {
  const cli = claudeCli(version);
  const program = installCli(cli);
  const world = (...rules: ModelScriptInput['rules']) => worldOf(cli, rules);
  const start = (brief: string, more: Partial<BareStart> = {}): BareStart => ({
    command: program,
    brief,
    ...more,
  });

  it('edits the workspace, reports usage, cost and exact tool times, and leaves its session where we look', async () => {
    const { box } = await world({ when: { turn: 1 }, reply: { text: 'I write.', tools: [WRITE] } }, DONE);
    const run = await runBare(box, start('Write hello to out.txt'));
    expect(run).toMatchObject({ exitCode: 0, unknown: [], verdict: { claimsDone: true, failure: null } });
    expect(readFileSync(join(box.repo, 'out.txt'), 'utf8')).toBe('hello');
    expect(run.entries.find(({ type }) => type === 'session')).toMatchObject({
      sessionId: run.agentSession,
      version,
    });
    expect(run.entries.find(({ type }) => type === 'tool_result')).toMatchObject({
      durationMs: expect.any(Number),
    });
    expect(run.verdict.usage).toMatchObject({ inputTokens: 2000, outputTokens: 100, turns: 2 });
    expect(run.verdict.usage?.costUsd).toBeGreaterThan(0);
    const [file] = claudeAdapter.sessionFiles({
      agentSession: run.agentSession,
      workspace: box.repo,
      env: box.env,
    });
    expect(existsSync(file as string)).toBe(true);
  });

  it.each([
    'test -f a.txt || echo missing',
    'node -e "console.log([1, 2].map((n) => n))"',
    'for i in 1 2; do echo $i; done',
  ])('may run a check, word for word: %s', async (check) => {
    const { box } = await world({ when: { turn: 1 }, reply: { tools: [bash(check)] } }, DONE);
    const run = await runBare(box, start('Check it', { permissions: { checks: [check] } }));
    expect(run.verdict).toMatchObject({ failure: null, deniedTools: [] });
    expect(run.entries.find(({ type }) => type === 'tool_result')).toMatchObject({ isError: false });
  });

  it('is denied what nobody allowed; its exit code 0 is not believed', async () => {
    const { box } = await world({ when: { turn: 1 }, reply: { tools: [bash('node -e "1"')] } }, DONE);
    const run = await runBare(box, start('Try it', { permissions: { checks: ['npm test'] } }));
    expect(run).toMatchObject({ exitCode: 0, unknown: [] });
    expect(run.verdict).toMatchObject({
      claimsDone: true,
      failure: { class: 'permission_denied' },
      deniedTools: ['Bash(node -e "1")'],
    });
  });

  it('killed in the middle of a tool, it resumes in the same session with its history', async () => {
    const { server, box } = await world(
      { when: { turn: 1 }, reply: { text: 'I begin.', tools: [bash(SLOW)] } },
      {
        name: 'knows its open call',
        when: { last_user_includes: 'Go on', any_includes: SLOW },
        reply: { text: 'I go on.', tools: [WRITE] },
      },
      {
        name: 'knows its task',
        when: { last_user_includes: 'Go on', any_includes: 'Begin the work' },
        reply: { text: 'I go on.', tools: [WRITE] },
      },
      DONE,
    );
    const permissions = { checks: [SLOW] };
    const killed = await runBare(box, start('Begin the work', { permissions }), async (child) => {
      await eventually('the tool runs', () => existsSync(join(box.repo, 'started.txt')));
      await box.sessionTells(SLOW);
      child.kill('SIGKILL');
    });
    expect(killed.verdict.failure?.class).toBe('crashed');
    expect(openCalls(killed.entries)).toMatchObject([{ tool: 'Bash', input: SLOW }]);
    expect(box.alive.length, 'quirk kill_orphans_tools').toBeGreaterThan(0);

    const resumed = await runBare(
      box,
      start('Go on', { mode: 'resume', agentSession: killed.agentSession, permissions }),
    );
    expect(resumed.verdict).toMatchObject({ claimsDone: true, failure: null });
    expect(resumed.entries.find(({ type }) => type === 'session')).toMatchObject({
      sessionId: killed.agentSession,
    });
    expect(server.requests.at(-1)?.session).toBe(killed.agentSession);
    const quirk = CLAUDE_QUIRKS.find(({ code }) => code === 'resume_forgets_open_call');
    const forgets = quirk?.versions?.includes(version) === true;
    expect(server.requests[1]?.rule).toBe(forgets ? 'knows its task' : 'knows its open call');
  });

  it('tells the reset of a usage limit at once, to the second', async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 3_600;
    const headers = {
      'retry-after': '3600',
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': String(resetsAt),
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
    };
    const { server, box } = await world({ fault: { type: 'status', status: 429, headers } });
    const env = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' };
    const run = await runBare(box, start('Write', { env }));
    expect(run.verdict).toMatchObject({
      claimsDone: false,
      failure: { class: 'rate_limited', status: 429, retryAt: resetsAt * 1000 },
    });
    expect(run.unknown).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['overloaded', { type: 'status', status: 529 }, 3],
    ['overloaded', { type: 'status', status: 500 }, 3],
    ['auth_failure', { type: 'status', status: 401 }, 3],
    ['context_overflow', { type: 'status', status: 400 }, 1],
    ['network_failure', { type: 'drop', text: 'Half an' }, 4],
    ['network_failure', { type: 'malformed', kind: 'html' }, 2],
  ] as const)('says %s within seconds, with few requests', async (kind, fault, mostRequests) => {
    const { server, box } = await world({ fault });
    const run = await runBare(box, start('Write'));
    expect(run.verdict).toMatchObject({ claimsDone: false, failure: { class: kind } });
    expect(run.unknown).toEqual([]);
    expect(server.requests.length).toBeLessThanOrEqual(mostRequests);
    // Generous: the CLI itself takes 10 s on a loaded machine, its own retries would take minutes.
    expect(run.seconds).toBeLessThan(45);
  });
});
