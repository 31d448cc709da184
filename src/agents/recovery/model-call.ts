/** `askModel`: one turn with a model over HTTP, in one of the two common protocols. No SDK: one request, one bounded answer. */
import { z } from 'zod';
import { jsonOrNull } from '../../core/text/json.ts';

export interface ModelProvider {
  readonly type: 'anthropic' | 'openai';
  /** Without the path: `https://api.anthropic.com`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'model'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'tools'; readonly results: readonly { readonly id: string; readonly text: string }[] };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly tokens: number;
}

const ANSWER_TOKENS = 1_500;
const BODY_BYTES = 1_000_000;
const CALLS_MOST = 8;

const Anthropic = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).partial().optional(),
});
const OpenAi = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).partial().nullish(),
});

/** Throws with a short reason: the caller keeps the rules' answer. */
export async function askModel(
  provider: ModelProvider,
  system: string,
  turns: readonly ModelMessage[],
  tools: readonly ToolSpec[],
  signal: AbortSignal,
): Promise<ModelReply> {
  const anthropic = provider.type === 'anthropic';
  const response = await fetch(
    `${provider.url.replace(/\/$/, '')}${anthropic ? '/v1/messages' : '/v1/chat/completions'}`,
    {
      method: 'POST',
      signal,
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(anthropic
          ? { 'x-api-key': provider.apiKey, 'anthropic-version': '2023-06-01' }
          : { authorization: `Bearer ${provider.apiKey}` }),
      },
      body: JSON.stringify({
        model: provider.model,
        max_tokens: ANSWER_TOKENS,
        ...(anthropic ? anthropicBody : openAiBody)(system, turns, tools),
      }),
    },
  );
  if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
  const value: unknown = JSON.parse(await boundedText(response));
  return anthropic ? fromAnthropic(Anthropic.parse(value)) : fromOpenAi(OpenAi.parse(value));
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > BODY_BYTES) throw new Error('the answer of the model is too long');
  }
  return text;
}

function fromAnthropic({ content, usage }: z.infer<typeof Anthropic>): ModelReply {
  return {
    text: content.map((part) => part.text ?? '').join(''),
    calls: content
      .filter((part) => part.type === 'tool_use')
      .slice(0, CALLS_MOST)
      .map((part) => ({ id: part.id ?? '', name: part.name ?? '', input: part.input })),
    tokens: (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
  };
}

function fromOpenAi({ choices, usage }: z.infer<typeof OpenAi>): ModelReply {
  const message = choices[0]?.message;
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? [])
      .slice(0, CALLS_MOST)
      .map((call) => ({ id: call.id, name: call.function.name, input: jsonOrNull(call.function.arguments) })),
    tokens: (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0),
  };
}

function anthropicBody(system: string, turns: readonly ModelMessage[], tools: readonly ToolSpec[]) {
  return {
    system,
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    messages: turns.map((turn) => {
      if (turn.role === 'user') return { role: 'user', content: turn.text };
      if (turn.role === 'tools')
        return {
          role: 'user',
          content: turn.results.map(({ id, text }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: text,
          })),
        };
      const said = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
      return {
        role: 'assistant',
        content: [
          ...said,
          ...turn.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
        ],
      };
    }),
  };
}

function openAiBody(system: string, turns: readonly ModelMessage[], tools: readonly ToolSpec[]) {
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    messages: [
      { role: 'system', content: system },
      ...turns.flatMap((turn): readonly unknown[] => {
        if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
        if (turn.role === 'tools')
          return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
        return [
          {
            role: 'assistant',
            content: turn.text,
            tool_calls: turn.calls.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          },
        ];
      }),
    ],
  };
}
