import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunJson } from '../src/core/view/run-json.ts';
import { ModelServer } from '../tools/model-server/model-server.ts';
import type { ModelScriptInput } from '../tools/model-server/script.ts';
import type { AgentCli } from './agent-cli.ts';
import { Box } from './bare-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';
import { eventually } from './eventually.ts';
import { installPackage } from './install-package.ts';
import { callMayday, initRepository } from './mayday-cli.ts';

/** Several starts of CLIs of 350 MB on a loaded machine. */
const SLOW_MS = 240_000;

interface AcpProgram {
  readonly title: string;
  readonly cli: AgentCli;
  /** As `--agent` names it. Its own Node: the adapters of two agents need a newer one than this machine has on its PATH. */
  readonly agent: string;
}

const claude = installPackage('@agentclientprotocol/claude-agent-acp', '0.99.1');
const codex = installPackage('@agentclientprotocol/codex-acp', '2.6.0');
const PROGRAMS: readonly AcpProgram[] = [
  {
    title: 'claude-agent-acp 0.99.1',
    cli: claudeCli(CLAUDE_VERSIONS.at(-1) ?? ''),
    agent: `acp:${process.execPath} ${join(claude, '@agentclientprotocol/claude-agent-acp/dist/index.js')}`,
  },
  {
    title: 'codex-acp 2.6.0',
    cli: codexCli,
    agent: `acp:${process.execPath} ${join(codex, '@agentclientprotocol/codex-acp/dist/index.js')}`,
  },
];

const clean: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

/** Allowed as a check of the task, so the brief names it, but not what it prints. */
const LOOK = "printf 'MARK-%s' PAST";
const POLICY = { backoff_ms: 500, silence_ms: 8_000, stop_soft_ms: 10_000, stop_term_ms: 2_000 };

async function run(
  { cli, agent }: AcpProgram,
  rules: ModelScriptInput['rules'],
): Promise<{ box: Box; server: ModelServer; exitCode: number | null; shown: RunJson }> {
  const server = await ModelServer.start({ rules });
  const box = new Box(cli, server.url);
  clean.push(
    () => server.close(),
    () => box.remove(),
  );
  initRepository(box, POLICY);
  const names = Object.keys(box.env).filter((name) => /^(ANTHROPIC|CLAUDE|CODEX|OPENAI)_/.test(name));
  const env = names.flatMap((name) => ['--env', name]);
  const args = [
    'run',
    '--agent',
    agent,
    ...env,
    '--check',
    'test -f out.txt',
    '--check',
    LOOK,
    '--json',
    'write out.txt',
  ];
  const { exitCode, stdout, stderr } = await callMayday(box, [], args);
  if (stdout === '') throw new Error(stderr);
  await eventually('nothing is left of it', () => box.alive.length === 0, 30_000);
  return { box, server, exitCode, shown: JSON.parse(stdout) as RunJson };
}

describe.each(PROGRAMS)('$title under Mayday', (program) => {
  const { cli } = program;
  const work = { text: 'I write.', tools: [cli.write('out.txt', 'hello')] };
  const done = { when: { tool_result: true }, reply: { text: 'All done.' } };

  it(
    'works, is delivered, tells its session, and nothing is left',
    async () => {
      const { exitCode, shown } = await run(program, [{ when: { turn: 1 }, reply: work }, done]);
      expect(exitCode, JSON.stringify(shown.incidents)).toBe(0);
      expect(shown.attempts).toMatchObject([{ agent_session: expect.stringMatching(/\w{8}/), exit_code: 0 }]);
    },
    SLOW_MS,
  );

  it(
    'a stalled stream is cancelled by the protocol, and the loaded session goes on with its history',
    async () => {
      const { exitCode, shown, server } = await run(program, [
        {
          when: { turn: 1, none_includes: 'MARK-PAST' },
          reply: { text: 'I look.', tools: [cli.shell(LOOK)] },
        },
        {
          when: { tool_result_includes: 'MARK-PAST' },
          times: 1,
          fault: { type: 'stall', text: 'Let me' },
        },
        {
          name: 'knows its past',
          when: { any_includes: 'MARK-PAST', tool_result: false },
          reply: work,
        },
        done,
      ]);
      expect(exitCode, JSON.stringify(shown.incidents)).toBe(0);
      expect(shown.attempts).toMatchObject([{ exit_code: 130 }, { resumed: true }]);
      expect(shown.attempts[1]?.agent_session).toBe(shown.attempts[0]?.agent_session);
      expect(server.requests.map(({ rule }) => rule)).toContain('knows its past');
    },
    SLOW_MS,
  );
});
