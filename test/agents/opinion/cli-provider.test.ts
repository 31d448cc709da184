import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProvider } from '../../../src/agents/opinion/open-provider.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const never = new AbortController().signal;
const START = { type: 'system', subtype: 'init', session_id: 's', tools: [] as string[], mcp_servers: [] };
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: '{"a":1}',
  total_cost_usd: 0.004,
};

/** A program that answers to any options as the named CLI would, and keeps what it was started with. */
async function asked(name: string, events: readonly object[], prepare: (home: string) => void = () => {}) {
  const home = temporaryDirectory();
  const program = join(home, 'program');
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  writeFileSync(join(home, 'lines'), `${lines}\n`);
  writeFileSync(
    program,
    `#!/bin/sh\npwd > ${home}/cwd\nls -a > ${home}/listed\nprintf '%s\\n' "$@" > ${home}/argv\ncat > ${home}/stdin\ncat ${home}/lines\n`,
  );
  chmodSync(program, 0o755);
  prepare(home);
  const choice = { type: 'agent', name, command: [program], model: null } as const;
  const env = { PATH: process.env['PATH'], HOME: home };
  const provider = openProvider(choice, { env, passed: [], cwd: null, cover: () => ({}) });
  if (typeof provider === 'string') return expect.fail(provider);
  const kept = (file: string) => readFileSync(join(home, file), 'utf8');
  return { reply: provider.ask('why?', never), kept };
}

describe('an agent CLI that is asked', () => {
  it('gets the prompt on standard input, in an empty folder that is gone afterwards', async () => {
    const { reply, kept } = await asked('claude', [START, RESULT]);
    expect(await reply).toMatchObject({ text: '{"a":1}', costUsd: 0.004 });
    expect(kept('stdin')).toBe('why?');
    expect(existsSync(kept('cwd').trim())).toBe(false);
  });

  it.each([
    ['claude', [{ ...START, tools: ['Bash'] }, RESULT], /not without tools: "Bash"/],
    ['claude', [START], /ended without a result/],
    ['claude', [START, { ...RESULT, is_error: true, result: 'Not logged in' }], /Not logged in/],
    [
      'codex',
      [
        {
          type: 'item.completed',
          item: { id: '1', type: 'command_execution', command: 'rm x', exit_code: 0 },
        },
        { type: 'item.completed', item: { id: '2', type: 'agent_message', text: '{}' } },
        { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
      ],
      /not without tools: shell/,
    ],
    [
      'gemini',
      [{ type: 'tool_use', tool_id: '1', tool_name: 'write_file', parameters: {} }],
      /not without tools/,
    ],
    ['opencode', [{ type: 'error', error: { name: 'AuthError', data: { message: 'no key' } } }], /no key/],
  ])('as %s and printed %j counts for nothing', async (name, events, reason) => {
    await expect((await asked(name, events)).reply).rejects.toThrow(reason);
  });

  it('as codex has each server of the person turned off, and is not asked where one cannot be', async () => {
    const config = (text: string) => (home: string) => {
      mkdirSync(join(home, '.codex'));
      writeFileSync(join(home, '.codex/config.toml'), text);
    };
    const done = [
      { type: 'item.completed', item: { id: '1', type: 'agent_message', text: '{}' } },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
    ];
    const { reply, kept } = await asked('codex', done, config('[mcp_servers.x]\ncommand = "y"\n'));
    expect((await reply).text).toBe('{}');
    expect(kept('argv')).toContain('mcp_servers.x.enabled=false');
    const inline = await asked('codex', done, config('mcp_servers = { x = { command = "y" } }\n'));
    await expect(inline.reply).rejects.toThrow(/cannot be turned off/);
  });

  it('as gemini finds the login of the person in its home, and nothing else of theirs', async () => {
    const { reply, kept } = await asked('gemini', [{ type: 'result', status: 'success' }], (home) => {
      mkdirSync(join(home, '.gemini'));
      for (const name of ['oauth_creds.json', 'GEMINI.md']) writeFileSync(join(home, '.gemini', name), '{}');
      writeFileSync(
        join(home, 'program'),
        `#!/bin/sh\nls $GEMINI_CLI_HOME/.gemini > ${home}/listed\ncat ${home}/lines\n`,
      );
    });
    await reply.catch(() => undefined);
    expect(kept('listed').trim().split('\n')).toEqual(['oauth_creds.json']);
  });
});
