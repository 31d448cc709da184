/**
 * `geminiStore`: reads Gemini CLI chats: messages by id, appended again whenever they change. Messages that a rewind took back are kept.
 */
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
  objectOrNull,
} from '../../core/text/json.ts';
import {
  cutText,
  noFacts,
  NO_USAGE,
  type SessionFacts,
  type SessionReader,
  type SessionStore,
  timeOf,
} from '../sessions/session-store.ts';

const FINAL = new Set(['success', 'error', 'cancelled']);
/** What the CLI itself writes with the role `user` before the person's first message. */
const PREAMBLE = '<session_context>';
const PREAMBLE_CHARS = 2_000;
const WORKSPACE = /Workspace Directories:\*{0,2}\s{0,4}\n\s{0,8}- ([^\n]{1,400})/;

export const geminiStore: SessionStore = {
  name: 'gemini',
  title: 'Gemini CLI',
  list: (env: Environment, limit) =>
    newestFiles('gemini', join(geminiHome(env), 'tmp'), 2, /^session-.*\.jsonl?$/, limit),
  recognises: (records, lines) =>
    records.some((record) => 'sessionId' in record && 'projectHash' in record) ||
    lines.slice(0, 20).join('').includes('"projectHash"'),
  reader: () => new GeminiSessionReader(),
  resumeCommand: (sessionId) => `gemini --resume ${sessionId}`,
  headlessResume: (sessionId, words) => ['gemini', '--resume', sessionId, '-p', words],
  program: /\bgemini\b/,
};

export function geminiHome(env: Environment): string {
  return join(env['GEMINI_CLI_HOME'] ?? env['HOME'] ?? '/', '.gemini');
}

class GeminiSessionReader implements SessionReader {
  readonly #facts = noFacts();
  /** An older version wrote one pretty-printed document; its lines are gathered until they parse. */
  #document = '';
  readonly #said = new Set<string>();
  readonly #called = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #usage = new Map<string, Usage>();

  push(line: string): readonly TranscriptEntry[] {
    if (line.trim() === '') return [];
    const record = objectOrNull(this.#document === '' ? line : `${this.#document}\n${line}`);
    if (record === null) {
      if (this.#document !== '' || line.trim() === '{') this.#document += `${line}\n`;
      else this.#facts.damagedLines++;
      return [];
    }
    this.#document = '';
    const set = jsonObject(record['$set']);
    this.#facts.sessionId =
      jsonText(record['sessionId']) || jsonText(set['sessionId']) || this.#facts.sessionId;
    this.#facts.cwd = jsonText(jsonList(record['directories'])[0]) || this.#facts.cwd;
    const messages = [...jsonList(record['messages']), ...jsonList(set['messages'])].map(jsonObject);
    return (typeof record['type'] === 'string' ? [record, ...messages] : messages).flatMap((each) =>
      this.#message(each),
    );
  }

  facts(): SessionFacts {
    const usages = [...this.#usage.values()];
    return {
      ...this.#facts,
      usage: usages.length === 0 ? null : { ...usages.reduce(addUsage, NO_USAGE), turns: usages.length },
      damagedLines: this.#facts.damagedLines + (this.#document === '' ? 0 : 1),
    };
  }

  #message(record: JsonObject): readonly TranscriptEntry[] {
    const at = timeOf(record['timestamp']);
    const id = jsonText(record['id']);
    const text = textOf(record['content']);
    const key = `${id} ${text.length}`;
    const fresh = text.trim() !== '' && !this.#said.has(key);
    if (fresh) this.#said.add(key);
    switch (record['type']) {
      case 'user':
        if (text.startsWith(PREAMBLE)) {
          this.#facts.cwd ??= WORKSPACE.exec(text.slice(0, PREAMBLE_CHARS))?.[1] ?? null;
          return fresh ? [{ type: 'message', at, role: 'system', text: cutText(text) }] : [];
        }
        return fresh ? [{ type: 'message', at, role: 'person', text: cutText(text) }] : [];
      case 'error':
        return fresh ? [{ type: 'error', at, text: cutText(text), status: null }] : [];
      case 'gemini': {
        this.#facts.model = jsonText(record['model']) || this.#facts.model;
        const tokens = jsonObject(record['tokens']);
        if (Object.keys(tokens).length > 0) this.#usage.set(id, usageOf(tokens));
        const said: readonly TranscriptEntry[] = fresh
          ? [{ type: 'message', at, role: 'agent', text: cutText(text) }]
          : [];
        const { usage } = this.facts();
        const used: readonly TranscriptEntry[] = usage === null ? [] : [{ type: 'usage', at, usage }];
        const calls = jsonList(record['toolCalls']).flatMap((call) => this.#call(jsonObject(call), at));
        return [...used, ...said, ...calls];
      }
      default:
        return [];
    }
  }

  #call(call: JsonObject, messageAt: number): readonly TranscriptEntry[] {
    const id = jsonText(call['id']);
    const entries: TranscriptEntry[] = [];
    const doneAt = timeOf(call['timestamp']) || messageAt;
    if (!this.#called.has(id)) {
      this.#called.add(id);
      const input = cutText(JSON.stringify(call['args'] ?? {}));
      entries.push({ type: 'tool_call', at: messageAt, id, tool: jsonText(call['name']), input });
    }
    const status = jsonText(call['status']);
    if (FINAL.has(status) && !this.#answered.has(id)) {
      this.#answered.add(id);
      const { text, failed } = unwrapped(resultOf(call['result']));
      const isError = failed || status !== 'success';
      entries.push({
        type: 'tool_result',
        at: doneAt,
        id,
        output: cutText(text),
        isError,
        marksErrors: true,
      });
    }
    return entries;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return jsonList(content)
    .map((part) => (typeof part === 'string' ? part : jsonText(jsonObject(part)['text'])))
    .join('');
}

function resultOf(result: unknown): string {
  const parts = Array.isArray(result) ? result : [result];
  return parts
    .map((part) => {
      const response = jsonObject(jsonObject(jsonObject(part)['functionResponse'])['response']);
      return (
        jsonText(response['output']) || jsonText(response['error']) || jsonText(jsonObject(part)['text'])
      );
    })
    .join('\n');
}

const UNTRUSTED = ['<untrusted_context>\n', '\n</untrusted_context>'] as const;
const EXIT = '\nExit Code: ';

/** Gemini reports a failed command as a successful call: the exit code stands in the text, below the output. */
function unwrapped(result: string): { readonly text: string; readonly failed: boolean } {
  const [opening, closing] = UNTRUSTED;
  const inner =
    result.startsWith(opening) && result.endsWith(closing)
      ? result.slice(opening.length, -closing.length)
      : result;
  const at = inner.startsWith('Output: ') ? inner.lastIndexOf(EXIT) : -1;
  if (at < 0) return { text: inner, failed: false };
  const status = /^-?\d{1,3}/.exec(inner.slice(at + EXIT.length, at + EXIT.length + 4));
  return { text: inner.slice('Output: '.length, at), failed: status !== null && status[0] !== '0' };
}

function usageOf(tokens: JsonObject): Usage {
  const cached = jsonNumber(tokens['cached']);
  return {
    inputTokens: Math.max(0, jsonNumber(tokens['input']) - cached),
    outputTokens: jsonNumber(tokens['output']) + jsonNumber(tokens['thoughts']),
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
  };
}
