import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { resumableSession } from '../src/act/attempt/resumable-session.ts';
import { ModelServer } from '../src/drills/model-server/model-server.ts';
import { Box, runBare } from './bare-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { installCli } from './install-cli.ts';

/** Two starts of CLIs of 350 MB on a loaded machine. */
const SLOW_MS = 240_000;
const clean: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

it.each([...CLAUDE_VERSIONS.map(claudeCli), codexCli, geminiCli])(
  '$title $version goes on with a mended copy of its session: the model sees its history again, the original stays',
  async (cli) => {
    const server = await ModelServer.start({
      rules: [
        { when: { turn: 1 }, reply: { text: 'I look.', tools: [cli.shell("printf 'MARK-%s' ONE")] } },
        { when: { turn: 2 }, reply: { text: 'Again.', tools: [cli.shell("printf 'MARK-%s' TWO")] } },
        { when: { turn: 3, tool_result: true }, reply: { text: 'That is MARK-THREE.' } },
        { name: 'knows its past', when: { any_includes: 'MARK-TWO' }, reply: { text: 'I remember.' } },
      ],
    });
    const box = new Box(cli, server.url);
    clean.push(
      () => server.close(),
      () => box.remove(),
    );
    const start = {
      command: installCli(cli),
      permissions: { allowedTools: cli.permissions ?? [] },
      timeoutMs: SLOW_MS / 2,
    };
    const first = await runBare(box, { ...start, brief: 'Look at the marks.' });
    const [file = ''] = globSync(cli.sessions, { cwd: box.root });
    const path = join(box.root, file);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const result = lines.findIndex((line) => line.includes('MARK-ONE'));
    const damaged = `${lines
      .with(result, (lines[result] ?? '').slice(0, 60))
      .join('\n')
      .replaceAll('MARK-THREE', String.raw`MARK-THREE \ud83d`)}\n${'\0'.repeat(64)}`;
    writeFileSync(path, damaged);

    const { agentSession, why } = await resumableSession(cli.adapter, {
      agentSession: first.agentSession,
      isRefused: false,
      workspace: box.repo,
      env: box.env,
    });
    expect(why).toContain('mended on a copy: 64 null bytes taken out, 1 broken lines left out');
    const again = await runBare(box, {
      ...start,
      mode: 'resume',
      agentSession: agentSession ?? '',
      brief: 'Do you remember?',
    });
    expect(again, again.unknown.join('\n')).toMatchObject({ exitCode: 0 });
    const last = server.requests.at(-1);
    expect(last).toMatchObject({ rule: 'knows its past', turn: expect.any(Number) });
    expect(last?.turn).toBeGreaterThanOrEqual(3);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  },
  SLOW_MS,
);
