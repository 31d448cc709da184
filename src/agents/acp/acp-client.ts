/**
 * The program of an attempt with an ACP agent, the client of one prompt: `acp-client PLAN`. It starts the agent, opens or loads its
 * session, sends the brief, answers permission requests as decided, and prints every message of the wire as a line `{d, m}` for the
 * reader: `>` from us, `<` from the agent, `!` what the client itself saw.
 *
 *   initialize -> session/load (or session/new where that fails) -> session/prompt -> answer -> end of the agent
 *   A message for the working agent: session/cancel, then the answer, then session/prompt with the message in the same session.
 *   SIGINT or SIGTERM: session/cancel, then the answer, then the end. The agent dies: its exit code, or its signal, becomes ours.
 */
import { readFileSync, renameSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type PipedProcess, spawnPiped } from '../../platform/process/spawn.ts';
import { type JsonObject, jsonList, jsonObject, jsonText, objectOrNull } from '../../core/text/json.ts';
import { AcpPlan } from './acp-plan.ts';
import { answerPermission, permissionOption } from './permission.ts';

const PROTOCOL_VERSION = 1;
/** Two of the four known agents do not end when their input does. */
const END_MS = 2_000;
/** How often it is looked for a message. */
const NUDGE_LOOK_MS = 250;
const UNKNOWN_METHOD = -32_601;
const AUTH_REQUIRED = -32_000;
const INTERRUPTED = 130;
const FAILED = 1;

/** Ways to log in that need no person, and the variable that holds the key. */
const LOGIN_VARIABLES: Readonly<Record<string, string>> = {
  'gemini-api-key': 'GEMINI_API_KEY',
  'codex-api-key': 'CODEX_API_KEY',
  'openai-api-key': 'OPENAI_API_KEY',
  'anthropic-api-key': 'ANTHROPIC_API_KEY',
};
/** Modes in which an agent asks nobody. Only the person switches those on. */
const WIDE_MODES = ['bypassPermissions', 'yolo', 'full-access', 'auto-approve'];
const USUAL_MODES = ['default', 'auto'];

class AcpFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

class AcpClient {
  readonly #plan: AcpPlan;
  readonly #agent: PipedProcess;
  readonly #waiting = new Map<
    number,
    { answer: (result: JsonObject) => void; fail: (error: Error) => void }
  >();
  /** Resolves with the exit code or the signal by which the agent ended. */
  readonly gone: Promise<number | NodeJS.Signals>;
  #nextId = 0;
  #session: string | null = null;
  #isCancelled = false;
  /** The message for which the turn was cancelled. */
  #nudge: string | null = null;

  constructor(plan: AcpPlan) {
    this.#plan = plan;
    this.#agent = spawnPiped(plan.command, { cwd: plan.workspace, env: process.env });
    this.gone = new Promise((settle) => {
      this.#agent.once('error', (error) => {
        print('!', { event: 'agent_not_started', message: error.message });
        settle(127);
      });
      this.#agent.once('exit', (code, signal) => {
        print('!', { event: 'agent_exited', code, signal });
        settle(signal ?? code ?? FAILED);
      });
    });
    // A write to an agent that is gone: its exit tells.
    this.#agent.stdin.on('error', () => undefined);
    createInterface({ input: this.#agent.stdout }).on('line', (line) => this.#hear(line));
  }

  /** How this program ends: the exit code, or the signal that ended the agent. */
  async work(): Promise<number | NodeJS.Signals> {
    const dead = this.gone.then((code) => (code === 0 ? FAILED : code));
    const code = await Promise.race([dead, this.#converse()]);
    await this.#end();
    return code;
  }

  cancel(): void {
    this.#isCancelled = true;
    if (this.#session === null) void this.#end();
    else this.#send({ method: 'session/cancel', params: { sessionId: this.#session } });
  }

  async #converse(): Promise<number> {
    try {
      const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
      const clientInfo = { name: 'mayday', version: '1' };
      const hello = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo };
      const agent = await this.#request('initialize', hello);
      this.#session = await this.#openSession(agent);
      const looks = setInterval(() => this.#lookForNudge(), NUDGE_LOOK_MS);
      let stopReason = await this.#prompt(readFileSync(this.#plan.briefFile, 'utf8'));
      clearInterval(looks);
      if (this.#nudge !== null && !this.#isCancelled) stopReason = await this.#prompt(this.#nudge);
      if (this.#isCancelled || stopReason === 'cancelled') return INTERRUPTED;
      return stopReason === 'end_turn' ? 0 : FAILED;
    } catch (error) {
      if (error instanceof AcpFailure) return this.#isCancelled ? INTERRUPTED : FAILED;
      throw error;
    }
  }

  async #prompt(text: string): Promise<unknown> {
    const prompt = { sessionId: this.#session, prompt: [{ type: 'text', text }] };
    return (await this.#request('session/prompt', prompt))['stopReason'];
  }

  /** The protocol has no word to a working agent, so its turn ends and the next one begins with the message. */
  #lookForNudge(): void {
    if (this.#nudge !== null || this.#isCancelled) return;
    const { left, taken } = this.#plan.nudge;
    try {
      renameSync(left, taken);
    } catch {
      return;
    }
    this.#nudge = jsonText(JSON.parse(readFileSync(taken, 'utf8')));
    print('!', { event: 'nudged' });
    this.#send({ method: 'session/cancel', params: { sessionId: this.#session } });
  }

  async #openSession(agent: JsonObject): Promise<string> {
    const { mcpServer, resume, workspace: cwd } = this.#plan;
    const env = Object.entries(mcpServer?.env ?? {}).map(([name, value]) => ({ name, value }));
    const mcpServers = mcpServer === null ? [] : [{ name: 'mayday', ...mcpServer, env }];
    if (resume !== null) {
      try {
        await this.#loggedIn(agent, () =>
          this.#request('session/load', { sessionId: resume, cwd, mcpServers }),
        );
        return resume;
      } catch (error) {
        if (!(error instanceof AcpFailure)) throw error;
        print('!', { event: 'session_not_loaded', sessionId: resume, message: error.message });
      }
    }
    const opened = await this.#loggedIn(agent, () => this.#request('session/new', { cwd, mcpServers }));
    const sessionId = jsonText(opened['sessionId']);
    await this.#setMode(sessionId, jsonObject(opened['modes']));
    return sessionId;
  }

  /** Once more after a login by a key that is in the environment. */
  async #loggedIn(agent: JsonObject, open: () => Promise<JsonObject>): Promise<JsonObject> {
    try {
      return await open();
    } catch (error) {
      const methods = jsonList(agent['authMethods']).map((method) => jsonText(jsonObject(method)['id']));
      const methodId = methods.find((id) => (process.env[LOGIN_VARIABLES[id] ?? ''] ?? '') !== '');
      const mayHelp = error instanceof AcpFailure && error.code === AUTH_REQUIRED && methodId !== undefined;
      if (!mayHelp) throw error;
      await this.#request('authenticate', { methodId });
      return await open();
    }
  }

  async #setMode(sessionId: string, modes: JsonObject): Promise<void> {
    const current = jsonText(modes['currentModeId']);
    if (this.#plan.permissions.skipAll || !WIDE_MODES.includes(current)) return;
    const offered = jsonList(modes['availableModes']).map((mode) => jsonText(jsonObject(mode)['id']));
    const modeId = USUAL_MODES.find((mode) => offered.includes(mode));
    if (modeId !== undefined) await this.#request('session/set_mode', { sessionId, modeId });
  }

  #hear(line: string): void {
    const message = objectOrNull(line);
    if (message === null) return print('<', line);
    print('<', message);
    const { id, method } = message;
    if (typeof method === 'string') {
      if (id !== undefined) this.#answer(id, method, jsonObject(message['params']));
      return;
    }
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    const { code, message: text } = jsonObject(message['error']);
    if (message['error'] === undefined) waiting?.answer(jsonObject(message['result']));
    else waiting?.fail(new AcpFailure(Number(code), jsonText(text)));
  }

  #answer(id: unknown, method: string, params: JsonObject): void {
    if (method !== 'session/request_permission')
      return this.#send({ id, error: { code: UNKNOWN_METHOD, message: `no method ${method}` } });
    const toolCall = jsonObject(params['toolCall']);
    const { isAllowed, rule } = answerPermission(toolCall, this.#plan.permissions, this.#plan);
    const optionId = this.#isCancelled ? null : permissionOption(params['options'], isAllowed);
    if (!isAllowed) print('!', { event: 'permission_refused', rule });
    const outcome = optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId };
    this.#send({ id, result: { outcome } });
  }

  async #request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = this.#nextId++;
    const answered = new Promise<JsonObject>((answer, fail) => this.#waiting.set(id, { answer, fail }));
    this.#send({ id, method, params });
    return await answered;
  }

  #send(message: JsonObject): void {
    const whole = { jsonrpc: '2.0', ...message };
    print('>', whole);
    this.#agent.stdin.write(`${JSON.stringify(whole)}\n`);
  }

  /** The agent's own children are the container's to end. */
  async #end(): Promise<void> {
    this.#agent.stdin.end();
    const isGone = this.gone.then(() => true);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await Promise.race([isGone, pause(END_MS, false)])) return;
      this.#agent.kill(signal);
    }
    await isGone;
  }
}

function print(direction: '<' | '>' | '!', message: unknown): void {
  process.stdout.write(`${JSON.stringify({ d: direction, m: message })}\n`);
}

const plan = AcpPlan.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const client = new AcpClient(plan);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => client.cancel());
const end = await client.work();
if (typeof end === 'number') process.exit(end);
// An exit code of 137 would read as a lack of memory.
process.removeAllListeners(end);
process.kill(process.pid, end);
