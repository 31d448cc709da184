/** How a message reaches a working agent: the hook command of Claude Code and the plugin of opencode, run as they are written. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LaunchContext, nudgeFiles } from '../../src/agents/adapter.ts';
import { launchClaude } from '../../src/agents/claude/launch.ts';
import { launchOpencode } from '../../src/agents/opencode/launch.ts';

const TEXT = `You "loop":\n<<x it's $HOME \`id\` %s x>>`;
let attemptDir: string;
beforeEach(() => {
  attemptDir = mkdtempSync(join(tmpdir(), "mayday nudge's "));
});
afterEach(() => rmSync(attemptDir, { recursive: true, force: true }));

function context(): LaunchContext {
  return {
    mode: 'fresh',
    agentSession: null,
    brief: { path: join(attemptDir, 'brief.md'), text: 'do it' },
    workspace: attemptDir,
    attemptDir,
    permissions: { checks: [], allowedTools: [], skipAll: false },
    noteFiles: [],
    model: null,
    maxTurns: null,
    command: [],
    version: null,
    env: {},
  };
}

function hookOf(event: string): () => string {
  const [settings] = launchClaude(context()).files;
  const { hooks } = JSON.parse(settings?.content ?? '') as {
    hooks: Record<string, [{ hooks: [{ command: string }] }]>;
  };
  const command = hooks[event]?.[0].hooks[0].command ?? '';
  return () => execFileSync('sh', ['-c', command], { input: '{"hook_event_name":"x"}', encoding: 'utf8' });
}

it.each(['PostToolUse', 'PostToolUseFailure'])(
  'a hook of Claude Code gives the message once, after a call: %s',
  (event) => {
    const hook = hookOf(event);
    expect(hook()).toBe('');
    const { left, taken } = nudgeFiles(attemptDir);
    writeFileSync(left, JSON.stringify(TEXT));
    expect(JSON.parse(hook())).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: TEXT },
    });
    expect(existsSync(taken)).toBe(true);
    expect(hook()).toBe('');
  },
);

it('a hook of Claude Code before a call prints nothing, so that it decides nothing', () => {
  const hook = hookOf('PreToolUse');
  writeFileSync(nudgeFiles(attemptDir).left, JSON.stringify(TEXT));
  expect(hook()).toBe('');
});

it('the plugin of opencode adds the message to one result, and changes no other', async () => {
  const [plugin] = launchOpencode(context()).files;
  writeFileSync(plugin?.path ?? '', plugin?.content ?? '');
  const { MaydayWatch } = (await import(pathToFileURL(plugin?.path ?? '').href)) as {
    MaydayWatch: () => Promise<
      Record<'tool.execute.after', (call: object, result: { output: string }) => Promise<void>>
    >;
  };
  const after = (await MaydayWatch())['tool.execute.after'];
  const call = async () => {
    const result = { output: 'nothing to do' };
    await after({ sessionID: 's', callID: 'c' }, result);
    return result.output;
  };
  expect(await call()).toBe('nothing to do');
  const { left, taken } = nudgeFiles(attemptDir);
  writeFileSync(left, JSON.stringify(TEXT));
  expect(await call()).toBe(`nothing to do\n\n${TEXT}`);
  expect(existsSync(taken)).toBe(true);
  expect(await call()).toBe('nothing to do');
});
