/** `McpClient`: a small MCP client. Started as a program it is an agent that does what its plan says: `mcp-client.ts MAYDAY PLAN`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

interface Answer {
  readonly id: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class McpClient {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #nextId = 1;

  constructor(argv: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
    const [program, ...args] = argv;
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.ended = new Promise((settle) => child.once('close', settle));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    await this.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  async call(name: string, args: object): Promise<Record<string, unknown>> {
    const { result, error } = await this.#request('tools/call', { name, arguments: args });
    return result ?? { isError: true, content: [{ text: error?.message }] };
  }

  async close(): Promise<number | null> {
    this.#child.stdin?.end();
    return await this.ended;
  }

  async #request(method: string, params: object): Promise<Answer> {
    const id = this.#nextId++;
    const answered = new Promise<Answer>((settle) => this.#waiting.set(id, settle));
    this.#send({ id, method, params });
    return await answered;
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** The plan: one list of steps per attempt, `[tool, arguments]` or `['write', {path: text}]`. */
async function work(mayday: string, plan: string): Promise<void> {
  const plans = JSON.parse(readFileSync(plan, 'utf8')) as [string, Record<string, string>][][];
  const client = new McpClient([process.execPath, mayday, 'mcp'], process.env);
  await client.open();
  for (const [name, args] of plans[Number(process.env['MAYDAY_ATTEMPT']) - 1] ?? [])
    if (name === 'write') writeAll(args);
    else console.log(name, JSON.stringify((await client.call(name, args))['content']));
  await client.close();
}

function writeAll(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

if (process.argv[1] === import.meta.filename) await work(process.argv[2] ?? '', process.argv[3] ?? '');
