/**
 * `serveMcp`: an MCP server over standard input and output: one JSON-RPC message per line, tools only. It is our own because it is
 * five methods: the official SDK brings a web server and ninety packages, and every agent of every run would start them.
 */
import type { Readable, Writable } from 'node:stream';
import { isJsonObject } from '../core/text/json.ts';
import { streamLines } from '../platform/file/stream-lines.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { McpTool } from './tool.ts';

/** Newest first. A client that asks for another one is offered the newest, as the protocol says. */
const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** A note or a diagnosed output is far smaller. */
const MAX_LINE_CHARS = 8 * 1024 * 1024;
const [PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS] = [-32_700, -32_600, -32_601, -32_602];

export interface McpServer {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly McpTool[];
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

type Id = string | number | null;
type Params = Readonly<Record<string, unknown>>;

/** Returns when the client closes its end. */
export async function serveMcp(server: McpServer, { input, output }: Streams): Promise<void> {
  for await (const line of streamLines(input, MAX_LINE_CHARS)) {
    if (line.trim() === '') continue;
    const answer = await answerTo(server, line);
    if (answer !== null && !output.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`))
      await new Promise((drained) => output.once('drain', drained));
  }
}

/** Null: a notification, or an answer to something that was never asked. */
async function answerTo(server: McpServer, line: string): Promise<object | null> {
  if (line.length > MAX_LINE_CHARS) return failure(null, INVALID_REQUEST, 'the message is too long');
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(null, PARSE_ERROR, 'the line is not JSON');
  }
  if (!isJsonObject(message)) return failure(null, INVALID_REQUEST, 'the message is not an object');
  const { id, method, params } = message;
  if (id === undefined || typeof method !== 'string') return null;
  const given = typeof params === 'object' && params !== null ? (params as Params) : {};
  return await result(server, id as Id, method, given);
}

async function result(server: McpServer, id: Id, method: string, params: Params): Promise<object> {
  switch (method) {
    case 'initialize':
      return { id, result: introduction(server, params) };
    case 'ping':
      return { id, result: {} };
    case 'tools/list':
      return { id, result: { tools: server.tools.map(described) } };
    case 'tools/call': {
      const found = server.tools.find(({ name }) => name === params['name']);
      if (found === undefined)
        return failure(id, INVALID_PARAMS, `there is no tool ${JSON.stringify(params['name'])}`);
      return { id, result: await called(found, params['arguments']) };
    }
    default:
      return failure(id, UNKNOWN_METHOD, `there is no method ${method}`);
  }
}

function introduction({ version, instructions }: McpServer, params: Params): object {
  const asked = PROTOCOL_VERSIONS.find((one) => one === params['protocolVersion']);
  return {
    protocolVersion: asked ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'mayday', version },
    instructions,
  };
}

function described({ name, description, inputSchema, readOnly }: McpTool): object {
  return {
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
  };
}

/** What goes wrong in a call is told to the model, which can do something about it. */
async function called(found: McpTool, args: unknown): Promise<object> {
  try {
    const { text, data, isError = false } = await found.call(args);
    return {
      content: [{ type: 'text', text }],
      ...(data === undefined ? {} : { structuredContent: data }),
      isError,
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const advice = error instanceof MaydayError ? error.advice : [];
    const text = [error.message, ...advice.map(([label, words]) => `${label}: ${words}`)].join('\n');
    return { content: [{ type: 'text', text }], isError: true };
  }
}

function failure(id: Id, code: number, message: string): object {
  return { id, error: { code, message } };
}
