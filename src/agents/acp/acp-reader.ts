/**
 * `AcpReader`: reads the lines of the ACP client into transcript entries. Pieces of a message are joined; what an agent replays while it
 * loads a session is left out; a call is told once, when its arguments are known.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import { addUsage } from '../add-usage.ts';
import { OpenMessage } from '../open-message.ts';
import { NO_USAGE } from '../sessions/session-store.ts';
import { type JsonObject, jsonNumber, jsonObject, jsonText, objectOrNull } from '../../core/text/json.ts';
import { callInput, callOutput, hasInput, printedBy, toolNameOf } from './tool-call.ts';

type Entry = TranscriptEntry;

/** Updates that say nothing about the work. */
// biome-ignore format: words stand together
const SILENT_UPDATES = new Set([
  'available_commands_update', 'config_option_update', 'current_mode_update', 'plan', 'session_info_update',
  'user_message_chunk',
]);
/** An agent that streams without end must not fill the memory. */
const MAX_MESSAGE_CHARS = 1024 * 1024;
const MAX_CALLS = 10_000;

interface Call {
  readonly seen: JsonObject;
  readonly isTold: boolean;
  readonly isOver: boolean;
}

export class AcpReader implements TranscriptReader {
  partialAt: number | null = null;
  #text = '';
  readonly #open = new OpenMessage();
  #version = '';
  #isLoading = false;
  #costUsd: number | null = null;
  /** The turn in flight is cancelled for a message, and the next one goes on. */
  #isNudged = false;
  #messageId = '';
  #hasIds = false;
  /** The last thing was said by the program, not by its model. */
  #isOwnWord = false;
  #spent: Usage = NO_USAGE;
  readonly #requests = new Map<number, JsonObject>();
  readonly #calls = new Map<string, Call>();
  readonly #denied: string[] = [];

  /** `earlier`: what was read before a takeover, so that no call is told twice. */
  constructor(earlier: Iterable<Entry>) {
    for (const entry of earlier) {
      if (entry.type === 'tool_call') this.#calls.set(entry.id, { seen: {}, isTold: true, isOver: false });
      if (entry.type === 'tool_result') this.#calls.set(entry.id, { seen: {}, isTold: true, isOver: true });
      if (entry.type === 'usage' && entry.usage.costUsd !== undefined) this.#costUsd = entry.usage.costUsd;
    }
  }

  push(line: string, stream: LineStream, at: number): readonly Entry[] {
    if (line.trim() === '') return [];
    if (stream !== 'stdout') return [{ at, type: 'output', stream: 'stderr', text: line }];
    const { d: direction, m: message } = objectOrNull(line) ?? {};
    if (direction === '<' && typeof message === 'string')
      return [{ at, type: 'output', stream: 'stdout', text: message }];
    return this.#read(direction, jsonObject(message), at) ?? [{ at, type: 'unknown', raw: line }];
  }

  end(at: number): readonly Entry[] {
    return this.#message(at);
  }

  get openText(): OpenText | null {
    return this.#open.text;
  }

  /** Null for a line that is none of ours. */
  #read(direction: unknown, message: JsonObject, at: number): readonly Entry[] | null {
    if (direction === '!') return this.#note(message, at);
    const { id, method } = message;
    if (direction === '>') {
      if (typeof method === 'string' && typeof id === 'number') this.#requests.set(id, message);
      this.#isLoading ||= method === 'session/load';
      return [];
    }
    if (direction !== '<') return null;
    if (method === 'session/update')
      return this.#update(jsonObject(jsonObject(message['params'])['update']), at);
    if (method === 'session/request_permission')
      return this.#call(jsonObject(jsonObject(message['params'])['toolCall']), at, true);
    if (typeof method === 'string') return [];
    return typeof id === 'number' ? this.#answer(id, message, at) : null;
  }

  #note(note: JsonObject, at: number): readonly Entry[] | null {
    switch (note['event']) {
      case 'permission_refused':
        this.#denied.push(jsonText(note['rule']));
        return [];
      case 'session_not_loaded': {
        this.#isLoading = false;
        const text = `the session ${jsonText(note['sessionId'])} could not be loaded: ${jsonText(note['message'])}`;
        return [{ at, type: 'message', role: 'system', text }];
      }
      case 'nudged':
        this.#isNudged = true;
        return [];
      case 'agent_not_started':
        return [{ at, type: 'error', text: jsonText(note['message']), status: null }];
      case 'agent_exited':
        return this.#message(at);
      default:
        return null;
    }
  }

  #update(update: JsonObject, at: number): readonly Entry[] | null {
    const type = jsonText(update['sessionUpdate']);
    if (type === '') return null;
    if (this.#isLoading) return [];
    switch (type) {
      case 'agent_message_chunk':
        return this.#chunk(update, at);
      case 'agent_thought_chunk':
        this.partialAt = at;
        this.#open.add(chunkText(update), 'thought');
        return [];
      case 'tool_call':
      case 'tool_call_update':
        this.#isOwnWord = false;
        return [...this.#message(at), ...this.#call(update, at)];
      case 'usage_update':
        return this.#cost(jsonObject(update['cost']), at);
      default:
        return SILENT_UPDATES.has(type) ? [] : null;
    }
  }

  #chunk(update: JsonObject, at: number): readonly Entry[] {
    this.partialAt = at;
    const id = jsonText(update['messageId']);
    const earlier = id === this.#messageId ? [] : this.#message(at);
    this.#messageId = id;
    this.#hasIds ||= id !== '';
    this.#isOwnWord = id === '';
    this.#text += chunkText(update);
    this.#open.add(chunkText(update));
    return this.#text.length > MAX_MESSAGE_CHARS ? [...earlier, ...this.#message(at)] : earlier;
  }

  /** codex-acp ends a turn well whose request failed, with the error as its last words: they have no id, or no token was counted. */
  #refusal(result: JsonObject): JsonObject | null {
    const isTold = this.#isOwnWord && (this.#hasIds || result['usage'] === null);
    return isTold && !this.#lastText.startsWith('Warning:') ? { message: this.#lastText.trim() } : null;
  }

  /** Later updates of a call carry only what changed. */
  #call(update: JsonObject, at: number, isAsked = false): readonly Entry[] {
    const id = jsonText(update['toolCallId']);
    const known = this.#calls.get(id);
    if (known?.isOver === true) return [];
    const printed = `${jsonText(known?.seen['printed'])}${printedBy(update)}`.slice(-MAX_MESSAGE_CHARS);
    const seen: JsonObject = { ...known?.seen, ...update, printed };
    const isOver = seen['status'] === 'completed' || seen['status'] === 'failed';
    const isReady = isAsked || isOver || hasInput(seen) || seen['status'] === 'in_progress';
    const isTold = known?.isTold === true;
    if (this.#calls.size >= MAX_CALLS) this.#calls.clear();
    this.#calls.set(id, { seen: isOver ? {} : seen, isTold: isTold || isReady, isOver });
    this.partialAt = at;
    const tool = toolNameOf(seen) || jsonText(seen['kind']) || 'tool';
    const isError = seen['status'] === 'failed';
    return [
      ...(isReady && !isTold ? [{ at, type: 'tool_call' as const, id, tool, input: callInput(seen) }] : []),
      ...(isOver ? [{ at, type: 'tool_result' as const, id, output: callOutput(seen), isError }] : []),
    ];
  }

  #cost({ amount, currency }: JsonObject, at: number): readonly Entry[] {
    if (typeof amount !== 'number' || currency !== 'USD') return [];
    this.#costUsd = amount;
    return [{ at, type: 'usage', usage: { ...NO_USAGE, costUsd: amount } }];
  }

  #answer(id: number, message: JsonObject, at: number): readonly Entry[] | null {
    const request = this.#requests.get(id);
    if (request === undefined) return null;
    this.#requests.delete(id);
    const error = message['error'] === undefined ? null : jsonObject(message['error']);
    const result = jsonObject(message['result']);
    const params = jsonObject(request['params']);
    switch (request['method']) {
      case 'initialize':
        this.#version = jsonText(jsonObject(result['agentInfo'])['version']);
        return error === null ? [] : [failed(error, at)];
      case 'session/load':
        this.#isLoading = false;
        return error === null ? [this.#session(jsonText(params['sessionId']), at)] : [];
      case 'session/new':
        return error === null ? [this.#session(jsonText(result['sessionId']), at)] : [failed(error, at)];
      case 'session/prompt':
        return [...this.#message(at), ...this.#ending(result, error, at)];
      default:
        return error === null ? [] : [failed(error, at)];
    }
  }

  #session(sessionId: string, at: number): Entry {
    return { at, type: 'session', sessionId, ...(this.#version === '' ? {} : { version: this.#version }) };
  }

  #ending(result: JsonObject, error: JsonObject | null, at: number): readonly Entry[] {
    const usage = this.#usage(result);
    if (this.#isNudged && error === null) {
      this.#isNudged = false;
      this.#spent = usage ?? NO_USAGE;
      return [];
    }
    const told = error ?? this.#refusal(result);
    const subtype = told === null ? jsonText(result['stopReason']) : 'error';
    const text = told === null ? this.#lastText : errorText(told);
    const deniedTools = [...new Set(this.#denied)];
    const ending = {
      at,
      type: 'result',
      text,
      isError: subtype !== 'end_turn',
      subtype,
      deniedTools,
    } as const;
    return [
      ...(told === null ? [] : [failed(told, at)]),
      { ...ending, ...(usage === null ? {} : { usage }) },
    ];
  }

  /** In the answer by the protocol; of Gemini beside it. */
  #usage(result: JsonObject): Usage | null {
    const told = jsonObject(result['usage']);
    const counted = jsonObject(jsonObject(jsonObject(result['_meta'])['quota'])['token_count']);
    const cost = this.#costUsd === null ? {} : { costUsd: this.#costUsd };
    if (result['usage'] === undefined && Object.keys(counted).length === 0)
      return this.#costUsd === null ? null : { ...NO_USAGE, ...cost };
    const used = {
      inputTokens: jsonNumber(told['inputTokens']) + jsonNumber(counted['input_tokens']),
      outputTokens: jsonNumber(told['outputTokens']) + jsonNumber(counted['output_tokens']),
      cacheReadTokens: jsonNumber(told['cachedReadTokens']),
      cacheWriteTokens: jsonNumber(told['cachedWriteTokens']),
    };
    return { ...addUsage(this.#spent, used), ...cost };
  }

  #lastText = '';

  #message(at: number): readonly Entry[] {
    const text = this.#text;
    this.#text = '';
    this.#open.end();
    if (text.trim() === '') return [];
    this.#lastText = text;
    return [{ at, type: 'message', role: 'agent', text }];
  }
}

function chunkText(update: JsonObject): string {
  return jsonText(jsonObject(update['content'])['text']);
}

function failed(error: JsonObject, at: number): Entry {
  return { at, type: 'error', text: errorText(error), status: statusOf(error) };
}

/** Without the protocol's own words for its code, which are those of a provider that is down. */
function errorText({ code, message, data }: JsonObject): string {
  const said = jsonText(message).replace(/^Internal error(?:: )?/, '');
  const more =
    typeof data === 'string' ? data : data === undefined || data === null ? '' : JSON.stringify(data);
  return [said, more].filter((text) => text !== '').join(': ') || `error ${Number(code)}`;
}

/**
 * Gemini's codes are HTTP statuses; -32000 is the protocol's word for a missing login; others name a status in
 * their data, Claude in its message.
 */
function statusOf({ code, message, data }: JsonObject): number | null {
  const value = Number(code);
  if (value >= 400 && value < 600) return value;
  if (value === -32_000) return 401;
  const { status, statusCode, http_status_code, httpStatusCode } = jsonObject(data);
  const told = [status, statusCode, http_status_code, httpStatusCode]
    .map(Number)
    .find((one) => one >= 400 && one < 600);
  return told ?? (Number(/\bAPI Error: ([45]\d\d)\b/.exec(jsonText(message))?.[1] ?? 0) || null);
}
