/**
 * `GeminiStreamReader`: reads Gemini CLI's `stream-json` output as transcript. A message comes in pieces; it is told when something else
 * follows. `success` is not believed after the CLI's own loop stop.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';
import { type JsonObject, jsonNumber, jsonObject, jsonText } from '../../core/text/json.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import { jsonLineEntries } from '../json-line.ts';
import { OpenMessage } from '../open-message.ts';

type Entry = TranscriptEntry;

/** The CLI stops a loop by itself and calls that a success. */
const OWN_STOP = /loop detected|maximum session turns/i;

export class GeminiStreamReader implements TranscriptReader {
  readonly #calls = new Map<string, string>();
  readonly #denied: string[] = [];
  #pieces = '';
  readonly #open = new OpenMessage();
  #lastText = '';
  #ownStop: string | null = null;
  partialAt: number | null = null;

  push(line: string, stream: LineStream, at: number): readonly Entry[] {
    return jsonLineEntries(line, stream, at, (parsed) => {
      if (this.#isPiece(parsed)) {
        this.#pieces += jsonText(parsed['content']);
        this.#open.add(jsonText(parsed['content']));
        this.partialAt = at;
        return [];
      }
      const entries = this.#read(parsed, at);
      return entries === null ? null : [...this.end(at), ...entries];
    });
  }

  get openText(): OpenText | null {
    return this.#open.text;
  }

  end(at: number): readonly Entry[] {
    this.#open.end();
    if (this.#pieces === '') return [];
    this.#lastText = this.#pieces;
    this.#pieces = '';
    return [{ at, type: 'message', role: 'agent', text: this.#lastText }];
  }

  #isPiece(line: JsonObject): boolean {
    return line['type'] === 'message' && line['role'] === 'assistant' && line['delta'] === true;
  }

  /** Null for a line of a kind we have never seen. */
  #read(line: JsonObject, at: number): readonly Entry[] | null {
    switch (line['type']) {
      case 'init':
        return [
          { at, type: 'session', sessionId: jsonText(line['session_id']), model: jsonText(line['model']) },
        ];
      case 'message':
        return [message(line, at)];
      case 'tool_use':
        return [this.#call(line, at)];
      case 'tool_result':
        return [this.#result(line, at)];
      case 'error':
        return [this.#error(line, at)];
      case 'result':
        return this.#ended(line, at);
      default:
        return null;
    }
  }

  #call(line: JsonObject, at: number): Entry {
    const id = jsonText(line['tool_id']);
    const tool = jsonText(line['tool_name']);
    const { command } = jsonObject(line['parameters']);
    const input = typeof command === 'string' ? command : JSON.stringify(line['parameters'] ?? {});
    this.#calls.set(id, tool === 'run_shell_command' ? `${tool}(${input})` : tool);
    return { at, type: 'tool_call', id, tool, input };
  }

  #result(line: JsonObject, at: number): Entry {
    const id = jsonText(line['tool_id']);
    const isError = line['status'] === 'error';
    const error = jsonObject(line['error']);
    const output = jsonText(line['output']) || jsonText(error['message']);
    const called = this.#calls.get(id);
    this.#calls.delete(id);
    if (isError && called !== undefined && isRefused(jsonText(error['type']), called))
      this.#denied.push(called);
    return { at, type: 'tool_result', id, output, isError };
  }

  #error(line: JsonObject, at: number): Entry {
    const text = jsonText(line['message']);
    if (OWN_STOP.test(text)) this.#ownStop = text;
    return line['severity'] === 'warning' && this.#ownStop === null
      ? { at, type: 'message', role: 'system', text }
      : { at, type: 'error', text, status: null };
  }

  #ended(line: JsonObject, at: number): readonly Entry[] {
    const error = jsonText(jsonObject(line['error'])['message']);
    const usage = resultUsage(jsonObject(line['stats']));
    // A request that failed is told with the words of the answer; a status stands in them, or in the exit code.
    const status = Number(/"code":\s?(\d{3})\b/.exec(error)?.[1] ?? 0) || null;
    const isError = line['status'] !== 'success' || this.#ownStop !== null;
    return [
      ...(usage === null ? [] : [{ at, type: 'usage', usage } as const]),
      ...(error === '' ? [] : [{ at, type: 'error', text: error, status } as const]),
      {
        at,
        type: 'result',
        text: error || this.#ownStop || this.#lastText,
        isError,
        subtype: this.#ownStop === null ? jsonText(line['status']) : 'own_stop',
        deniedTools: [...this.#denied],
        ...(usage === null ? {} : { usage }),
      },
    ];
  }
}

/** Headless, a shell for which no rule allows anything is not even offered to the model. */
function isRefused(errorType: string, called: string): boolean {
  return (
    errorType === 'policy_violation' ||
    (errorType === 'tool_not_registered' && called.startsWith('run_shell_command('))
  );
}

function message(line: JsonObject, at: number): Entry {
  const text = jsonText(line['content']);
  return { at, type: 'message', role: line['role'] === 'user' ? 'person' : 'agent', text };
}

/** Null where it counts nothing, as after a failure: unknown is not zero. Cached tokens are counted within the input. */
function resultUsage(stats: JsonObject): Usage | null {
  if (jsonNumber(stats['total_tokens']) === 0) return null;
  const cached = jsonNumber(stats['cached']);
  return {
    inputTokens: Math.max(0, jsonNumber(stats['input_tokens']) - cached),
    outputTokens: jsonNumber(stats['output_tokens']),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}
