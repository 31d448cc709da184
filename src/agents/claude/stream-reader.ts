/**
 * `ClaudeStreamReader`: reads Claude Code's `stream-json` output and hook lines as transcript. One message comes in parts: a line per
 * content block, all with the same message id. Their output tokens are the count at the start of the message (1), so only the final result
 * tells them; input tokens are counted once per message id.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';
import {
  jsonList,
  jsonNumber,
  type JsonObject,
  jsonObject,
  jsonText,
  objectOrNull,
} from '../../core/text/json.ts';
import type { OpenText } from '../../core/detect/tick.ts';
import { addUsage } from '../add-usage.ts';
import { OpenMessage } from '../open-message.ts';
import { NO_USAGE } from '../sessions/session-store.ts';
import { ClaudeHookReader } from './hook-reader.ts';
import { claudeUsage, resultEntries } from './result-line.ts';
import { contentText, toolInput } from './tool-text.ts';

type Entry = TranscriptEntry;

/** Pieces of a message are told by their first bytes. Those of a tool argument, hundreds of them, are never parsed. */
const PIECE = '{"type":"stream_event"';
const ARGUMENT_PIECE = '"type":"input_json_delta"';
/** Lines that tell us nothing we keep: other hooks' output, progress of tools, partial messages. */
// biome-ignore format: words stand together
const SILENT_TYPES = new Set([
  'stream_event', 'tool_progress', 'tool_use_summary', 'prompt_suggestion', 'auth_status', 'keep_alive',
]);
// biome-ignore format: words stand together
const SILENT_SUBTYPES = new Set([
  'hook_started', 'hook_progress', 'hook_response',
  // Told again by the call's result and by the final list of denials.
  'permission_denied', 'status', 'task_started', 'task_progress', 'task_updated', 'task_notification',
  'files_persisted', 'session_state_changed', 'thinking_tokens', 'background_tasks_changed',
]);
const SILENT_BLOCKS = new Set(['thinking', 'redacted_thinking', 'image', 'document']);
/** Message ids whose input was counted; a run has fewer than this many turns in flight at a time. */
const MAX_REMEMBERED = 10_000;

export class ClaudeStreamReader implements TranscriptReader {
  readonly #hooks = new ClaudeHookReader();
  readonly #seenMessages = new Set<string>();
  readonly #seenCalls = new Set<string>();
  #input: Usage = NO_USAGE;
  #turns = 0;
  readonly #open = new OpenMessage();
  partialAt: number | null = null;

  constructor(earlier: Iterable<Entry>) {
    for (const entry of earlier) {
      if (entry.type === 'tool_call') remember(this.#seenCalls, entry.id);
      if (entry.type !== 'usage') continue;
      this.#input = { ...addUsage(entry.usage, NO_USAGE), outputTokens: 0 };
      this.#turns = entry.usage.turns ?? this.#turns;
    }
  }

  push(line: string, stream: LineStream, at: number): readonly Entry[] {
    if (stream === 'stdout' && line.startsWith(PIECE)) {
      this.partialAt = at;
      if (!line.includes(ARGUMENT_PIECE)) this.#piece(objectOrNull(line) ?? {});
      return [];
    }
    if (line.trim() === '') return [];
    if (stream === 'stderr') return [{ at, type: 'output', stream, text: line }];
    const parsed = objectOrNull(stream === 'hook' ? line.slice(line.indexOf('{')) : line);
    const entries =
      parsed === null ? null : stream === 'hook' ? this.#hooks.read(parsed, at) : this.#read(parsed, at);
    if (entries !== null) return entries;
    const salvaged = parsed === null && stream === 'stdout' ? cutLine(line) : null;
    if (salvaged !== null) return this.#read(salvaged, at) ?? [];
    return [{ at, type: 'unknown', raw: line }];
  }

  end(): readonly Entry[] {
    return [];
  }

  get openText(): OpenText | null {
    return this.#open.text;
  }

  /** Subagents speak at the same time: only the words of the agent itself are followed. */
  #piece({ event: told, parent_tool_use_id }: JsonObject): void {
    const event = jsonObject(told);
    const { text, thinking } = jsonObject(event['delta']);
    if (typeof parent_tool_use_id === 'string') return;
    if (event['type'] === 'content_block_delta') this.#open.add(jsonText(text ?? thinking));
    else if (event['type'] !== 'ping') this.#open.end();
  }

  /** Null for a line of a kind we have never seen. */
  #read(line: JsonObject, at: number): readonly Entry[] | null {
    const type = jsonText(line['type']);
    switch (type) {
      case 'system':
        return this.#system(line, at);
      case 'assistant':
        return this.#assistant(line, at);
      case 'user':
        return this.#user(line, at);
      case 'result':
        return resultEntries(line, at);
      case 'rate_limit_event':
        return rateLimit(jsonObject(line['rate_limit_info']), at);
      default:
        return SILENT_TYPES.has(type) ? [] : null;
    }
  }

  #system(line: JsonObject, at: number): readonly Entry[] | null {
    const subtype = jsonText(line['subtype']);
    switch (subtype) {
      case 'init':
        return [
          {
            at,
            type: 'session',
            sessionId: jsonText(line['session_id']),
            model: jsonText(line['model']),
            version: jsonText(line['claude_code_version']),
          },
        ];
      case 'api_retry':
        return [
          {
            at,
            type: 'retry',
            attempt: jsonNumber(line['attempt']),
            delayMs: Math.round(jsonNumber(line['retry_delay_ms'])),
            status: statusOf(line['error_status']),
            text: jsonText(line['error']),
          },
        ];
      case 'compact_boundary':
        return this.#hooks.compactionTold()
          ? []
          : [{ at, type: 'compaction', text: 'the conversation was compacted' }];
      default:
        return SILENT_SUBTYPES.has(subtype) ? [] : null;
    }
  }

  #assistant(line: JsonObject, at: number): readonly Entry[] {
    const message = jsonObject(line['message']);
    const blocks = jsonList(message['content']).map(jsonObject);
    if (parent(line).parentId === undefined) this.#open.end();
    if (isApiError(line, message))
      return [{ at, type: 'error', text: contentText(blocks), status: statusOf(line['api_error_status']) }];
    return [...this.#usage(message, at), ...blocks.flatMap((block) => this.#block(block, line, at))];
  }

  #block(block: JsonObject, line: JsonObject, at: number): readonly Entry[] {
    const type = jsonText(block['type']);
    if (type === 'text') return [{ at, type: 'message', role: 'agent', text: jsonText(block['text']) }];
    if (type === 'tool_use' || type === 'server_tool_use') return this.#call(block, line, at);
    if (type.endsWith('_tool_result')) return [this.#result(block, line, at)];
    if (SILENT_BLOCKS.has(type)) return [];
    return [{ at, type: 'unknown', raw: JSON.stringify(block) }];
  }

  #call(block: JsonObject, line: JsonObject, at: number): readonly Entry[] {
    const id = jsonText(block['id']);
    if (this.#seenCalls.has(id)) return [];
    remember(this.#seenCalls, id);
    const tool = jsonText(block['name']);
    return [{ at, type: 'tool_call', id, tool, input: toolInput(tool, block['input']), ...parent(line) }];
  }

  #user(line: JsonObject, at: number): readonly Entry[] {
    const content = jsonObject(line['message'])['content'];
    if (typeof content === 'string') return [{ at, type: 'message', role: 'person', text: content }];
    return jsonList(content)
      .map(jsonObject)
      .flatMap((block): readonly Entry[] => {
        if (block['type'] === 'tool_result') return [this.#result(block, line, at)];
        const text = contentText([block]);
        return text === '' ? [] : [{ at, type: 'message', role: 'person', text }];
      });
  }

  #result(block: JsonObject, line: JsonObject, at: number): Entry {
    const id = jsonText(block['tool_use_id']);
    const content = block['content'];
    const output = typeof content === 'string' ? content : contentText(jsonList(content).map(jsonObject));
    const durationMs = this.#hooks.takeDurationMs(id);
    return {
      at,
      type: 'tool_result',
      id,
      output,
      isError: block['is_error'] === true,
      marksErrors: true,
      ...(durationMs === null ? {} : { durationMs }),
      ...parent(line),
    };
  }

  #usage(message: JsonObject, at: number): readonly Entry[] {
    const id = jsonText(message['id']);
    if (this.#seenMessages.has(id)) return [];
    remember(this.#seenMessages, id);
    this.#turns++;
    this.#input = { ...addUsage(this.#input, claudeUsage(jsonObject(message['usage']))), outputTokens: 0 };
    return [{ at, type: 'usage', usage: { ...this.#input, turns: this.#turns } }];
  }
}

/** The CLI speaks in the model's place when a request failed. */
function isApiError(line: JsonObject, message: JsonObject): boolean {
  return (
    message['model'] === '<synthetic>' &&
    (typeof line['error'] === 'string' || line['is_api_error_message'] === true)
  );
}

/** Subscription limits; told for every window, so only a rejection is an error. The reset time stays readable. */
function rateLimit(info: JsonObject, at: number): readonly Entry[] {
  const text = `usage limit ${jsonText(info['rateLimitType'])}: ${JSON.stringify(info)}`;
  if (info['status'] === 'rejected') return [{ at, type: 'error', text, status: 429 }];
  return info['status'] === 'allowed' ? [] : [{ at, type: 'message', role: 'system', text }];
}

function parent(line: JsonObject): { readonly parentId?: string } {
  const id = jsonText(line['parent_tool_use_id']);
  return id === '' ? {} : { parentId: id };
}

function statusOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function remember(seen: Set<string>, id: string): void {
  if (seen.size >= MAX_REMEMBERED) seen.clear();
  seen.add(id);
}

/** Shorter broken lines are torn or foreign, not cut by us. */
const SHORTEST_CUT = 16 * 1024;
/** The names stand in front of the bulk. */
const HEAD = 4 * 1024;

/**
 * What can be read of a line that was cut at the reader's limit and is no JSON any more. A lost tool result would leave its call in flight
 * for ever, so the call id and the text so far are taken from the beginning of the line.
 */
function cutLine(line: string): JsonObject | null {
  if (line.length < SHORTEST_CUT || !line.startsWith('{"type":"')) return null;
  const head = line.slice(0, HEAD);
  if (head.startsWith('{"type":"user"')) {
    const id = /"tool_use_id":"([\w-]{1,80})"/.exec(head)?.[1];
    if (id === undefined) return null;
    const isError = /"is_error":true/.test(head);
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      is_error: isError,
      content: textAfter(line, '"content":"'),
    };
    return { type: 'user', message: { content: [block] } };
  }
  if (head.startsWith('{"type":"assistant"')) {
    const call = /"type":"tool_use","id":"([\w-]{1,80})","name":"([\w.:-]{1,120})"/.exec(head);
    if (call === null) return null;
    const block = {
      type: 'tool_use',
      id: call[1],
      name: call[2],
      input: { cut: textAfter(line, '"input":') },
    };
    return { type: 'assistant', message: { content: [block] } };
  }
  return null;
}

function textAfter(line: string, marker: string): string {
  const index = line.indexOf(marker);
  return index === -1 ? '' : line.slice(index + marker.length);
}
