import { describe, expect, it } from 'vitest';
import { ACP_ADAPTERS } from '../../../src/agents/acp/acp-adapter.ts';
import type { AgentAdapter } from '../../../src/agents/adapter.ts';
import { describeAdapterContract } from '../contract.ts';
import { loadRecording, readRecording, recordingNames } from '../recording.ts';

const acp = ACP_ADAPTERS.find(({ name }) => name === 'acp') as AgentAdapter;

describeAdapterContract(acp, 'acp', {
  'claude-agent-acp': { class: null },
  'codex-acp': { class: null },
  'gemini-acp': { class: null },
  'opencode-acp': { class: null },
});

const SHELL = 'echo hello > out.txt && cat out.txt';

describe('a recorded ACP agent', () => {
  it.each(recordingNames('acp'))(
    '%s tells its session, one call with its command, its words and its end',
    (name) => {
      const { entries } = readRecording(acp, loadRecording('acp', name));
      const calls = entries.filter((entry) => entry.type === 'tool_call');
      expect(calls).toMatchObject([{ input: SHELL }]);
      expect(entries.filter((entry) => entry.type === 'tool_result')).toMatchObject([
        { id: calls[0]?.id, isError: false },
      ]);
      expect(entries.find((entry) => entry.type === 'session')).toMatchObject({
        sessionId: expect.stringMatching(/\w{8}/),
      });
      expect(entries.filter((entry) => entry.type === 'message').at(-1)).toMatchObject({
        text: 'All done: the file was written.',
      });
      expect(entries.at(-1)).toMatchObject({ type: 'result', isError: false, subtype: 'end_turn' });
    },
  );

  it.each([
    ['claude-agent-acp', { inputTokens: 2003, outputTokens: 103, cacheReadTokens: 600, costUsd: 0.01314 }],
    ['gemini-acp', { inputTokens: 2011, outputTokens: 111 }],
    ['opencode-acp', { inputTokens: 709, outputTokens: 59, costUsd: 0.0016510000000000001 }],
  ])('%s tells its usage, each in its own place', (name, usage) => {
    expect(readRecording(acp, loadRecording('acp', name)).verdict.usage).toMatchObject(usage);
  });
});

function read(...messages: readonly (readonly [string, object])[]) {
  const reader = acp.reader();
  const lines = messages.map(([d, m]) => JSON.stringify({ d, m }));
  const entries = [...lines.flatMap((line, at) => reader.push(line, 'stdout', at)), ...reader.end(99)];
  const facts = { exitCode: 1, signal: null, entries, stderrTail: '', nowMs: 0, timeZone: 'UTC' };
  return { entries, verdict: acp.verdict(facts) };
}

const ask = (method: string, id = 1) => ['>', { id, method, params: { sessionId: 'old' } }] as const;
const update = (body: object) => ['<', { method: 'session/update', params: { update: body } }] as const;

describe('what an ACP agent says on a bad day', () => {
  it('the conversation that a load replays is no new work, what comes after it is', () => {
    const call = (toolCallId: string) =>
      update({ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', title: 'x' });
    const { entries } = read(
      ask('session/load'),
      call('replayed'),
      ['<', { id: 1, result: {} }],
      call('new'),
    );
    expect(entries).toMatchObject([
      { type: 'session', sessionId: 'old' },
      { type: 'tool_call', id: 'new' },
    ]);
  });

  it.each([
    [{ code: -32_000, message: 'Authentication required' }, 'auth_failure'],
    [{ code: 401, message: 'no' }, 'auth_failure'],
    [{ code: -32_603, message: 'Internal error', data: { http_status_code: 429 } }, 'rate_limited'],
    [{ code: 503, message: 'busy' }, 'overloaded'],
    [{ code: -32_603, message: 'Internal error: API Error: 529 Overloaded' }, 'overloaded'],
    [{ code: -32_603, message: 'Internal error: API Error: Repeated 529 Overloaded errors.' }, 'overloaded'],
    [{ code: -32_603, message: "Internal error: You've hit your limit · resets 8am (UTC)" }, 'rate_limited'],
    [{ code: -32_603, message: 'Internal error: Connection to the API was lost' }, 'network_failure'],
    [{ code: -32_603, message: 'Internal error' }, 'unknown'],
  ])('%j is %s', (error, expected) => {
    const { verdict } = read(ask('session/prompt'), ['<', { id: 1, error }]);
    expect(verdict).toMatchObject({
      claimsDone: false,
      failure: { class: expected },
    });
  });

  it('last words without the id of a message are an error where messages have ids or nothing was counted', () => {
    const ended = (said: readonly (readonly [text: string, messageId?: string])[], usage?: null | object) =>
      read(
        ask('session/prompt'),
        ...said.map(([text, messageId]) =>
          update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }),
        ),
        ['<', { id: 1, result: { stopReason: 'end_turn', usage } }],
      ).verdict;
    const full = "This model's maximum context length is 128000 tokens.";
    const lost = 'stream disconnected before completion';
    expect(ended([['I look.', 'm1'], [full]], {})).toMatchObject({
      claimsDone: false,
      failure: { class: 'context_overflow', evidence: [full] },
    });
    expect(ended([[lost]], null)).toMatchObject({ claimsDone: false, failure: { class: 'network_failure' } });
    for (const said of [
      [['Done.']],
      [['Warning: slow'], ['Done.', 'm1']],
      [['I look.', 'm1'], ['Warning: slow']],
    ] as const)
      expect(ended(said)).toMatchObject({ claimsDone: true, failure: null });
  });

  it('what a tool printed in pieces is its output', () => {
    const piece = (data: string) =>
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'a',
        _meta: { terminal_output_delta: { data } },
      });
    const { entries } = read(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 'a',
        kind: 'read',
        title: 'Read b.txt',
        status: 'in_progress',
      }),
      piece('cat: '),
      piece('no such file'),
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'a',
        status: 'failed',
        rawOutput: { exit_code: 1 },
      }),
    );
    expect(entries).toMatchObject([
      { type: 'tool_call', input: 'Read b.txt' },
      { type: 'tool_result', output: 'cat: no such file', isError: true },
    ]);
  });

  it.each([
    ['cancelled', 'interrupted'],
    ['refusal', 'model_refusal'],
    ['max_tokens', 'context_overflow'],
    ['max_turn_requests', 'budget_exhausted'],
  ])('a turn that stops with %s is %s', (stopReason, expected) => {
    const { verdict } = read(ask('session/prompt'), ['<', { id: 1, result: { stopReason } }]);
    expect(verdict).toMatchObject({ claimsDone: false, failure: { class: expected } });
  });

  it('a refusal with nothing done after it is permission_denied; work done after it is work', () => {
    const refused = ['!', { event: 'permission_refused', rule: 'Bash(npm publish)' }] as const;
    const done = ['<', { id: 1, result: { stopReason: 'end_turn' } }] as const;
    const worked = update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' });
    expect(read(ask('session/prompt'), refused, done).verdict).toMatchObject({
      failure: { class: 'permission_denied' },
      deniedTools: ['Bash(npm publish)'],
    });
    expect(read(ask('session/prompt'), refused, worked, done).verdict.failure).toBeNull();
  });

  it('an agent that dies before it answers has died, whatever it printed', () => {
    expect(read(ask('session/prompt')).verdict).toMatchObject({
      claimsDone: false,
      failure: { class: 'unknown' },
    });
  });
});
