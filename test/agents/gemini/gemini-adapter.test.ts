import { describe, expect, it } from 'vitest';
import type { LaunchContext } from '../../../src/agents/adapter.ts';
import { geminiAdapter } from '../../../src/agents/gemini/gemini-adapter.ts';
import { GEMINI_QUIRKS } from './quirks.ts';
import { loadRecording, type Reading, type Recording, readRecording } from '../recording.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';
const context: LaunchContext = {
  mode: 'fresh',
  agentSession: SESSION,
  brief: { path: '/state/brief.md', text: 'Write hello' },
  workspace: '/repo',
  attemptDir: '/state/attempt-1',
  noteFiles: ['/state/attempt-1/blocker.json'],
  permissions: { checks: ['grep -q "a.b" out.txt'], allowedTools: [], skipAll: false },
  model: null,
  maxTurns: null,
  command: [],
  version: '0.61.0',
  env: { HOME: '/home/dev' },
};

describe('starting Gemini CLI', () => {
  it('gets its session id from us, edits freely, and may run the checks, word for word', () => {
    const plan = geminiAdapter.launch(context);
    expect(plan.argv.join(' ')).toBe(
      `gemini --output-format stream-json --session-id ${SESSION} --approval-mode auto_edit --policy /state/attempt-1/gemini-policy.toml --include-directories /state/attempt-1`,
    );
    // The pattern is a regular expression over JSON, in a TOML string: the quotation marks are escaped three times.
    expect(plan.files[0]?.content).toContain(
      String.raw`argsPattern = "\"command\":\"grep -q \\\\\"a\\.b\\\\\" out\\.txt\""`,
    );
  });

  it('a line of several commands is allowed as a whole, and its parts as the CLI looks them up, not as calls', () => {
    const line = `cd lib && npm test 2>&1 | tee "a & b.log" > out.txt`;
    const permissions = { checks: [], allowedTools: [`run_shell_command(${line})`], skipAll: false };
    const [policy] = geminiAdapter.launch({ ...context, permissions }).files;
    const patterns = [...(policy?.content.matchAll(/^argsPattern = (.+)$/gm) ?? [])].map(
      ([, text]) => new RegExp(JSON.parse(text ?? '') as string),
    );
    // As Gemini CLI writes the arguments down before it compares them.
    const isAllowed = (args: object): boolean => {
      const pairs = Object.entries(args).map(
        (pair) => `\0${pair.map((one) => JSON.stringify(one)).join(':')}\0`,
      );
      return patterns.some((pattern) => pattern.test(`{${pairs.join(',')}}`));
    };
    for (const command of ['cd lib', 'npm test', 'tee "a & b.log"']) {
      expect(isAllowed({ command }), command).toBe(true);
      expect(isAllowed({ command, description: 'Run it' }), command).toBe(false);
    }
    expect(isAllowed({ command: line, description: 'Run it' })).toBe(true);
    for (const command of ['npm', 'out.txt', 'npm test && rm -rf lib', 'tee "a'])
      expect(isAllowed({ command }), command).toBe(false);
  });

  it('goes on in the same session; without limits only when the person said so', () => {
    const resumed = geminiAdapter.launch({ ...context, mode: 'resume' });
    expect(resumed.argv.join(' ')).toContain(`--resume ${SESSION}`);
    const all = { checks: [], allowedTools: ['all'], skipAll: true };
    const plan = geminiAdapter.launch({ ...context, permissions: all });
    expect(plan.argv.join(' ')).toContain('--approval-mode yolo');
    expect(plan.files).toEqual([]);
  });

  it('its session file is found by the first part of the id', () => {
    expect(geminiAdapter.sessionFiles({ ...context, agentSession: SESSION })).toEqual([
      '/home/dev/.gemini/tmp/*/chats/session-*-11111111.jsonl',
    ]);
  });
});

describe('reading Gemini CLI', () => {
  const line = (fields: object): string => JSON.stringify(fields);

  it('puts the pieces of a message together; each is a sign of life', () => {
    const reader = geminiAdapter.reader();
    const piece = (content: string): string =>
      line({ type: 'message', role: 'assistant', content, delta: true });
    expect(reader.push(piece('I will '), 'stdout', 1)).toEqual([]);
    expect(reader.push(piece('look.'), 'stdout', 2)).toEqual([]);
    expect(reader.partialAt).toBe(2);
    const call = {
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: 't',
      parameters: { command: 'ls' },
    };
    expect(reader.push(line(call), 'stdout', 3)).toEqual([
      { at: 3, type: 'message', role: 'agent', text: 'I will look.' },
      { at: 3, type: 'tool_call', id: 't', tool: 'run_shell_command', input: 'ls' },
    ]);
  });

  it('a refused command is named in the notation that would allow it', () => {
    const reader = geminiAdapter.reader();
    const call = {
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: 't',
      parameters: { command: 'ls' },
    };
    const error = { type: 'policy_violation', message: 'Tool execution denied by policy.' };
    reader.push(line(call), 'stdout', 1);
    reader.push(line({ type: 'tool_result', tool_id: 't', status: 'error', error }), 'stdout', 2);
    const ended = reader.push(
      line({ type: 'result', status: 'success', stats: { total_tokens: 5 } }),
      'stdout',
      3,
    );
    expect(ended.at(-1)).toMatchObject({ type: 'result', deniedTools: ['run_shell_command(ls)'] });
  });
});

type Proof = readonly [recording: string, holds: (recording: Recording, reading: Reading) => boolean];
const PROOFS: Readonly<Record<string, Proof>> = {
  success_after_own_loop_stop: [
    'loop',
    ({ exitCode, lines }, { verdict }) =>
      exitCode === 0 && lines.join('').includes('"status": "success"') && !verdict.claimsDone,
  ],
  exit_code_is_status_modulo_256: [
    '529',
    ({ exitCode, lines }, { verdict }) =>
      exitCode === 503 % 256 && !lines.join('').includes('503') && verdict.failure?.status === 503,
  ],
  ignores_signals: ['slowtool_SIGTERM', ({ seconds, signal }) => seconds > 100 && signal === 'SIGKILL'],
  exit_zero_after_signal: [
    'slowtool_SIGTERM_norelaunch',
    ({ exitCode }, { verdict }) => exitCode === 0 && verdict.failure?.class === 'interrupted',
  ],
  retries_for_minutes: [
    '529',
    ({ seconds, requests }, { entries }) => seconds > 180 && requests === 10 && entries.length < 6,
  ],
  no_usage_on_failure: ['drop', (_, { verdict }) => verdict.usage === null],
  all_signals_orphan_tools: ['slowtool_SIGTERM_norelaunch', ({ orphans }) => orphans > 0],
};
describe('each quirk of Gemini CLI shows in a recording and does not fool the adapter', () => {
  it.each(GEMINI_QUIRKS.map(({ code }) => code))('%s', (code) => {
    const [name, holds] = PROOFS[code] as Proof;
    const recording = loadRecording('gemini', name);
    expect(holds(recording, readRecording(geminiAdapter, recording))).toBe(true);
  });
});
