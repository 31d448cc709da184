/**
 * `ModelServer`: a model server on loopback that answers and fails as a script says. It speaks the APIs of Anthropic, OpenAI (responses and
 * chat) and Gemini, streaming, told apart by the path. It drives real agent CLIs in tests and drills, with no key, network or model.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { anthropicWire } from './anthropic-wire.ts';
import { chatWire } from './chat-wire.ts';
import { respondWithFault } from './fault-response.ts';
import { geminiWire } from './gemini-wire.ts';
import type { RequestFacts } from './request-facts.ts';
import { responsesWire } from './responses-wire.ts';
import { ModelScript, type ModelScriptInput, type ScriptReply } from './script.ts';
import { ScriptPlayer } from './script-player.ts';
import type { ModelWire } from './wire.ts';

const WIRES: readonly ModelWire[] = [anthropicWire, responsesWire, chatWire, geminiWire];

export interface RecordedRequest extends RequestFacts {
  readonly number: number;
  readonly at: number;
  /** Of its body. */
  readonly bytes: number;
  /** Name of the rule that answered; null when none held. */
  readonly rule: string | null;
}

/** Larger than any conversation with a whole repository in it. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A client that loops for ever is stopped by its own limits; here only the memory of its requests is bounded. */
const MAX_RECORDED = 10_000;
/** Each conversation holds those before it: of more requests than these they would fill the memory. */
const MAX_CONVERSATIONS = 200;

export class ModelServer {
  readonly url: string;
  readonly #server: Server;
  readonly #requests: RecordedRequest[] = [];
  #player: ScriptPlayer;
  #count = 0;
  #firstAt: number | null = null;

  private constructor(server: Server, script: ModelScript) {
    this.#server = server;
    this.#player = new ScriptPlayer(script);
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** Listens on a free port of the loopback interface. A wrong script throws before that. */
  static async start(script: ModelScriptInput): Promise<ModelServer> {
    const checked = ModelScript.parse(script);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new ModelServer(server, checked);
  }

  /** Message requests so far, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** From now on this script answers: the outage is over, the login works again. */
  play(script: ModelScriptInput): void {
    this.#player = new ScriptPlayer(ModelScript.parse(script));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] as string;
    if (request.method === 'GET' && path === '/__requests') return json(response, 200, this.#requests);
    if (request.method !== 'POST') return json(response, 200, {});
    const body = await readJson(request);
    if (path.endsWith('/count_tokens')) return json(response, 200, { input_tokens: 1_000 });
    if (path.endsWith(':countTokens')) return json(response, 200, { totalTokens: 1_000 });
    const wire = WIRES.find((one) => one.serves(path));
    if (wire === undefined) return json(response, 404, { type: 'error' });
    const bytes = Number(request.headers['content-length'] ?? 0);
    await this.#answerModelRequest(wire, { ...wire.facts(body, request.headers, path), bytes }, response);
  }

  async #answerModelRequest(
    wire: ModelWire,
    facts: RequestFacts & Pick<RecordedRequest, 'bytes'>,
    response: ServerResponse,
  ): Promise<void> {
    const number = ++this.#count;
    const at = Date.now();
    this.#firstAt ??= at;
    const answer = this.#player.next(facts, { request: number, nowMs: at, firstMs: this.#firstAt });
    this.#requests.push({ ...facts, number, at, rule: answer?.rule ?? null });
    if (this.#requests.length > MAX_RECORDED) this.#requests.shift();
    const old = this.#requests.length - MAX_CONVERSATIONS - 1;
    if (old >= 0) this.#requests[old] = { ...(this.#requests[old] as RecordedRequest), utterances: [] };
    if (answer === null) {
      const message = 'no rule of the script holds for this request';
      return json(response, 400, wire.errorDocument({ type: 'status', status: 400, message }, number));
    }
    if (answer.content.type === 'fault')
      return respondWithFault(response, answer.content.fault, wire, number);
    await respondWithReply(response, answer.content.reply, wire, facts, number);
  }
}

async function respondWithReply(
  response: ServerResponse,
  reply: ScriptReply,
  wire: ModelWire,
  facts: RequestFacts,
  number: number,
): Promise<void> {
  if (reply.delay_ms !== undefined) await wait(reply.delay_ms);
  if (!facts.stream) return json(response, 200, wire.document(reply, facts.model, number));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${number}` });
  for (const { text, waitMs } of wire.frames(reply, facts.model, number)) {
    if (waitMs > 0) await wait(waitMs);
    if (response.destroyed) return;
    response.write(text);
  }
  response.end();
}

function json(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('request body too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
