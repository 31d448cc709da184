/** `geminiWire`: the Gemini API (`generateContent`). It sends a call's arguments in one piece; only text comes in several. */
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../src/core/text/json.ts';
import { type RequestFacts, type Utterance, utteranceFacts } from './request-facts.ts';
import type { ScriptReply } from './script.ts';
import { frame, type Frame, type ModelWire, pieces, tokensOf } from './wire.ts';

const OVERLOADED = ['UNAVAILABLE', 'The model is overloaded. Please try again later.'] as const;
const ERRORS: Readonly<Record<number, readonly [status: string, message: string]>> = {
  400: [
    'INVALID_ARGUMENT',
    'The input token count (1215000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  401: ['UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  500: ['INTERNAL', 'An internal error has occurred.'],
  503: OVERLOADED,
  529: OVERLOADED,
};

export const geminiWire: ModelWire = {
  serves: (path) => /:(?:streamGenerate|generate)Content$/.test(path),
  facts,
  frames,
  document: (reply, model) =>
    chunk(model, [...(reply.text === undefined ? [] : [{ text: reply.text }]), ...callParts(reply)], reply),
  errorDocument: (fault) => {
    const [status, message] = ERRORS[fault.status] ?? ['UNKNOWN', `Status ${fault.status}`];
    return {
      error: { code: fault.status, message: fault.message ?? message, status: fault.error_type ?? status },
    };
  },
};

function facts(body: unknown, _headers: Readonly<Record<string, unknown>>, path: string): RequestFacts {
  const request = jsonObject(body);
  const said = jsonList(request['contents']).map(jsonObject).flatMap(utterances);
  const system = jsonList(jsonObject(request['systemInstruction'])['parts']).map((part) =>
    partText(jsonObject(part)),
  );
  return {
    ...utteranceFacts(said, (text) => [text, ...system]),
    model: /models\/([^/:]+):/.exec(path)?.[1] ?? '',
    stream: path.endsWith(':streamGenerateContent'),
    session: null,
  };
}

function utterances(content: JsonObject): readonly Utterance[] {
  return jsonList(content['parts'])
    .map(jsonObject)
    .map((part): Utterance => {
      const text = partText(part);
      if (part['functionResponse'] !== undefined) return { by: 'tool', text };
      return { by: content['role'] === 'model' ? 'model' : 'person', text };
    });
}

function partText(part: JsonObject): string {
  const called = jsonObject(part['functionCall']);
  const answered = part['functionResponse'];
  if (part['functionCall'] !== undefined)
    return `${jsonText(called['name'])} ${JSON.stringify(called['args'] ?? {})}`;
  if (answered !== undefined)
    return Object.values(jsonObject(jsonObject(answered)['response']))
      .map(plain)
      .join('\n');
  return jsonText(part['text']);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Part = Readonly<Record<string, unknown>>;

function callParts(reply: ScriptReply): readonly Part[] {
  return (reply.tools ?? []).map(({ name, input }) => ({ functionCall: { name, args: input } }));
}

function frames(reply: ScriptReply, model: string): readonly Frame[] {
  const waitMs = reply.chunk_ms ?? 0;
  return [
    ...pieces(reply.text ?? '').map((text) => frame(null, chunk(model, [{ text }]), { waitMs })),
    frame(null, chunk(model, callParts(reply), reply), { closes: true }),
  ];
}

/** With a reply it is the last one: it ends the answer and tells its usage. */
function chunk(model: string, parts: readonly Part[], last?: ScriptReply): Record<string, unknown> {
  const content = { role: 'model', parts };
  if (last === undefined) return { candidates: [{ index: 0, content }], modelVersion: model };
  const { input, output } = tokensOf(last);
  return {
    candidates: [{ index: 0, content, finishReason: 'STOP' }],
    modelVersion: model,
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  };
}
