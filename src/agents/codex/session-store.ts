/** `codexStore`: reads Codex rollouts. Response items are the conversation as the model saw it; events about the turn stand beside them. */
import { join } from 'node:path';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { Environment } from '../adapter.ts';
import { newestFiles } from '../sessions/find-files.ts';
import {
  type JsonObject,
  jsonList,
  jsonNumber,
  jsonObject,
  jsonText,
  objectOrNull,
  textOfContent,
} from '../../core/text/json.ts';
import {
  cutText,
  noFacts,
  readRecord,
  type SessionFacts,
  type SessionReader,
  type SessionStore,
  timeOf,
} from '../sessions/session-store.ts';

const KINDS = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
/** Instructions that Codex adds to the conversation with the role `user`. */
const PREAMBLE = /^(<environment_context>|<user_instructions>|<permissions|# AGENTS\.md|<turn_aborted>)/;

export const codexStore: SessionStore = {
  name: 'codex',
  title: 'Codex',
  list: (env: Environment, limit) =>
    newestFiles('codex', join(codexHome(env), 'sessions'), 4, /^rollout-.*\.jsonl$/, limit),
  recognises: (records) => records.some(({ type }) => KINDS.has(jsonText(type))),
  reader: () => new CodexSessionReader(),
  resumeCommand: (sessionId) => `codex resume ${sessionId}`,
  headlessResume: (sessionId, words) => ['codex', 'exec', 'resume', sessionId, words],
  program: /\bcodex\b/,
};

export function codexHome(env: Environment): string {
  return env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex');
}

class CodexSessionReader implements SessionReader {
  readonly #facts = noFacts();
  #turns = 0;

  push(line: string): readonly TranscriptEntry[] {
    const record = readRecord(line, this.#facts);
    if (record === null) return [];
    const at = timeOf(record['timestamp']);
    const payload = jsonObject(record['payload']);
    switch (record['type']) {
      case 'session_meta':
        this.#facts.sessionId = jsonText(payload['id']) || this.#facts.sessionId;
        this.#facts.cwd = jsonText(payload['cwd']) || this.#facts.cwd;
        this.#facts.version = jsonText(payload['cli_version']) || this.#facts.version;
        return [];
      case 'turn_context':
        this.#facts.model = jsonText(payload['model']) || this.#facts.model;
        this.#facts.cwd = jsonText(payload['cwd']) || this.#facts.cwd;
        return [];
      case 'compacted':
        return [{ type: 'compaction', at, text: cutText(jsonText(payload['message'])) }];
      case 'event_msg':
        return this.#event(payload, at);
      case 'response_item':
        return item(payload, at);
      default:
        return [];
    }
  }

  facts(): SessionFacts {
    return { ...this.#facts };
  }

  #event(payload: JsonObject, at: number): readonly TranscriptEntry[] {
    switch (payload['type']) {
      case 'token_count': {
        const total = jsonObject(jsonObject(payload['info'])['total_token_usage']);
        if (Object.keys(total).length === 0) return [];
        const cached = jsonNumber(total['cached_input_tokens']);
        const usage: Usage = {
          inputTokens: jsonNumber(total['input_tokens']) - cached,
          outputTokens: jsonNumber(total['output_tokens']),
          cacheReadTokens: cached,
          cacheWriteTokens: 0,
          turns: this.#turns,
        };
        this.#facts.usage = usage;
        return [{ type: 'usage', at, usage }];
      }
      case 'task_started':
      case 'turn_started':
        this.#turns++;
        return [];
      case 'error':
      case 'stream_error':
        return [{ type: 'error', at, text: cutText(jsonText(payload['message'])), status: null }];
      case 'task_complete':
      case 'turn_complete': {
        // "Complete" means ended, not done: a turn that the API refused ends with this line too.
        const text = jsonText(jsonObject(payload['error'])['message']);
        return text === '' ? [] : [{ type: 'error', at, text: cutText(text), status: null }];
      }
      case 'turn_aborted':
        return [
          { type: 'message', at, role: 'person', text: `[turn aborted: ${jsonText(payload['reason'])}]` },
        ];
      default:
        return [];
    }
  }
}

function item(payload: JsonObject, at: number): readonly TranscriptEntry[] {
  const id = jsonText(payload['call_id']) || jsonText(payload['id']);
  switch (payload['type']) {
    case 'message':
      return message(payload, at);
    case 'function_call':
    case 'custom_tool_call': {
      const input = cutText(jsonText(payload['arguments'] ?? payload['input']));
      return [{ type: 'tool_call', at, id, tool: jsonText(payload['name']), input }];
    }
    case 'local_shell_call': {
      const command = jsonList(jsonObject(payload['action'])['command']).map(jsonText).join(' ');
      return [{ type: 'tool_call', at, id, tool: 'shell', input: cutText(command) }];
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { text, isError } = outputOf(payload['output']);
      return [{ type: 'tool_result', at, id, output: cutText(text), isError }];
    }
    default:
      return [];
  }
}

function message(payload: JsonObject, at: number): readonly TranscriptEntry[] {
  const text = textOfContent(payload['content']);
  if (text.trim() === '') return [];
  const role =
    payload['role'] === 'assistant'
      ? 'agent'
      : payload['role'] === 'user' && !PREAMBLE.test(text)
        ? 'person'
        : 'system';
  return [{ type: 'message', at, role, text: cutText(text) }];
}

/** Text, a list of text parts, or JSON with the exit code beside the text, depending on tool and version. */
function outputOf(output: unknown): { readonly text: string; readonly isError: boolean } {
  if (Array.isArray(output)) return { text: textOfContent(output), isError: false };
  if (typeof output !== 'string') {
    const value = jsonObject(output);
    return { text: jsonText(value['content']), isError: value['success'] === false };
  }
  const wrapped = output.startsWith('{') ? objectOrNull(output) : null;
  if (wrapped === null || typeof wrapped['output'] !== 'string') return { text: output, isError: false };
  return { text: wrapped['output'], isError: jsonNumber(jsonObject(wrapped['metadata'])['exit_code']) !== 0 };
}
