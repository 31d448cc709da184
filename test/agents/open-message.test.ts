/** What each reader knows of a message that is still being written. */
import { describe, expect, test } from 'vitest';
import { AcpReader } from '../../src/agents/acp/acp-reader.ts';
import type { TranscriptReader } from '../../src/agents/adapter.ts';
import { claudeAdapter } from '../../src/agents/claude/claude-adapter.ts';
import { codexAdapter } from '../../src/agents/codex/codex-adapter.ts';
import { PlainReader } from '../../src/agents/command-adapter.ts';
import { geminiAdapter } from '../../src/agents/gemini/gemini-adapter.ts';
import { OpenMessage } from '../../src/agents/open-message.ts';
import { opencodeAdapter } from '../../src/agents/opencode/opencode-adapter.ts';

const block = (event: object, parent: string | null = null) => ({
  type: 'stream_event',
  event,
  session_id: 's',
  uuid: 'u',
  parent_tool_use_id: parent,
});
const delta = (piece: object, parent?: string) =>
  block({ type: 'content_block_delta', index: 0, delta: piece }, parent);
const say = (text: string) => delta({ type: 'text_delta', text });
const begin = (type: string) =>
  block({ type: 'content_block_start', index: 0, content_block: { type, text: '' } });

/** What is open after each line. */
function open(reader: TranscriptReader, lines: readonly object[], stream: 'stdout' | 'hook' = 'stdout') {
  return lines.map((line) => {
    reader.push(JSON.stringify(line), stream, 1);
    return reader.openText?.text ?? null;
  });
}

describe.each([
  ['Claude Code', () => claudeAdapter.reader()],
  ['a plain command that prints the stream of Claude Code', () => new PlainReader()],
])('%s', (_, reader) => {
  test('words and thoughts are open until their block ends', () => {
    const assistant = {
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'I look.' }] },
    };
    expect(
      open(reader(), [
        { type: 'system', subtype: 'init', session_id: 's', uuid: 'u' },
        begin('thinking'),
        delta({ type: 'thinking_delta', thinking: 'Hm.' }),
        begin('text'),
        say('I '),
        block({ type: 'ping' }),
        say('look.'),
        assistant,
        block({ type: 'content_block_stop', index: 0 }),
      ]),
    ).toEqual([null, null, 'Hm.', null, 'I ', 'I ', 'I look.', null, null]);
  });
  test('the input of a call is not, nor what a subagent says', () => {
    expect(
      open(reader(), [
        { type: 'system', subtype: 'init', session_id: 's', uuid: 'u' },
        begin('tool_use'),
        delta({ type: 'input_json_delta', partial_json: '{"content":"I look.' }),
        delta({ type: 'text_delta', text: 'I am a subagent.' }, 'call-1'),
      ]),
    ).toEqual([null, null, null, null]);
  });
});

test('Gemini CLI: until something else follows', () => {
  const piece = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
  const call = { type: 'tool_use', tool_name: 'ls', tool_id: 't', parameters: {} };
  expect(open(geminiAdapter.reader(), [piece('I '), piece('look.'), call])).toEqual(['I ', 'I look.', null]);
});

test('Codex: by its log, which leaves no other trace; the input of a call is a sign of life only', () => {
  const reader = codexAdapter.reader();
  const logged = (event: object) => {
    const line = `2026-11-17T11:55:36.212642Z TRACE codex_api::sse::responses: SSE event: ${JSON.stringify(event)}`;
    const entries = reader.push(line, 'stderr', 7);
    return [entries.length, reader.partialAt, reader.openText?.text ?? null];
  };
  const piece = (type: string, text: string) => ({
    type: `response.${type}.delta`,
    item_id: type,
    delta: text,
  });
  expect(logged({ type: 'response.created' })).toEqual([0, null, null]);
  expect(logged(piece('reasoning_summary_text', 'Hm.'))).toEqual([0, 7, 'Hm.']);
  expect(logged(piece('output_text', 'I '))).toEqual([0, 7, 'I ']);
  expect(logged(piece('output_text', 'look.'))).toEqual([0, 7, 'I look.']);
  expect(logged(piece('function_call_arguments', '{"cmd":"ls'))).toEqual([0, 7, 'I look.']);
  expect(logged({ type: 'response.output_item.done' })).toEqual([0, 7, null]);
  const unhandled = '2026-11-17T11:55:36Z TRACE codex_api::sse::responses: unhandled responses event: x';
  expect(reader.push(unhandled, 'stderr', 8)).toEqual([]);
  expect(reader.push('error: stream closed', 'stderr', 9)).toHaveLength(1);
});

test('opencode: what the plugin tells of a part, until the part is printed', () => {
  const reader = opencodeAdapter.reader();
  const piece = (text: string, part: string) => ({ type: 'piece', part, text });
  expect(open(reader, [piece('Hm.', 'p1'), piece('I ', 'p2'), piece('look.', 'p2')], 'hook')).toEqual([
    'Hm.',
    'I ',
    'I look.',
  ]);
  const printed = { type: 'text', sessionID: 's', part: { id: 'p2', text: 'I look.' } };
  expect(open(reader, [printed])).toEqual([null]);
});

test('ACP: thoughts and words, until a call begins', () => {
  const update = (sessionUpdate: string, more: object) => ({
    d: '<',
    m: { method: 'session/update', params: { update: { sessionUpdate, ...more } } },
  });
  const chunk = (kind: string, text: string) => update(kind, { content: { type: 'text', text } });
  expect(
    open(new AcpReader([]), [
      chunk('agent_thought_chunk', 'Hm.'),
      chunk('agent_message_chunk', 'I '),
      chunk('agent_message_chunk', 'look.'),
      update('tool_call', { toolCallId: 't', title: 'ls' }),
    ]),
  ).toEqual(['Hm.', 'I ', 'I look.', null]);
});

test('of a message without an end a bounded part is kept, and code stays code', () => {
  const message = new OpenMessage();
  message.add('```c\n');
  for (let line = 0; line < 10_000; line++) message.add(`x = next(x, ${line});\n`);
  const { text, chars } = message.text ?? expect.fail('it is open');
  expect(chars).toBeGreaterThan(180_000);
  expect(text.length).toBeLessThan(25_000);
  expect(text).toMatch(/^```\nx = next\(x, \d+\);\n/);
  expect(text).toContain('x = next(x, 9999);');
  message.add('y'.repeat(100_000));
  expect(message.text?.text.length).toBeLessThan(25_000);
});
