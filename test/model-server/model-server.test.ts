import { afterEach, describe, expect, it } from 'vitest';
import { ModelServer } from '../../tools/model-server/model-server.ts';
import type { ModelScriptInput } from '../../tools/model-server/script.ts';

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(...rules: ModelScriptInput['rules']): Promise<ModelServer> {
  const server = await ModelServer.start({ rules });
  open.push(server);
  return server;
}

type Message = { role: string; content: unknown };

function ask(server: ModelServer, messages: readonly Message[], body: object = {}, signal?: AbortSignal) {
  return fetch(`${server.url}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, messages, ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

const user = (text: string): Message => ({ role: 'user', content: text });
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const toolResult = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content: text }],
});

function events(stream: string): { type: string; [key: string]: unknown }[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as { type: string });
}

describe('a scripted model speaks the Messages API', () => {
  it('streams words in pieces and a tool call whose input is whole when put together', async () => {
    const input = { file_path: '{{cwd}}/a.txt', content: 'a "quoted" text' };
    const server = await serve({
      reply: { text: 'I will write a file now.', tools: [{ name: 'Write', input }] },
    });
    const response = await ask(server, [user('go')], { system: 'Primary working directory: /repo\nmore' });
    const all = events(await response.text());
    expect(all.map(({ type }) => type).filter((type) => type !== 'content_block_delta')).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const deltas = all.flatMap((event) => (event['delta'] ?? {}) as { text?: string; partial_json?: string });
    expect(deltas.map(({ text }) => text ?? '').join('')).toBe('I will write a file now.');
    const json = deltas.map(({ partial_json }) => partial_json ?? '').join('');
    expect(JSON.parse(json)).toEqual({ ...input, file_path: '/repo/a.txt' });
    expect(all.find(({ type }) => type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'tool_use' },
    });
  });

  it('answers in one document when no stream is asked for', async () => {
    const server = await serve({ reply: { text: 'hi', output_tokens: 7 } });
    const response = await ask(server, [user('go')], { stream: false });
    expect(await response.json()).toMatchObject({
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 7 },
    });
  });

  it('every call has its own id, also in an endless loop of equal calls', async () => {
    const server = await serve({ reply: { tools: [{ name: 'Bash', input: { command: 'ls' } }] } });
    const ids = await Promise.all(
      [1, 2, 3].map(
        async () => /"id":"(toolu_[^"]+)"/.exec(await (await ask(server, [user('go')])).text())?.[1],
      ),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe('rules', () => {
  async function answer(
    server: ModelServer,
    messages: readonly Message[],
    body: object = {},
  ): Promise<string> {
    const response = await ask(server, messages, { stream: false, ...body });
    const { content } = (await response.json()) as { content?: { text: string }[] };
    return content?.[0]?.text ?? `status ${response.status}`;
  }

  it('the first that holds answers: turn, last words, tool result, history, session', async () => {
    const session = '11111111-2222-4333-8444-555555555555';
    const server = await serve(
      { when: { session }, reply: { text: 'same session' } },
      { when: { tool_result_includes: 'passed' }, reply: { text: 'green' } },
      { when: { any_includes: 'SECRET', turn: 2 }, reply: { text: 'remembers' } },
      { when: { last_user_includes: 'hint' }, reply: { text: 'changed course' } },
      { when: { turn: 1, tool_result: false }, reply: { text: 'first' } },
    );
    expect(await answer(server, [user('x')], { metadata: { user_id: `user_1_session_${session}` } })).toBe(
      'same session',
    );
    expect(await answer(server, [user('x'), assistant('y'), toolResult('2 passed')])).toBe('green');
    expect(await answer(server, [user('SECRET'), assistant('y'), user('z')])).toBe('remembers');
    expect(await answer(server, [user('x'), assistant('y'), user('a hint')])).toBe('changed course');
    expect(await answer(server, [user('x')])).toBe('first');
    expect(await answer(server, [user('x'), assistant('y'), user('z')])).toBe('status 400');
    expect(server.requests.map(({ rule }) => rule)).toEqual([
      'rule 1',
      'rule 2',
      'rule 3',
      'rule 4',
      'rule 5',
      null,
    ]);
    expect(server.requests[2]).toMatchObject({ turn: 2, lastUserText: 'z' });
  });

  it('a rule is spent after its times; replies go on to the last, or cycle', async () => {
    const server = await serve(
      { times: 1, fault: { type: 'status', status: 529 } },
      { when: { last_user_includes: 'cycle' }, cycle: true, replies: [{ text: 'A{{n}}' }, { text: 'B' }] },
      { replies: [{ text: 'one' }, { text: 'two' }] },
    );
    const go = (text: string) => answer(server, [user(text)]);
    expect([await go('x'), await go('x'), await go('x'), await go('x')]).toEqual([
      'status 529',
      'one',
      'two',
      'two',
    ]);
    expect([await go('cycle'), await go('cycle'), await go('cycle')]).toEqual(['A1', 'B', 'A3']);
  });

  it('an outage lasts from the first request on, and resets are told as times from now', async () => {
    const server = await serve(
      { when: { before_s: 0.3 }, fault: { type: 'status', status: 429, headers: { reset: '{{epoch+30}}' } } },
      { reply: { text: 'back' } },
    );
    const response = await ask(server, [user('x')]);
    const seconds = Number(response.headers.get('reset')) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(28);
    expect(seconds).toBeLessThanOrEqual(31);
    const first = server.requests[0]?.at as number;
    let last = '';
    while (last !== 'back') last = await answer(server, [user('x')]);
    expect((server.requests.at(-1)?.at as number) - first).toBeGreaterThanOrEqual(300);
  });

  it('another script can be played from now on', async () => {
    const server = await serve({ fault: { type: 'status', status: 401 } });
    expect(await answer(server, [user('x')])).toBe('status 401');
    server.play({ rules: [{ reply: { text: 'welcome back' } }] });
    expect(await answer(server, [user('x')])).toBe('welcome back');
  });

  it.each([
    [{ rules: [] }],
    [{ rules: [{ when: {} }] }],
    [{ rules: [{ reply: { text: 'a' }, fault: { type: 'silence' } }] }],
    [{ rules: [{ when: { trun: 1 }, reply: {} }] }],
  ])('a wrong script is refused before anything listens: %j', async (script) => {
    await expect(ModelServer.start(script as ModelScriptInput)).rejects.toThrow();
  });
});

describe('faults', () => {
  it('a status comes with its headers and an error document of its type', async () => {
    const server = await serve({ fault: { type: 'status', status: 429, headers: { 'retry-after': '17' } } });
    const response = await ask(server, [user('x')]);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('17');
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  });

  it('a stall says something and then nothing; silence says nothing at all', async () => {
    const server = await serve(
      { when: { last_user_includes: 'stall' }, fault: { type: 'stall', text: 'Let me' } },
      { fault: { type: 'silence' } },
    );
    const response = await ask(server, [user('stall')]);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('Let me');
    const next = await Promise.race([
      reader.read(),
      new Promise((resolve) => setTimeout(resolve, 200, 'quiet')),
    ]);
    expect(next).toBe('quiet');
    await reader.cancel();
    await expect(ask(server, [user('x')], {}, AbortSignal.timeout(200))).rejects.toThrow(/timeout/i);
  });

  it('a drop breaks the connection, before or in the middle of the answer', async () => {
    const server = await serve(
      { times: 1, fault: { type: 'drop' } },
      { fault: { type: 'drop', text: 'Half a' } },
    );
    await expect(ask(server, [user('x')])).rejects.toThrow();
    const response = await ask(server, [user('x')]);
    await expect(response.text()).rejects.toThrow();
  });

  it.each(['json', 'html', 'truncated', 'empty'] as const)(
    'a malformed stream (%s) ends without its last event',
    async (kind) => {
      const server = await serve({ fault: { type: 'malformed', kind } });
      const response = await ask(server, [user('x')]);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('message_stop');
    },
  );
});
