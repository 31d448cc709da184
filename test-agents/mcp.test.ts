import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunJson } from '../src/core/view/run-json.ts';
import { ModelServer } from '../tools/model-server/model-server.ts';
import { sampled } from '../test/lane.ts';
import { ACP_CLIS } from './acp-cli.ts';
import { Box } from './bare-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';
import { opencodeCli } from './opencode-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { installCli } from './install-cli.ts';
import { installPackage } from './install-package.ts';
import { callMayday, initRepository, MAYDAY } from './mayday-cli.ts';

/** Several starts of CLIs of 350 MB on a loaded machine. */
const SLOW_MS = 240_000;

const clean: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

const CLIS = [
  ...CLAUDE_VERSIONS.map((version) => ({ cli: claudeCli(version), prefix: 'mcp__mayday__' })),
  { cli: codexCli, prefix: 'mcp__mayday__' },
  { cli: opencodeCli, prefix: 'mayday_' },
  // Headless it takes no server for one run: its settings must belong to root. The protocol carries it.
  { cli: geminiCli, prefix: 'mcp_mayday_', agent: 'gemini-acp' },
  ...ACP_CLIS.map((cli) => ({ cli, prefix: 'mcp__mayday__' })),
].map((one) => ({ agent: one.cli.adapter.name, ...one }));
/** `npm run test:agents -- --all` plays every one. */
const SAMPLE = 3;

describe.each(sampled(CLIS, SAMPLE))(
  '$cli.title $cli.version as $agent with the tools of Mayday',
  ({ cli, prefix, agent }) => {
    it(
      'calls checkpoint, record_note and raise_blocker; the run saves, keeps and asks; the answer reaches it',
      async () => {
        const program = installCli(cli);
        const use = (name: string, input: object) => ({
          tools: [{ name: `${prefix}${name}`, input: input as Record<string, unknown> }],
        });
        const server = await ModelServer.start({
          rules: [
            // First, because the answer may reach a new conversation.
            { when: { tool_result_includes: 'b.txt' }, reply: { text: 'All done.' } },
            {
              when: { last_user_includes: 'sqlite', tool_result: false },
              reply: { tools: [cli.write('b.txt', 'B')] },
            },
            { when: { turn: 1 }, reply: { tools: [cli.write('a.txt', 'A')] } },
            {
              when: { turn: 2 },
              reply: use('checkpoint', { completed: ['a.txt'], next_actions: ['b.txt'] }),
            },
            { when: { turn: 3 }, reply: use('record_note', { text: 'the parser is in lib' }) },
            {
              when: { turn: 4 },
              reply: use('raise_blocker', {
                reason: 'two stores fit',
                question: 'Which store?',
                options: ['files', 'sqlite'],
              }),
            },
            { when: { turn: 5 }, reply: { text: 'I stop and wait for the answer.' } },
            { reply: { text: 'All done.' } },
          ],
        });
        const box = new Box(cli, server.url);
        clean.push(
          () => server.close(),
          () => box.remove(),
        );
        initRepository(box);
        const mayday = (...args: string[]) => callMayday(box, [program], args);
        const asked = await mayday('run', '--agent', agent, '--check', 'test -f b.txt', '--json', 'write it');
        expect(asked, asked.stderr).toMatchObject({ exitCode: 3 });
        const waiting = JSON.parse(asked.stdout) as RunJson;
        expect(waiting).toMatchObject({
          attempts: [{ notes: ['the parser is in lib'] }],
          partial_work: { created: ['a.txt'], completed: ['a.txt'], missing: ['b.txt'] },
        });
        const [question] = waiting.questions;
        expect(question).toMatchObject({
          state: 'open',
          options: [{ id: 'option_1' }, { id: 'option_2' }, {}, {}],
        });
        await mayday('answer', question?.id ?? '', 'option_2');
        await mayday('watch', waiting.run_id);
        const shown = JSON.parse((await mayday('show', waiting.run_id, '--json')).stdout) as RunJson;
        expect(shown.state).toBe('delivered');
        expect(shown.attempts.at(-1)).toMatchObject({ resumed: true });
        expect(readdirSync(box.root), 'nothing of the person was written').not.toContain('.mcp.json');
      },
      SLOW_MS,
    );
  },
);

/** The part of the official SDK that is used here. */
interface Sdk {
  Client: new (
    info: object,
  ) => {
    connect(transport: unknown): Promise<void>;
    listTools(): Promise<{ tools: { name: string }[] }>;
    callTool(call: object): Promise<{ isError?: boolean; structuredContent?: unknown }>;
    getServerVersion(): { name: string } | undefined;
    close(): Promise<void>;
  };
  StdioClientTransport: new (options: object) => unknown;
}

it(
  'the client of the official SDK lists runs and reads a diagnosis',
  async () => {
    const esm = join(
      installPackage('@modelcontextprotocol/sdk', '1.32.2'),
      '@modelcontextprotocol/sdk/dist/esm',
    );
    const { Client } = (await import(join(esm, 'client/index.js'))) as Sdk;
    const { StdioClientTransport } = (await import(join(esm, 'client/stdio.js'))) as Sdk;
    const box = new Box(claudeCli(''), 'http://127.0.0.1:9');
    clean.push(() => box.remove());
    initRepository(box);
    const run = await callMayday(box, [], ['run', '--json', 'write it', '--', 'sh', '-c', 'echo A > a.txt']);
    const client = new Client({ name: 'test', version: '1' });
    const env = { ...box.env, MAYDAY_HOME: join(box.root, 'mayday') };
    const args = [MAYDAY, 'mcp', '--read-only'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    clean.push(() => client.close());
    expect(client.getServerVersion()).toMatchObject({ name: 'mayday' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_runs', 'show_run', 'diagnose', 'autopsy']);
    const listed = await client.callTool({ name: 'list_runs', arguments: {} });
    const { run_id } = JSON.parse(run.stdout) as RunJson;
    expect(listed.structuredContent).toMatchObject({ runs: [{ run_id }] });
    const output = 'Error: connect ECONNREFUSED 127.0.0.1:5432';
    const diagnosed = await client.callTool({ name: 'diagnose', arguments: { output, exit_code: 1 } });
    expect(diagnosed.structuredContent).toMatchObject({
      failure_type: expect.any(String),
      evidence: [{ text: output }],
    });
    expect(await client.callTool({ name: 'show_run', arguments: { run: 'nope' } })).toMatchObject({
      isError: true,
    });
  },
  SLOW_MS,
);
