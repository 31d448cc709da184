import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RunJson } from '../src/core/view/run-json.ts';
import { ModelServer } from '../tools/model-server/model-server.ts';
import { Box } from './bare-cli.ts';
import { codexCli } from './codex-cli.ts';
import { installCli } from './install-cli.ts';
import { opencodeCli } from './opencode-cli.ts';
import { prepareRepository } from './supervised.ts';
import { CHECK, TASK } from './story.ts';

const MAYDAY = resolve(import.meta.dirname, '../bin/mayday.js');
const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

it('a run goes from Codex to opencode with the partial work and what was learned', async () => {
  const codex = { model_includes: 'gpt-5-codex' };
  const server = await ModelServer.start({
    rules: [
      // Codex does half of the work and then refuses, each time.
      {
        when: { ...codex, turn: 1, tool_result: false },
        reply: { tools: [codexCli.write('half.txt', 'half')] },
      },
      { when: codex, reply: { text: 'I cannot write out.txt; only half.txt is there.' } },
      {
        name: 'takes over',
        when: { model_includes: 'model', turn: 1, last_user_includes: 'half.txt' },
        reply: { text: 'I go on.', tools: [opencodeCli.write('out.txt', 'hello')] },
      },
      { when: { tool_result_includes: opencodeCli.wrote }, reply: { text: 'All done: out.txt is written.' } },
    ],
  });
  const box = new Box(codexCli, server.url);
  clean.push(
    () => server.close(),
    () => Promise.resolve(box.remove()),
  );
  mkdirSync(join(box.root, 'data'), { recursive: true });
  prepareRepository(box, { name: 'reassign', rules: [], expect: { class: [null] } });
  const programs = [installCli(codexCli), installCli(opencodeCli)];
  const env = {
    ...box.env,
    ...opencodeCli.environment(box.root, server.url),
    MAYDAY_HOME: join(box.root, 'mayday'),
    PATH: [...programs.map(dirname), box.env['PATH']].join(delimiter),
  };
  const args = ['run', '--agent', 'codex', '--fallback', 'opencode', '--check', CHECK, '--json', TASK];
  const run = JSON.parse(await output([MAYDAY, ...args], box.repo, env)) as RunJson;
  expect(run.state, run.next_step ?? '').toBe('delivered');
  expect(run.attempts[0]).toMatchObject({ agent: 'codex' });
  expect(run.attempts.at(-1)).toMatchObject({ agent: 'opencode' });
  expect(server.requests.map(({ rule }) => rule)).toContain('takes over');
}, 600_000);

async function output(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  await new Promise((ended) => child.once('close', ended));
  return text;
}
