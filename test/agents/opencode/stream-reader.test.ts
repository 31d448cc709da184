import { describe, expect, it } from 'vitest';
import type { LaunchContext } from '../../../src/agents/adapter.ts';
import { opencodeAdapter } from '../../../src/agents/opencode/opencode-adapter.ts';
import { OPENCODE_QUIRKS } from './quirks.ts';
import { loadRecording, type Reading, type Recording, readRecording } from '../recording.ts';

const context: LaunchContext = {
  mode: 'fresh',
  agentSession: null,
  brief: { path: '/state/brief.md', text: '# Write hello\nmore' },
  workspace: '/repo',
  attemptDir: '/state/attempt-1',
  noteFiles: [],
  permissions: { checks: ['npm test'], allowedTools: [], skipAll: false },
  model: null,
  maxTurns: null,
  command: [],
  version: '1.18.18',
  env: { HOME: '/home/dev' },
};
const call = { type: 'call', session: 'ses_1', call: 'c1', tool: 'bash', args: { command: 'sleep 300' } };
const ended = {
  type: 'tool_use',
  sessionID: 'ses_1',
  part: {
    tool: 'bash',
    callID: 'c1',
    state: {
      status: 'completed',
      input: { command: 'sleep 300' },
      output: 'slept',
      time: { start: 1, end: 9 },
    },
  },
};

function configOf(more: Partial<LaunchContext>): unknown {
  return JSON.parse(opencodeAdapter.launch({ ...context, ...more }).env['OPENCODE_CONFIG_CONTENT'] ?? '');
}

describe('what the plugin tells beside stdout', () => {
  it('a call is known while it runs, and once', () => {
    const reader = opencodeAdapter.reader();
    expect(reader.push(JSON.stringify({ type: 'session', session: 'ses_1' }), 'hook', 1)).toEqual([
      { at: 1, type: 'session', sessionId: 'ses_1' },
    ]);
    expect(reader.push(JSON.stringify(call), 'hook', 2)).toEqual([
      { at: 2, type: 'tool_call', id: 'c1', tool: 'bash', input: 'sleep 300' },
    ]);
    expect(reader.push(JSON.stringify({ type: 'done', session: 'ses_1', call: 'c1' }), 'hook', 3)).toEqual(
      [],
    );
    expect(reader.push(JSON.stringify(ended), 'stdout', 4)).toEqual([
      {
        at: 4,
        type: 'tool_result',
        id: 'c1',
        output: 'slept',
        isError: false,
        marksErrors: true,
        durationMs: 8,
      },
    ]);
    const late = opencodeAdapter.reader();
    expect(late.push(JSON.stringify(ended), 'stdout', 4).map(({ type }) => type)).toEqual([
      'session',
      'tool_call',
      'tool_result',
    ]);
    expect(late.push(JSON.stringify(call), 'hook', 5)).toEqual([]);
  });

  it('the calls of a subagent begin and end under its session', () => {
    const reader = opencodeAdapter.reader([{ at: 1, type: 'session', sessionId: 'ses_1' }]);
    const child = { ...call, session: 'ses_2', call: 'c2' };
    expect(reader.push(JSON.stringify(child), 'hook', 2)).toMatchObject([{ id: 'c2', parentId: 'ses_2' }]);
    const done = { type: 'done', session: 'ses_2', call: 'c2', output: 'ok' };
    expect(reader.push(JSON.stringify(done), 'hook', 3)).toMatchObject([{ id: 'c2', output: 'ok' }]);
  });

  it('its own retries, and pieces of an answer as a sign of life', () => {
    const reader = opencodeAdapter.reader();
    const retry = { type: 'retry', attempt: 2, message: 'Rate limited', next: 5_000 };
    expect(reader.push(JSON.stringify(retry), 'hook', 1_000)).toEqual([
      { at: 1_000, type: 'retry', attempt: 2, delayMs: 4_000, status: null, text: 'Rate limited' },
    ]);
    expect(reader.push('{"type":"piece"}', 'hook', 1_500)).toEqual([]);
    expect(reader.partialAt).toBe(1_500);
  });

  it('totals go on where another reader stopped', () => {
    const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, turns: 1 };
    const reader = opencodeAdapter.reader([{ at: 1, type: 'usage', usage }]);
    const step = { type: 'step_finish', part: { reason: 'tool-calls', tokens: { input: 5, output: 2 } } };
    expect(reader.push(JSON.stringify(step), 'stdout', 2)).toMatchObject([
      { type: 'usage', usage: { inputTokens: 15, outputTokens: 3, turns: 2 } },
    ]);
  });
});

function endingAfter(reason: string, tokens: object): string | null {
  const reader = opencodeAdapter.reader();
  const part = { reason, tokens: { reasoning: 0, cache: { read: 0, write: 0 }, ...tokens }, cost: 0 };
  const entries = reader.push(JSON.stringify({ type: 'step_finish', sessionID: 'ses_1', part }), 'stdout', 1);
  const facts = { exitCode: 0, signal: null, entries, stderrTail: '', nowMs: 1, timeZone: 'UTC' };
  return opencodeAdapter.verdict(facts).failure?.class ?? null;
}

describe('the end of a step', () => {
  it('an answer without a single token is a page of the network; it ends with exit code 0 and without an error', () => {
    expect(endingAfter('unknown', { input: 0, output: 0 })).toBe('network_failure');
  });

  it('an answer that counts tokens and ends for an unknown reason is not blamed on the network', () => {
    expect(endingAfter('unknown', { input: 900, output: 4 })).toBe('unknown');
    expect(endingAfter('stop', { input: 900, output: 4 })).toBeNull();
  });
});

describe('starting opencode', () => {
  it('adds its plugin to the inline configuration of the person, and nothing else', () => {
    const own = { model: 'a/b', plugin: ['theirs'], permission: { bash: 'ask' } };
    expect(configOf({ env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) } })).toEqual({
      ...own,
      plugin: ['theirs', 'file:///state/attempt-1/opencode-watch.js'],
    });
  });

  it('a command that the person allowed is allowed, and no other', () => {
    const permissions = { checks: [], allowedTools: ['bash(npm publish)'], skipAll: false };
    expect(configOf({ permissions })).toMatchObject({
      permission: { bash: { '*': 'ask', 'npm publish': 'allow' } },
    });
    const all = { checks: [], allowedTools: ['all'], skipAll: true };
    expect(opencodeAdapter.launch({ ...context, permissions: all }).argv).toContain('--auto');
  });

  it('goes on in the session that the agent told', () => {
    const { argv } = opencodeAdapter.launch({ ...context, mode: 'resume', agentSession: 'ses_1' });
    expect(argv.join(' ')).toBe('opencode run --format json --session ses_1');
    expect(opencodeAdapter.launch(context).argv.join(' ')).toBe(
      'opencode run --format json --title Write hello',
    );
  });
});

type Proof = readonly [recording: string, holds: (recording: Recording, reading: Reading) => boolean];
const PROOFS: Readonly<Record<string, Proof>> = {
  no_last_line: [
    'ok',
    ({ lines }, { verdict }) => !lines.join('').includes('"result"') && verdict.claimsDone,
  ],
  call_told_when_ended: [
    'slowtool_SIGKILL',
    (_, { entries }) => !entries.some(({ type }) => type === 'tool_call'),
  ],
  sleeps_silently: ['429_retryafter3600', ({ lines }) => lines.join('').trim() === ''],
  compaction_cycle: [
    'ctx',
    (_, { entries }) => entries.filter(({ type }) => type === 'compaction').length > 5,
  ],
  unbounded_loop: ['loop_defaultperm', ({ requests, signal }) => requests > 100 && signal === 'SIGKILL'],
  all_signals_orphan_tools: ['slowtool_SIGINT', ({ orphans }) => orphans > 0],
};
describe('each quirk of opencode shows in a recording and does not fool the adapter', () => {
  it.each(OPENCODE_QUIRKS.map(({ code }) => code))('%s', (code) => {
    const [name, holds] = PROOFS[code] as Proof;
    const recording = loadRecording('opencode', name);
    expect(holds(recording, readRecording(opencodeAdapter, recording))).toBe(true);
  });
});
