import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentTools } from '../../src/mcp/agent-tools.ts';
import { serveMcp } from '../../src/mcp/mcp-server.ts';
import { type McpTool, tool } from '../../src/mcp/tool.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-mcp-'));
  folders.push(folder);
  const path = (name: string) => join(folder, name);
  return {
    checkpoint: path('checkpoint.json'),
    blocker: path('blocker.json'),
    notes: path('notes.jsonl'),
    context: path('context.json'),
  };
}

const BROKEN = tool({
  name: 'broken',
  description: 'x',
  input: z.object({}),
  call: () => {
    throw new Error('the disk is full');
  },
});

/** The answers to these lines, in order; the server ends when its input does. */
async function say(tools: readonly McpTool[], ...lines: readonly (string | object)[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp({ version: '1', instructions: '', tools }, { input, output }).then(() =>
    output.end(),
  );
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  input.end();
  const answers = await Array.fromAsync(
    createInterface({ input: output }),
    (line) => JSON.parse(line) as never,
  );
  await served;
  return answers as Record<string, never>[];
}

/** Of the heap, without what nobody holds any more. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function call(name: string, args: unknown, id = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

describe('the MCP server', () => {
  it('agrees on the version that the client asks for, or offers its newest', async () => {
    const hello = (protocolVersion: string) => ({ id: 1, method: 'initialize', params: { protocolVersion } });
    const [old, strange] = await say([], hello('2024-11-05'), hello('1999-01-01'));
    expect(old).toMatchObject({ result: { protocolVersion: '2024-11-05', serverInfo: { name: 'mayday' } } });
    expect(strange).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('answers nonsense with the errors of the protocol and stays there', async () => {
    const [torn, list, method, unknown, broken, misfit, pong] = await say(
      [BROKEN, ...agentTools(place())],
      '{"jsonrpc":',
      '[1]',
      { id: 1, method: 'resources/list' },
      call('approve', {}),
      call('broken', {}),
      call('raise_blocker', { reason: '' }),
      { method: 'notifications/cancelled' },
      { id: 'p', method: 'ping' },
    );
    expect([torn, list, method, unknown].map((answer) => answer?.['error'])).toMatchObject([
      { code: -32_700 },
      { code: -32_600 },
      { code: -32_601 },
      { code: -32_602 },
    ]);
    expect(broken).toMatchObject({ result: { isError: true, content: [{ text: 'the disk is full' }] } });
    expect(misfit).toMatchObject({ result: { isError: true } });
    expect(pong).toMatchObject({ id: 'p', result: {} });
  });

  it('refuses a message that is too long before it is whole, and one that is too deep, and stays there', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveMcp(
      { version: '1', instructions: '', tools: agentTools(place()) },
      { input, output },
    );
    const answers = createInterface({ input: output })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await answers.next()).value as string) as unknown;
    const piece = 'x'.repeat(1024 * 1024);
    const before = heldBytes();
    for (let megabytes = 0; megabytes < 64; megabytes += 1)
      if (!input.write(piece)) await new Promise((drained) => input.once('drain', drained));
    expect(heldBytes() - before, 'what is over the limit is not kept').toBeLessThan(32 * 1024 * 1024);
    input.write('\n');
    expect(await next()).toMatchObject({ error: { code: -32_600, message: 'the message is too long' } });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    input.write(`{"id":1,"method":"tools/call","params":{"name":"raise_blocker","arguments":${deep}}}\n`);
    expect(await next()).toMatchObject({ id: 1, result: { isError: true } });
    input.write('{"id":2,"method":"ping"}\n');
    expect(await next()).toMatchObject({ id: 2, result: {} });
    input.end();
    await served;
  });
});

it(`answers any message, and tells of none that it broke (MAYDAY_TEST_SEED=${SEED})`, async () => {
  const random = new Random(SEED);
  const honest = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
    { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
    call('raise_blocker', { reason: 'stuck', question: 'Which?', options: ['a', 'b'] }, 3),
  ];
  const messages = Array.from({ length: 300 }, () => {
    const message = random.pick(honest);
    if (random.chance(0.3)) return torn(random, JSON.stringify(message)).replaceAll('\n', ' ');
    return JSON.stringify(mutant(random, message));
  });
  const answers = await say(agentTools(place()), ...messages, { id: 'last', method: 'ping' });
  expect(answers.at(-1)).toMatchObject({ id: 'last', result: {} });
  expect(answers.length).toBeGreaterThan(100);
});

describe('the tools for the agent of a run', () => {
  it('are six, none of which approves or answers anything', async () => {
    const [listed] = await say(agentTools(place()), { id: 1, method: 'tools/list' });
    const { tools } = (listed as unknown as { result: { tools: { name: string; inputSchema: object }[] } })
      .result;
    expect(tools.map(({ name }) => name)).toEqual([
      'checkpoint',
      'raise_blocker',
      'request_scope',
      'record_note',
      'report_progress',
      'search_context',
    ]);
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object' });
  });

  it('write what the same files say without MCP', async () => {
    const files = place();
    await say(
      agentTools(files),
      call('checkpoint', { completed: ['a'], next_actions: ['b'] }),
      call('raise_blocker', { reason: 'two stores fit', options: ['one', 'two'] }),
      call('record_note', { text: 'port 5432\nis taken' }),
      call('report_progress', { text: 'half' }),
    );
    const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
    expect(json(files.checkpoint)).toEqual({ completed: ['a'], created_files: [], next_actions: ['b'] });
    expect(json(files.blocker)).toEqual({ reason: 'two stores fit', options: ['one', 'two'] });
    expect(readFileSync(files.notes, 'utf8')).toBe(
      '{"kind":"note","text":"port 5432\\nis taken"}\n{"kind":"progress","text":"half"}\n',
    );
  });

  it('say outside a run that nothing was recorded', async () => {
    const [answer] = await say(agentTools(null), call('checkpoint', { completed: ['a'] }));
    expect(answer).toMatchObject({ result: { isError: true } });
  });
});
