/** `anthropicWire`: the Anthropic Messages API, streaming or as one document. */
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../src/core/text/json.ts';
import { type RequestFacts, texts, type Utterance, workingDirectory } from './request-facts.ts';
import type { ScriptReply } from './script.ts';
import { event, type Frame, type ModelWire, pieces, tokensOf } from './wire.ts';

const ERRORS: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'prompt is too long: 215000 tokens > 200000 maximum'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource'],
  429: ['rate_limit_error', 'Number of requests has exceeded your rate limit'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
};

export const anthropicWire: ModelWire = {
  serves: (path) => path.endsWith('/v1/messages'),
  facts,
  frames,
  document: (reply, model, number) =>
    envelope(reply, model, number, contentBlocks(reply, number), stopReason(reply), undefined),
  errorDocument: (fault, number) => {
    const [type, message] = ERRORS[fault.status] ?? ['api_error', `Status ${fault.status}`];
    return {
      type: 'error',
      error: { type: fault.error_type ?? type, message: fault.message ?? message },
      request_id: `req_${number}`,
    };
  },
};

function facts(body: unknown, headers: Readonly<Record<string, unknown>>): RequestFacts {
  const request = jsonObject(body);
  const messages = jsonList(request['messages']).map(jsonObject);
  const answered = messages.findLastIndex((message) => message['role'] === 'assistant');
  const fresh = messages.slice(answered + 1).flatMap(blocks);
  const utterances = messages.flatMap((message) => blocks(message).map((block) => utterance(message, block)));
  return {
    model: jsonText(request['model']),
    stream: request['stream'] === true,
    session: session(request, headers),
    turn: messages.filter((message) => message['role'] === 'assistant').length + 1,
    lastUserText: fresh
      .filter((block) => block['type'] === 'text')
      .map(blockText)
      .join('\n'),
    toolResults: fresh.filter((block) => block['type'] === 'tool_result').map(blockText),
    utterances,
    cwd: workingDirectory(
      blocks({ content: request['system'] }).map(blockText).join('\n'),
      texts(utterances),
    ),
  };
}

function session(request: JsonObject, headers: Readonly<Record<string, unknown>>): string | null {
  const header = headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  const user = jsonText(jsonObject(request['metadata'])['user_id']);
  return [...user.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)].at(-1)?.[0] ?? null;
}

function blocks(message: JsonObject): readonly JsonObject[] {
  const content = message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : jsonList(content).map(jsonObject);
}

function utterance(message: JsonObject, block: JsonObject): Utterance {
  const text = blockText(block);
  if (block['type'] === 'tool_result') return { by: 'tool', text };
  return { by: message['role'] === 'assistant' ? 'model' : 'person', text };
}

function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return jsonText(block['text']);
    case 'tool_use':
      return `${jsonText(block['name'])} ${JSON.stringify(block['input'] ?? {})}`;
    case 'tool_result':
      return blocks(block).map(blockText).join('\n');
    default:
      return '';
  }
}

function frames(reply: ScriptReply, model: string, number: number): readonly Frame[] {
  return [
    event('message_start', { message: envelope(reply, model, number, [], null, 1) }),
    ...contentBlocks(reply, number).flatMap((block, index) => blockFrames(block, index, reply.chunk_ms ?? 0)),
    event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: tokensOf(reply).output },
    }),
    event('message_stop', {}),
  ];
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

function contentBlocks(reply: ScriptReply, number: number): readonly Block[] {
  const tools = (reply.tools ?? []).map((tool, index) => ({
    type: 'tool_use',
    id: `toolu_${number}_${index + 1}`,
    name: tool.name,
    input: tool.input,
  }));
  return [...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]), ...tools];
}

function blockFrames(block: Block, index: number, waitMs: number): readonly Frame[] {
  const isText = block.type === 'text';
  const whole = isText ? String(block['text']) : JSON.stringify(block['input']);
  const start = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  const delta = (piece: string): object =>
    isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece };
  return [
    event('content_block_start', { index, content_block: start }),
    ...pieces(whole).map((piece) => event('content_block_delta', { index, delta: delta(piece) }, { waitMs })),
    event('content_block_stop', { index }, { closes: true }),
  ];
}

function stopReason(reply: ScriptReply): string {
  return (reply.tools ?? []).length > 0 ? 'tool_use' : 'end_turn';
}

function envelope(
  reply: ScriptReply,
  model: string,
  number: number,
  content: readonly Block[],
  reason: string | null,
  outputTokens: number | undefined,
): Record<string, unknown> {
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: {
      input_tokens: tokensOf(reply).input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: outputTokens ?? tokensOf(reply).output,
    },
  };
}
