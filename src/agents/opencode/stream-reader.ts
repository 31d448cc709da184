/**
 * `OpencodeStreamReader`: reads the lines of `opencode run --format json` and those of our plugin as transcript. stdout tells a call when
 * it has ended; the plugin tells it before it starts. There is no last line: a step that ends with `stop` is the agent's last word.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';
import { type JsonObject, jsonNumber, jsonObject, jsonText } from '../../core/text/json.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import { addUsage } from '../add-usage.ts';
import { jsonLineEntries } from '../json-line.ts';
import { OpenMessage } from '../open-message.ts';
import { NO_USAGE } from '../sessions/session-store.ts';
import { hasFailed, stepUsage } from './part.ts';

type Entry = TranscriptEntry;

/** How opencode says that a call was refused. */
const REFUSED = /rejected permission|permission (?:denied|was denied)|prevents you from using this/i;
/** Calls in flight are few; this bounds a stream that never ends one. */
const MAX_REMEMBERED = 10_000;

export class OpencodeStreamReader implements TranscriptReader {
  readonly #told = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #denied: string[] = [];
  #session: string | null = null;
  #lastText = '';
  readonly #open = new OpenMessage();
  #usage: Usage = NO_USAGE;
  partialAt: number | null = null;

  constructor(earlier: Iterable<Entry>) {
    for (const entry of earlier) {
      if (entry.type === 'usage') this.#usage = entry.usage;
      else if (entry.type === 'session') this.#session = entry.sessionId;
      else if (entry.type === 'tool_call') this.#told.add(entry.id);
      else if (entry.type === 'tool_result') this.#ended.add(entry.id);
    }
  }

  push(line: string, stream: LineStream, at: number): readonly Entry[] {
    return jsonLineEntries(line, stream, at, (parsed) =>
      stream === 'hook' ? this.#watched(parsed, at) : this.#printed(parsed, at),
    );
  }

  end(): readonly Entry[] {
    return [];
  }

  get openText(): OpenText | null {
    return this.#open.text;
  }

  /** A line of stdout. Null for a kind we have never seen. */
  #printed(line: JsonObject, at: number): readonly Entry[] | null {
    const entries = this.#part(line, at);
    return entries === null ? null : [...this.#toldSession(jsonText(line['sessionID']), at), ...entries];
  }

  #part(line: JsonObject, at: number): readonly Entry[] | null {
    const part = jsonObject(line['part']);
    this.#open.end();
    switch (line['type']) {
      case 'step_start':
      case 'reasoning':
        return [];
      case 'text':
        return this.#text(part, at);
      case 'tool_use':
        return this.#toolUse(part, at);
      case 'step_finish':
        return this.#finished(part, at);
      case 'error':
        return errorEntries(jsonObject(line['error']), at);
      default:
        return null;
    }
  }

  #text(part: JsonObject, at: number): readonly Entry[] {
    // opencode itself goes on in the person's name after it has compacted.
    if (part['synthetic'] === true)
      return [{ at, type: 'compaction', text: 'the conversation was compacted' }];
    this.#lastText = jsonText(part['text']);
    return [{ at, type: 'message', role: 'agent', text: this.#lastText }];
  }

  #toolUse(part: JsonObject, at: number): readonly Entry[] {
    const state = jsonObject(part['state']);
    const id = jsonText(part['callID']);
    const tool = jsonText(part['tool']);
    const input = toolInput(state['input']);
    const isError = state['status'] === 'error';
    const output = isError ? jsonText(state['error']) : jsonText(state['output']);
    if (isError && REFUSED.test(output)) this.#denied.push(`${tool}(${input})`);
    const { start, end } = jsonObject(state['time']) as { start?: unknown; end?: unknown };
    const durationMs = jsonNumber(end) - jsonNumber(start);
    return [
      ...this.#call(id, tool, input, at),
      {
        at,
        type: 'tool_result',
        id,
        output,
        isError: hasFailed(state),
        marksErrors: true,
        ...(durationMs > 0 ? { durationMs } : {}),
      },
    ];
  }

  #call(id: string, tool: string, input: string, at: number, parentId?: string): readonly Entry[] {
    if (this.#told.has(id)) return [];
    if (this.#told.size >= MAX_REMEMBERED) this.#told.clear();
    this.#told.add(id);
    return [{ at, type: 'tool_call', id, tool, input, ...(parentId === undefined ? {} : { parentId }) }];
  }

  #finished(part: JsonObject, at: number): readonly Entry[] {
    const costUsd = (this.#usage.costUsd ?? 0) + jsonNumber(part['cost']);
    this.#usage = {
      ...addUsage(this.#usage, stepUsage(part)),
      turns: (this.#usage.turns ?? 0) + 1,
      ...(costUsd > 0 ? { costUsd } : {}),
    };
    const usage: Entry = { at, type: 'usage', usage: this.#usage };
    const reason = jsonText(part['reason']);
    if (reason === 'tool-calls') return [usage];
    return [
      usage,
      {
        at,
        type: 'result',
        text: this.#lastText,
        isError: reason !== 'stop',
        subtype: reason,
        deniedTools: [...this.#denied],
        usage: this.#usage,
      },
    ];
  }

  /** A line of our plugin. Null for a kind that it does not write. */
  #watched(line: JsonObject, at: number): readonly Entry[] | null {
    const session = jsonText(line['session']);
    const id = jsonText(line['call']);
    switch (line['type']) {
      case 'piece':
        this.partialAt = at;
        this.#open.add(jsonText(line['text']), jsonText(line['part']));
        return [];
      case 'session':
        return jsonText(line['parent']) === '' ? this.#toldSession(session, at) : [];
      case 'retry':
        return [retryEntry(line, at)];
      case 'call': {
        const parent = this.#session === null || session === this.#session ? undefined : session;
        return this.#call(id, jsonText(line['tool']), toolInput(line['args']), at, parent);
      }
      // The calls of the session itself end on stdout, with their whole output.
      case 'done':
        if (session === this.#session || this.#ended.has(id)) return [];
        this.#ended.add(id);
        return [
          {
            at,
            type: 'tool_result',
            id,
            output: jsonText(line['output']),
            isError: false,
            parentId: session,
          },
        ];
      default:
        return null;
    }
  }

  #toldSession(sessionId: string, at: number): readonly Entry[] {
    if (this.#session !== null || sessionId === '') return [];
    this.#session = sessionId;
    return [{ at, type: 'session', sessionId }];
  }
}

function toolInput(input: unknown): string {
  const { command } = jsonObject(input);
  return typeof command === 'string' ? command : JSON.stringify(input ?? {});
}

/** `next` is when it tries again, in milliseconds since the epoch. */
function retryEntry(line: JsonObject, at: number): Entry {
  const delayMs = Math.max(0, jsonNumber(line['next']) - at);
  return {
    at,
    type: 'retry',
    attempt: jsonNumber(line['attempt']),
    delayMs,
    status: null,
    text: jsonText(line['message']),
  };
}

function errorEntries(error: JsonObject, at: number): readonly Entry[] {
  const name = jsonText(error['name']);
  const data = jsonObject(error['data']);
  const text = [name, jsonText(data['message'])].filter((part) => part !== '').join(': ');
  const status = typeof data['statusCode'] === 'number' ? data['statusCode'] : null;
  return [
    { at, type: 'error', text, status },
    { at, type: 'result', text, isError: true, subtype: name, deniedTools: [] },
  ];
}
