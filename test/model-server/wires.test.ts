import { afterEach, describe, expect, it } from 'vitest';
import { ModelServer } from '../../tools/model-server/model-server.ts';
import type { ModelScriptInput } from '../../tools/model-server/script.ts';

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** How each API says the same conversation, and where its answer is found. */
interface Wire {
  readonly path: string;
  /** A person asks, the model calls a tool, the tool answers; then, for a resumed session, the person asks again. */
  readonly begun: object;
  readonly answered: object;
  readonly resumed: object;
  text(chunks: readonly unknown[]): string;
  call(chunks: readonly unknown[]): unknown;
}

const dig = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
const joined = (chunks: readonly unknown[], path: string): string =>
  chunks.map((chunk) => (dig(chunk, path) as string | undefined) ?? '').join('');

const item = (role: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});
const RESPONSES_DONE = [
  item('developer', 'You are an agent.'),
  item('user', '<environment_context><cwd>/repo</cwd></environment_context>'),
  item('user', 'Begin the work'),
  { type: 'reasoning', summary: [] },
  { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'c' },
  { type: 'function_call_output', call_id: 'c', output: 'a.txt' },
];
const CHAT_DONE = [
  { role: 'system', content: 'You are an agent.\n  Working directory: /repo\n' },
  { role: 'user', content: 'Begin the work' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{"cmd":"ls"}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'a.txt' },
];
const GEMINI_DONE = [
  { role: 'user', parts: [{ text: "I'm currently working in the directory: /repo\n" }] },
  { role: 'user', parts: [{ text: 'Begin the work' }] },
  { role: 'model', parts: [{ functionCall: { name: 'shell', args: { cmd: 'ls' } } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'shell', response: { output: 'a.txt' } } }] },
];

const WIRES: Readonly<Record<string, Wire>> = {
  'OpenAI responses': {
    path: '/v1/responses',
    begun: { model: 'm', stream: true, input: RESPONSES_DONE.slice(0, 3) },
    answered: { model: 'm', stream: true, input: RESPONSES_DONE },
    resumed: { model: 'm', stream: true, input: [...RESPONSES_DONE, item('user', 'Go on')] },
    text: (chunks) =>
      joined(
        chunks.filter((chunk) => dig(chunk, 'type') === 'response.output_text.delta'),
        'delta',
      ),
    call: (chunks) => {
      const done = chunks.findLast((chunk) => dig(chunk, 'item.type') === 'function_call');
      return [dig(done, 'item.name'), JSON.parse(String(dig(done, 'item.arguments')))];
    },
  },
  'OpenAI chat': {
    path: '/v1/chat/completions',
    begun: { model: 'm', stream: true, messages: CHAT_DONE.slice(0, 2) },
    answered: { model: 'm', stream: true, messages: CHAT_DONE },
    resumed: { model: 'm', stream: true, messages: [...CHAT_DONE, { role: 'user', content: 'Go on' }] },
    text: (chunks) => joined(chunks, 'choices.0.delta.content'),
    call: (chunks) => [
      joined(chunks, 'choices.0.delta.tool_calls.0.function.name'),
      JSON.parse(joined(chunks, 'choices.0.delta.tool_calls.0.function.arguments')),
    ],
  },
  Gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    begun: { contents: GEMINI_DONE.slice(0, 2) },
    answered: { contents: GEMINI_DONE },
    resumed: { contents: [...GEMINI_DONE, { role: 'user', parts: [{ text: 'Go on' }] }] },
    text: (chunks) => joined(chunks, 'candidates.0.content.parts.0.text'),
    call: (chunks) => {
      const call = dig(chunks.at(-1), 'candidates.0.content.parts.0.functionCall');
      return [dig(call, 'name'), dig(call, 'args')];
    },
  },
};

describe.each(Object.entries(WIRES))('a scripted model speaks %s', (_, wire) => {
  async function serve(...rules: ModelScriptInput['rules']): Promise<ModelServer> {
    const server = await ModelServer.start({ rules });
    open.push(server);
    return server;
  }
  const ask = (server: ModelServer, body: object, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${server.url}${wire.path}`, { method: 'POST', body: JSON.stringify(body), signal });

  it('streams words in pieces and a tool call that is whole when put together', async () => {
    const server = await serve({
      reply: {
        text: 'I will write a file now.',
        tools: [{ name: 'write', input: { path: '{{cwd}}/a.txt', content: 'a "quoted" text' } }],
      },
    });
    const chunks = (await (await ask(server, wire.begun)).text())
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as unknown);
    expect(chunks.length).toBeGreaterThan(2);
    expect(wire.text(chunks)).toBe('I will write a file now.');
    expect(wire.call(chunks)).toEqual(['write', { path: '/repo/a.txt', content: 'a "quoted" text' }]);
  });

  it('knows the turn, the tool result and the words since the last answer', async () => {
    const server = await serve({ reply: { text: 'ok' } });
    for (const body of [wire.begun, wire.answered, wire.resumed]) await (await ask(server, body)).text();
    const [begun, answered, resumed] = server.requests;
    expect(begun).toMatchObject({ turn: 1, toolResults: [], lastUserText: expect.stringContaining('Begin') });
    expect(answered).toMatchObject({ turn: 2, toolResults: ['a.txt'], lastUserText: '' });
    expect(resumed).toMatchObject({ turn: 2, toolResults: [], lastUserText: 'Go on' });
  });

  it('refuses with a status in the form of the API', async () => {
    const server = await serve({
      fault: { type: 'status', status: 429, message: 'slowly', headers: { 'retry-after': '7' } },
    });
    const response = await ask(server, wire.begun);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toMatchObject({ error: { message: 'slowly' } });
  });

  it('drops the connection after the beginning of an answer', async () => {
    const server = await serve({ fault: { type: 'drop', text: 'Half an answer' } });
    const response = await ask(server, wire.begun);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('stalls: the beginning of an answer comes, and then nothing', async () => {
    const server = await serve({ fault: { type: 'stall', text: 'Half an answer' } });
    const stop = new AbortController();
    const response = await ask(server, wire.begun, stop.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toContain('Half an answ');
    const more = reader.read();
    more.catch(() => undefined);
    expect(await Promise.race([more.then(() => 'more'), quiet(200)])).toBe('quiet');
    stop.abort();
  });
});

async function quiet(ms: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return 'quiet';
}
