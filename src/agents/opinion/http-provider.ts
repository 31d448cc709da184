/** `httpProvider`: a model over HTTP, in one of the two common protocols: one request without tools, one bounded answer. */
import {
  type JsonObject,
  jsonList,
  jsonNumber,
  jsonObject,
  jsonText,
  objectOrNull,
  textOfContent,
} from '../../core/text/json.ts';
import type { OpinionChoice } from '../../core/vocabulary/opinion.ts';
import type { OpinionProvider, OpinionReply } from './ask-opinion.ts';

export type HttpChoice = Extract<OpinionChoice, { type: 'http' }>;

const ANSWER_TOKENS = 2_000;
const BODY_BYTES = 1_000_000;

export function httpProvider(
  { protocol, url, model }: Pick<HttpChoice, 'protocol' | 'url' | 'model'>,
  apiKey: string,
): OpinionProvider {
  const { path, headers, read } = PROTOCOLS[protocol];
  return {
    name: protocol,
    ask: async (prompt, signal) => {
      const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        method: 'POST',
        signal,
        redirect: 'error',
        headers: { 'content-type': 'application/json', ...headers(apiKey) },
        body: JSON.stringify({
          model,
          max_tokens: ANSWER_TOKENS,
          messages: [{ role: 'user', content: prompt }],
        }),
      });
      if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
      return read(await boundedJson(response));
    },
  };
}

const PROTOCOLS = {
  anthropic: {
    path: '/v1/messages',
    headers: (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    read: ({ content, usage }: JsonObject): OpinionReply => {
      const { input_tokens, output_tokens } = jsonObject(usage);
      return reply(textOfContent(content), input_tokens, output_tokens);
    },
  },
  openai: {
    path: '/v1/chat/completions',
    headers: (key: string) => ({ authorization: `Bearer ${key}` }),
    read: ({ choices, usage }: JsonObject): OpinionReply => {
      const { prompt_tokens, completion_tokens } = jsonObject(usage);
      const message = jsonObject(jsonObject(jsonList(choices)[0])['message']);
      return reply(jsonText(message['content']), prompt_tokens, completion_tokens);
    },
  },
};

/** Neither protocol tells a price. */
function reply(text: string, asked: unknown, answered: unknown): OpinionReply {
  const tokens = jsonNumber(asked) + jsonNumber(answered);
  return { text, costUsd: null, tokens: tokens > 0 ? tokens : null };
}

async function boundedJson(response: Response): Promise<JsonObject> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > BODY_BYTES) throw new Error('the answer of the model is too long');
  }
  const value = objectOrNull(text);
  if (value === null) throw new Error('the answer of the model is no JSON');
  return value;
}
