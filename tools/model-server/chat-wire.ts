/** `chatWire`: the OpenAI chat completions API, which most other providers speak too; opencode uses it for providers of a person's own. */
import { type JsonObject, jsonList, jsonObject, jsonText, textOfContent } from '../../src/core/text/json.ts';
import { openAiError } from './openai-error.ts';
import { type RequestFacts, type Utterance, utteranceFacts } from './request-facts.ts';
import type { ScriptReply } from './script.ts';
import { frame, type Frame, type ModelWire, pieces, tokensOf } from './wire.ts';

export const chatWire: ModelWire = {
  serves: (path) => path.endsWith('/chat/completions'),
  facts,
  frames,
  document: (reply, model, number) => ({
    ...envelope(model, number, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text ?? null, tool_calls: toolCalls(reply, number) },
        finish_reason: finishReason(reply),
      },
    ],
    usage: usage(reply),
  }),
  errorDocument: openAiError,
};

function facts(body: unknown, headers: Readonly<Record<string, unknown>>): RequestFacts {
  const request = jsonObject(body);
  const messages = jsonList(request['messages']).map(jsonObject);
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOfContent(content));
  return {
    ...utteranceFacts(messages.flatMap(utterance), (said) => [...system, said]),
    model: jsonText(request['model']),
    stream: request['stream'] === true,
    session: jsonText(headers['x-session-affinity'] ?? headers['x-opencode-session']) || null,
  };
}

function utterance(message: JsonObject): readonly Utterance[] {
  const text = textOfContent(message['content']);
  if (message['role'] === 'tool') return [{ by: 'tool', text }];
  if (message['role'] === 'user') return [{ by: 'person', text }];
  if (message['role'] !== 'assistant') return [];
  const calls = jsonList(message['tool_calls'])
    .map((call) => jsonObject(jsonObject(call)['function']))
    .map((called) => `${jsonText(called['name'])} ${jsonText(called['arguments'])}`);
  return [{ by: 'model', text: [text, ...calls].join('\n') }];
}

function frames(reply: ScriptReply, model: string, number: number): readonly Frame[] {
  const waitMs = reply.chunk_ms ?? 0;
  const chunk = (delta: object, more: Partial<Omit<Frame, 'text'>> = {}): Frame =>
    frame(
      null,
      {
        ...envelope(model, number, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: null }],
      },
      more,
    );
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(reply.text ?? '').map((content) => chunk({ content }, { waitMs })),
    ...toolCalls(reply, number).flatMap((call, index) => [
      chunk({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] }),
      ...pieces(call.function.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, { waitMs }),
      ),
    ]),
    frame(
      null,
      {
        ...envelope(model, number, 'chat.completion.chunk'),
        choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }],
        usage: usage(reply),
      },
      { closes: true },
    ),
    frame(null, '[DONE]'),
  ];
}

function toolCalls(reply: ScriptReply, number: number) {
  return (reply.tools ?? []).map((tool, index) => ({
    id: `call_${number}_${index + 1}`,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  }));
}

function finishReason(reply: ScriptReply): string {
  return (reply.tools ?? []).length > 0 ? 'tool_calls' : 'stop';
}

function envelope(model: string, number: number, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${number}`, object, created: 0, model };
}

function usage(reply: ScriptReply): Record<string, unknown> {
  const { input, output } = tokensOf(reply);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
