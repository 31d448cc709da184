import { describe, expect, it } from 'vitest';
import { claudeAdapter } from '../../../src/agents/claude/claude-adapter.ts';
import { loadRecording, readRecording } from '../recording.ts';

function read(...lines: readonly (object | string)[]) {
  const reader = claudeAdapter.reader();
  return lines.flatMap((line, at) =>
    reader.push(typeof line === 'string' ? line : JSON.stringify(line), 'stdout', at),
  );
}

describe('Claude Code output becomes transcript', () => {
  it('a good run reads as session, words, call, result, words, usage and last word', () => {
    const { entries } = readRecording(claudeAdapter, loadRecording('claude', 'ok'));
    expect(entries.map(({ type }) => type)).toEqual([
      'session',
      'usage',
      'message',
      'tool_call',
      'tool_result',
      'usage',
      'message',
      'usage',
      'result',
    ]);
    expect(entries[0]).toMatchObject({
      sessionId: '61d8327b-60b6-423b-ab5e-7e0c10ce1e5e',
      version: '2.1.197',
    });
    expect(entries[3]).toMatchObject({
      tool: 'Bash',
      input: 'echo hello > out.txt && cat out.txt',
      id: 'toolu_1',
    });
    expect(entries[4]).toMatchObject({ id: 'toolu_1', output: 'hello', isError: false });
  });

  it('pieces of a message are signs of life, and leave no trace in the transcript', () => {
    const { lines } = loadRecording('claude325', 'partial_write');
    const reader = claudeAdapter.reader();
    const lifeAt = lines.map((line, at) => {
      const entries = reader.push(line, 'stdout', at);
      return line.startsWith('{"type":"stream_event"') ? { entries, partialAt: reader.partialAt, at } : null;
    });
    const pieces = lifeAt.filter((each) => each !== null);
    expect(pieces.length).toBeGreaterThan(30);
    for (const { entries, partialAt, at } of pieces)
      expect({ entries, partialAt }).toEqual({ entries: [], partialAt: at });
    const { entries } = readRecording(claudeAdapter, loadRecording('claude325', 'partial_write'));
    expect(entries.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(entries.length).toBeLessThan(12);
  });

  it('usage is a running total, counts each message once and takes output tokens from the result alone', () => {
    const { entries } = readRecording(claudeAdapter, loadRecording('claude', 'ok'));
    const usages = entries.flatMap((entry) => (entry.type === 'usage' ? [entry.usage] : []));
    expect(usages.map((usage) => [usage.inputTokens, usage.outputTokens, usage.turns])).toEqual([
      [1001, 0, 1],
      [2003, 0, 2],
      [2003, 103, 2],
    ]);
    expect(usages.at(-1)?.costUsd).toBeCloseTo(0.01314);
  });

  it('a reader that takes an attempt over continues the counts of the reader before', () => {
    const { lines } = loadRecording('claude', 'ok');
    const first = claudeAdapter.reader();
    const earlier = lines.slice(0, 4).flatMap((line) => first.push(line, 'stdout', 1));
    const second = claudeAdapter.reader(earlier);
    const [usage] = lines.slice(4).flatMap((line) => second.push(line, 'stdout', 2));
    expect(usage).toMatchObject({ type: 'usage', usage: { inputTokens: 2003, turns: 2 } });
  });

  it('a repeated part of a message is not a second call', () => {
    const call = {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a' } }] },
    };
    expect(read(call, call).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  });

  it('the description of a shell call does not make it a different call', () => {
    const call = (id: string, description: string) => ({
      type: 'assistant',
      message: {
        id,
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls', description } }],
      },
    });
    const inputs = read(call('a', 'List'), call('b', 'List once more')).flatMap((entry) =>
      entry.type === 'tool_call' ? [entry.input] : [],
    );
    expect(inputs).toEqual(['ls', 'ls']);
  });

  it("a subagent's calls name their parent", () => {
    const [, call] = read({
      type: 'assistant',
      parent_tool_use_id: 'toolu_task',
      message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
    });
    expect(call).toMatchObject({ type: 'tool_call', parentId: 'toolu_task' });
  });

  it('compaction is told once, by the hook where there is one', () => {
    const boundary = JSON.stringify({ type: 'system', subtype: 'compact_boundary' });
    const hook = `1791471600123 ${JSON.stringify({ hook_event_name: 'PreCompact', trigger: 'auto' })}`;
    const reader = claudeAdapter.reader();
    const told = [
      ...reader.push(hook, 'hook', 1),
      ...reader.push(boundary, 'stdout', 2),
      ...reader.push(boundary, 'stdout', 3),
    ];
    expect(told.map(({ type, at }) => [type, at])).toEqual([
      ['compaction', 1],
      ['compaction', 3],
    ]);
  });

  it('the hook gives the exact duration of a tool and makes no call of its own', () => {
    const reader = claudeAdapter.reader();
    const hooks = loadHookPayloads();
    expect(
      hooks.flatMap((line) => reader.push(`1791471600123 ${line}`, 'hook', 1)).map(({ type }) => type),
    ).toEqual(
      // Prompts and stops are not asked for by our settings, so they count as unknown.
      ['unknown', 'unknown', 'unknown'],
    );
    const [result] = reader.push(
      JSON.stringify({
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'hello' }] },
      }),
      'stdout',
      2,
    );
    expect(result).toMatchObject({ type: 'tool_result', durationMs: 95 });
  });

  it('a usage limit of the subscription is an error with its reset time; a warning is not', () => {
    const info = { status: 'rejected', resetsAt: 1794716651, rateLimitType: 'five_hour' };
    expect(read({ type: 'rate_limit_event', rate_limit_info: info })).toMatchObject([
      { type: 'error', status: 429, text: expect.stringContaining('"resetsAt":1794716651') },
    ]);
    const warning = { ...info, status: 'allowed_warning' };
    expect(read({ type: 'rate_limit_event', rate_limit_info: warning })).toMatchObject([{ type: 'message' }]);
    expect(read({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } })).toEqual([]);
  });

  it('a result line cut at the limit still answers its call', () => {
    const line = JSON.stringify({
      type: 'user',
      message: {
        role: 'user',
        content: [{ tool_use_id: 'toolu_9', type: 'tool_result', content: 'x'.repeat(50_000) }],
      },
    }).slice(0, 40_000);
    expect(read(line)).toMatchObject([{ type: 'tool_result', id: 'toolu_9', isError: false }]);
  });

  it('a call cut at the limit is still a call', () => {
    const line = JSON.stringify({
      type: 'assistant',
      message: {
        id: 'm',
        content: [{ type: 'tool_use', id: 'toolu_8', name: 'Write', input: { content: 'y'.repeat(50_000) } }],
      },
    }).slice(0, 40_000);
    expect(read(line).filter(({ type }) => type === 'tool_call')).toMatchObject([
      { id: 'toolu_8', tool: 'Write' },
    ]);
  });

  it('stderr is output, never unknown', () => {
    const reader = claudeAdapter.reader();
    expect(reader.push('warning: x', 'stderr', 1)).toEqual([
      { at: 1, type: 'output', stream: 'stderr', text: 'warning: x' },
    ]);
  });
});

function loadHookPayloads(): readonly string[] {
  return [
    { hook_event_name: 'SessionStart', source: 'startup' },
    { hook_event_name: 'UserPromptSubmit', prompt: 'Write hello to out.txt' },
    { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_1' },
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 'toolu_1', duration_ms: 95 },
    { hook_event_name: 'Stop', stop_hook_active: false },
    { hook_event_name: 'Notification' },
    { hook_event_name: 'SessionEnd', reason: 'other' },
  ].map((payload) => JSON.stringify(payload));
}
