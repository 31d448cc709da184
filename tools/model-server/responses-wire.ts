/** `responsesWire`: the OpenAI Responses API, as Codex speaks it. */
import { type JsonObject, jsonList, jsonObject, jsonText, textOfContent } from '../../src/core/text/json.ts';
import { openAiError } from './openai-error.ts';
import { type RequestFacts, type Utterance, utteranceFacts } from './request-facts.ts';
import type { ScriptReply } from './script.ts';
import { event, type Frame, type ModelWire, pieces, tokensOf } from './wire.ts';

export const responsesWire: ModelWire = {
  serves: (path) => path.endsWith('/responses'),
  facts,
  frames,
  document: (reply, model, number) => envelope(reply, model, number, outputItems(reply, number), 'completed'),
  errorDocument: openAiError,
};

function facts(body: unknown, headers: Readonly<Record<string, unknown>>): RequestFacts {
  const request = jsonObject(body);
  const utterances = jsonList(request['input']).map(jsonObject).flatMap(utterance);
  const session = headers['session-id'] ?? headers['session_id'] ?? request['prompt_cache_key'];
  return {
    ...utteranceFacts(utterances, (said) => [said, jsonText(request['instructions'])]),
    model: jsonText(request['model']),
    stream: request['stream'] === true,
    session: jsonText(session) || null,
  };
}

/** Instructions of the CLI itself (`developer`) are no part of the conversation. */
function utterance(item: JsonObject): readonly Utterance[] {
  const type = jsonText(item['type']);
  if (type === 'reasoning') return [];
  if (type.endsWith('_call_output')) return [{ by: 'tool', text: textOfContent(item['output']) }];
  if (type.endsWith('_call'))
    return [
      {
        by: 'model',
        text: `${jsonText(item['name'])} ${jsonText(item['arguments']) || jsonText(item['input'])}`,
      },
    ];
  const text = textOfContent(item['content']);
  if (item['role'] === 'assistant') return [{ by: 'model', text }];
  return item['role'] === 'user' ? [{ by: 'person', text }] : [];
}

type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

function outputItems(reply: ScriptReply, number: number): readonly Item[] {
  const tools = (reply.tools ?? []).map((tool, index) => ({
    type: 'function_call',
    id: `fc_${number}_${index + 1}`,
    call_id: `call_${number}_${index + 1}`,
    ...toolName(tool.name),
    arguments: JSON.stringify(tool.input),
    status: 'completed',
  }));
  const message = {
    type: 'message',
    id: `msg_${number}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: reply.text, annotations: [] }],
  };
  return [...(reply.text === undefined ? [] : [message]), ...tools];
}

/** Tools of an MCP server stand in a namespace of their own: `mcp__mayday__checkpoint` is `checkpoint` of `mcp__mayday`. */
function toolName(full: string): { readonly name: string; readonly namespace?: string } {
  const parts = /^(mcp__[a-z]+)__(\w+)$/.exec(full);
  return parts === null ? { name: full } : { namespace: parts[1] as string, name: parts[2] as string };
}

function frames(reply: ScriptReply, model: string, number: number): readonly Frame[] {
  const items = outputItems(reply, number);
  return [
    event('response.created', { response: envelope(reply, model, number, [], 'in_progress') }),
    ...items.flatMap((item, index) => itemFrames(item, index, reply)),
    event('response.completed', { response: envelope(reply, model, number, items, 'completed') }),
  ];
}

function itemFrames(item: Item, index: number, reply: ScriptReply): readonly Frame[] {
  const isText = item.type === 'message';
  const whole = isText ? (reply.text ?? '') : String(item['arguments']);
  const name = isText ? 'response.output_text.delta' : 'response.function_call_arguments.delta';
  const begun = isText ? { ...item, content: [] } : { ...item, arguments: '' };
  return [
    event('response.output_item.added', { output_index: index, item: { ...begun, status: 'in_progress' } }),
    ...pieces(whole).map((delta) =>
      event(
        name,
        { item_id: item.id, output_index: index, content_index: 0, delta },
        { waitMs: reply.chunk_ms ?? 0 },
      ),
    ),
    event('response.output_item.done', { output_index: index, item }, { closes: true }),
  ];
}

function envelope(
  reply: ScriptReply,
  model: string,
  number: number,
  output: readonly Item[],
  status: string,
): Record<string, unknown> {
  const { input, output: made } = tokensOf(reply);
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: made,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + made,
  };
  return {
    id: `resp_${number}`,
    object: 'response',
    model,
    status,
    output,
    ...(status === 'completed' ? { usage } : {}),
  };
}
