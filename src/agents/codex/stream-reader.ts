/**
 * `CodexStreamReader`: reads the lines of `codex exec --json` as transcript. An item is told when it starts and when it is completed; an
 * item of type `error` is a notice, not a failure. Only `turn.completed` and `turn.failed` end the turn. The log on stderr has the pieces.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';
import { type JsonObject, jsonNumber, jsonObject, jsonText, textOfContent } from '../../core/text/json.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import { jsonLineEntries } from '../json-line.ts';
import { OpenMessage } from '../open-message.ts';
import { pieceIn } from './piece-log.ts';
import { NO_USAGE } from '../sessions/session-store.ts';

type Entry = TranscriptEntry;

/** The CLI reconnects by itself: how often, and why. */
const RECONNECTING = /^Reconnecting\.\.\. (\d+)\/\d+ \((.*)\)$/s;
const STATUS = /\bstatus:? (\d{3})\b/;
/** Items that are neither calls nor words to a person. */
const SILENT_ITEMS = new Set(['reasoning', 'todo_list']);

export class CodexStreamReader implements TranscriptReader {
  readonly #open = new Set<string>();
  readonly #before: Usage;
  #lastMessage = '';
  readonly #words = new OpenMessage();
  partialAt: number | null = null;

  /** `before`: Codex counts the tokens of the whole session; those of earlier attempts are taken off. */
  constructor(before: Usage = NO_USAGE) {
    this.#before = before;
  }

  push(line: string, stream: LineStream, at: number): readonly Entry[] {
    const piece = stream === 'stderr' ? pieceIn(line) : null;
    if (piece === null) return jsonLineEntries(line, stream, at, (parsed) => this.#read(parsed, at));
    if (piece === 'end') this.#words.end();
    else {
      this.partialAt = at;
      if (piece.words !== null) this.#words.add(piece.words, piece.of);
    }
    return [];
  }

  get openText(): OpenText | null {
    return this.#words.text;
  }

  end(): readonly Entry[] {
    return [];
  }

  /** Null for a line of a kind we have never seen. */
  #read(line: JsonObject, at: number): readonly Entry[] | null {
    switch (line['type']) {
      case 'thread.started':
        return [{ at, type: 'session', sessionId: jsonText(line['thread_id']) }];
      case 'turn.started':
        return [];
      case 'item.started':
      case 'item.updated':
        return this.#item(jsonObject(line['item']), false, at);
      case 'item.completed':
        return this.#item(jsonObject(line['item']), true, at);
      case 'error':
        return [errorEntry(jsonText(line['message']), at)];
      case 'turn.completed':
        return this.#completed(turnUsage(jsonObject(line['usage']), this.#before), at);
      case 'turn.failed':
        return failed(jsonText(jsonObject(line['error'])['message']), at);
      default:
        return null;
    }
  }

  #item(item: JsonObject, isDone: boolean, at: number): readonly Entry[] | null {
    const type = jsonText(item['type']);
    if (isDone) this.#words.end();
    if (SILENT_ITEMS.has(type)) return [];
    if (type === 'error') return isDone ? [notice(item, at)] : [];
    if (type === 'agent_message') return isDone ? this.#message(jsonText(item['text']), at) : [];
    const call = callOf(type, item);
    if (call === null) return null;
    const id = jsonText(item['id']);
    const begun: readonly Entry[] = this.#open.has(id) ? [] : [{ at, type: 'tool_call', id, ...call }];
    this.#open.add(id);
    if (!isDone) return begun;
    this.#open.delete(id);
    const isError = hasFailed(item);
    return [...begun, { at, type: 'tool_result', id, output: outputOf(item), isError, marksErrors: true }];
  }

  #message(text: string, at: number): readonly Entry[] {
    this.#lastMessage = text;
    return [{ at, type: 'message', role: 'agent', text }];
  }

  #completed(usage: Usage, at: number): readonly Entry[] {
    const text = this.#lastMessage;
    return [
      { at, type: 'usage', usage },
      { at, type: 'result', text, isError: false, subtype: 'turn.completed', deniedTools: [], usage },
    ];
  }
}

function callOf(type: string, item: JsonObject): { readonly tool: string; readonly input: string } | null {
  switch (type) {
    case 'command_execution':
      return { tool: 'shell', input: shellCommand(jsonText(item['command'])) };
    case 'file_change':
      return { tool: 'apply_patch', input: JSON.stringify(item['changes'] ?? []) };
    case 'mcp_tool_call':
      return {
        tool: `${jsonText(item['server'])}.${jsonText(item['tool'])}`,
        input: JSON.stringify(item['arguments'] ?? {}),
      };
    case 'web_search':
      return { tool: 'web_search', input: jsonText(item['query']) };
    case 'collab_tool_call':
      return { tool: jsonText(item['tool']) || 'agent', input: JSON.stringify(item['prompt'] ?? '') };
    default:
      return null;
  }
}

function outputOf(item: JsonObject): string {
  if (typeof item['aggregated_output'] === 'string') return item['aggregated_output'];
  const error = jsonText(jsonObject(item['error'])['message']);
  if (error !== '') return error;
  return textOfContent(jsonObject(item['result'])['content']) || jsonText(item['status']);
}

function hasFailed(item: JsonObject): boolean {
  const code = item['exit_code'];
  return (
    item['status'] === 'failed' || item['status'] === 'declined' || (typeof code === 'number' && code !== 0)
  );
}

function notice(item: JsonObject, at: number): Entry {
  return { at, type: 'message', role: 'system', text: jsonText(item['message']) };
}

function errorEntry(text: string, at: number): Entry {
  const retry = RECONNECTING.exec(text);
  const status = Number(STATUS.exec(text)?.[1] ?? 0) || null;
  if (retry === null) return { at, type: 'error', text, status };
  return { at, type: 'retry', attempt: Number(retry[1]), delayMs: 0, status, text: retry[2] as string };
}

/** The same text came as an `error` line before. */
function failed(text: string, at: number): readonly Entry[] {
  return [{ at, type: 'result', text, isError: true, subtype: 'turn.failed', deniedTools: [] }];
}

/** Cached tokens are counted within the input. */
function turnUsage(usage: JsonObject, before: Usage): Usage {
  const cached = jsonNumber(usage['cached_input_tokens']);
  return {
    inputTokens: Math.max(0, jsonNumber(usage['input_tokens']) - cached - before.inputTokens),
    outputTokens: Math.max(0, jsonNumber(usage['output_tokens']) - before.outputTokens),
    cacheReadTokens: Math.max(0, cached - before.cacheReadTokens),
    cacheWriteTokens: Math.max(0, jsonNumber(usage['cache_write_input_tokens']) - before.cacheWriteTokens),
  };
}

const CALL = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c (?<quoted>.+)$/s;

/** The command line that the model wrote, out of the shell call that Codex makes of it: `/bin/bash -lc 'ls'`. Other lines stay. */
export function shellCommand(line: string): string {
  const quoted = CALL.exec(line)?.groups?.['quoted'];
  if (quoted === undefined) return line;
  if (/^'[^']*'$/s.test(quoted)) return quoted.slice(1, -1);
  if (/^"(?:[^"\\]|\\.)*"$/s.test(quoted)) return quoted.slice(1, -1).replaceAll(/\\([$`"\\])/g, '$1');
  return /^[^\s'"\\]+$/.test(quoted) ? quoted : line;
}
