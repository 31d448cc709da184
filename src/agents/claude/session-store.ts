/** `claudeStore`: reads Claude Code's own conversations: one JSON line per message block; resumed sessions append to the same file. */
import { join } from 'node:path';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { addUsage } from '../add-usage.ts';
import type { Environment } from '../adapter.ts';
import { newestFiles } from '../sessions/find-files.ts';
import {
  type JsonObject,
  jsonList,
  jsonNumber,
  jsonObject,
  jsonText,
  textOfContent,
} from '../../core/text/json.ts';
import {
  cutText,
  noFacts,
  readRecord,
  NO_USAGE,
  type SessionFacts,
  type SessionReader,
  type SessionStore,
  timeOf,
} from '../sessions/session-store.ts';
import { claudeConfigDir } from './session-files.ts';
import { claudeUsage } from './result-line.ts';
import { toolInput } from './tool-text.ts';

export const claudeStore: SessionStore = {
  name: 'claude',
  title: 'Claude Code',
  list: (env: Environment, limit) =>
    newestFiles('claude', join(claudeConfigDir(env), 'projects'), 1, /^[0-9a-f-]{36}\.jsonl$/, limit),
  recognises: (records) =>
    records.some(
      (record) => ('sessionId' in record || 'session_id' in record) && typeof record['type'] === 'string',
    ),
  reader: () => new ClaudeSessionReader(),
  resumeCommand: (sessionId) => `claude --resume ${sessionId}`,
  headlessResume: (sessionId, words) => ['claude', '-p', '--resume', sessionId, words],
  program: /\bclaude\b/,
};

class ClaudeSessionReader implements SessionReader {
  readonly #facts = noFacts();
  #at = 0;
  #turns = 0;
  #costUsd: number | null = null;
  /** Blocks of one message are written as lines of their own, each with the message's usage: the last one counts. */
  #message = { id: '', usage: NO_USAGE };
  #total = NO_USAGE;

  push(line: string): readonly TranscriptEntry[] {
    const record = readRecord(line, this.#facts);
    if (record === null) return [];
    this.#facts.sessionId =
      jsonText(record['sessionId']) || jsonText(record['session_id']) || this.#facts.sessionId;
    this.#facts.cwd = jsonText(record['cwd']) || this.#facts.cwd;
    this.#facts.version =
      jsonText(record['version']) || jsonText(record['claude_code_version']) || this.#facts.version;
    // Captured output carries fewer times than a session file: a line without one is as old as the line before.
    this.#at = timeOf(record['timestamp']) || this.#at;
    const at = this.#at;
    switch (record['type']) {
      case 'assistant':
        return this.#assistant(record, at);
      case 'user':
        return user(record, at);
      case 'system':
        return system(record, at);
      case 'result':
        return this.#result(record, at);
      default:
        return [];
    }
  }

  facts(): SessionFacts {
    const usage = this.#total === NO_USAGE && this.#turns === 0 ? null : this.#usage();
    return { ...this.#facts, usage };
  }

  #usage(): Usage {
    const total = addUsage(this.#total, this.#message.usage);
    return { ...total, turns: this.#turns, ...(this.#costUsd === null ? {} : { costUsd: this.#costUsd }) };
  }

  #assistant(record: JsonObject, at: number): readonly TranscriptEntry[] {
    const message = jsonObject(record['message']);
    const id = jsonText(message['id']);
    if (id !== this.#message.id) {
      this.#total = addUsage(this.#total, this.#message.usage);
      this.#turns++;
    }
    this.#message = { id, usage: claudeUsage(jsonObject(message['usage'])) };
    const used: TranscriptEntry = { type: 'usage', at, usage: this.#usage() };
    this.#facts.model = jsonText(message['model']) || this.#facts.model;
    const blocks = jsonList(message['content']).map(jsonObject);
    if (record['isApiErrorMessage'] === true) {
      const text = blocks.map((block) => jsonText(block['text'])).join('\n');
      return [used, { type: 'error', at, text, status: jsonNumber(record['error']) || null }];
    }
    const parentId = jsonText(record['parent_tool_use_id']);
    const acts = blocks.flatMap((block): readonly TranscriptEntry[] => {
      if (block['type'] === 'text' && jsonText(block['text']).trim() !== '') {
        return [{ type: 'message', at, role: 'agent', text: cutText(jsonText(block['text'])) }];
      }
      if (block['type'] !== 'tool_use') return [];
      const tool = jsonText(block['name']);
      const input = cutText(toolInput(tool, block['input']));
      return [
        {
          type: 'tool_call',
          at,
          id: jsonText(block['id']),
          tool,
          input,
          ...(parentId === '' ? {} : { parentId }),
        },
      ];
    });
    return [used, ...acts];
  }

  #result(record: JsonObject, at: number): readonly TranscriptEntry[] {
    this.#costUsd = jsonNumber(record['total_cost_usd']) || this.#costUsd;
    return [
      {
        type: 'result',
        at,
        text: cutText(jsonText(record['result'])),
        isError: record['is_error'] === true,
        subtype: jsonText(record['subtype']),
        deniedTools: jsonList(record['permission_denials']).map((denial) =>
          jsonText(jsonObject(denial)['tool_name']),
        ),
      },
    ];
  }
}

function user(record: JsonObject, at: number): readonly TranscriptEntry[] {
  const { content } = jsonObject(record['message']);
  if (typeof content === 'string') return said(record, content, at);
  return jsonList(content)
    .map(jsonObject)
    .flatMap((block): readonly TranscriptEntry[] => {
      if (block['type'] === 'text') return said(record, jsonText(block['text']), at);
      if (block['type'] !== 'tool_result') return [];
      const output = cutText(textOfContent(block['content']));
      return [
        {
          type: 'tool_result',
          at,
          id: jsonText(block['tool_use_id']),
          output,
          isError: block['is_error'] === true,
          marksErrors: true,
        },
      ];
    });
}

function said(record: JsonObject, text: string, at: number): readonly TranscriptEntry[] {
  if (record['isCompactSummary'] === true) return [{ type: 'compaction', at, text: cutText(text) }];
  // Reminders and echoed commands have the role `user` but are not written by the person.
  const role = record['isMeta'] === true || text.startsWith('<') ? 'system' : 'person';
  return [{ type: 'message', at, role, text: cutText(text) }];
}

function system(record: JsonObject, at: number): readonly TranscriptEntry[] {
  if (record['subtype'] === 'compact_boundary')
    return [{ type: 'compaction', at, text: jsonText(record['content']) }];
  if (record['subtype'] !== 'api_error' && record['subtype'] !== 'api_retry') return [];
  const error = jsonObject(record['error']);
  return [
    {
      type: 'retry',
      at,
      attempt: jsonNumber(record['retryAttempt']) || jsonNumber(record['attempt']),
      delayMs: jsonNumber(record['retryInMs']) || jsonNumber(record['retry_delay_ms']),
      status: jsonNumber(error['status']) || jsonNumber(record['error_status']) || null,
      text: cutText(jsonText(error['message']) || jsonText(record['error']) || jsonText(record['content'])),
    },
  ];
}
