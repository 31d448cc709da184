/**
 * `opencodeStore`: reads opencode's SQLite file, which holds all sessions: messages, and their parts as JSON. Rows are turned into lines
 * of the same JSON, so that one reader serves ended and living sessions. The file is opened read-only and never locked.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { addUsage } from '../add-usage.ts';
import type { Environment } from '../adapter.ts';
import { type JsonObject, jsonNumber, jsonObject, jsonText, objectOrNull } from '../../core/text/json.ts';
import {
  cutText,
  noFacts,
  readRecord,
  NO_USAGE,
  type SessionFacts,
  type SessionFile,
  type SessionReader,
  type SessionStore,
} from '../sessions/session-store.ts';
import { hasFailed, stepUsage } from './part.ts';

export const opencodeStore: SessionStore = {
  name: 'opencode',
  title: 'opencode',
  list: (env: Environment, limit) => {
    const data = env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local', 'share');
    return opencodeSessions(join(data, 'opencode', 'opencode.db'), limit);
  },
  recognises: (_, lines) => (lines[0] ?? '').startsWith('SQLite format 3'),
  reader: () => new OpencodeSessionReader(),
  resumeCommand: (sessionId) => `opencode run --session ${sessionId}`,
  headlessResume: (sessionId, words) => ['opencode', 'run', '--session', sessionId, words],
  program: /\bopencode\b/,
};

/** Newest first; subagents' sessions belong to their parents' and are left out. */
export function opencodeSessions(path: string, limit: number): readonly SessionFile[] {
  return withDatabase(path, [], (database) =>
    database
      .prepare(
        'SELECT id, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT ?',
      )
      .all(limit)
      .map((row) => ({
        store: 'opencode',
        path,
        sessionId: String(row['id']),
        writtenAt: Number(row['time_updated']),
      })),
  );
}

/** The session as lines: its own row, then every message and part in the order they were made. */
export function opencodeLines(path: string, sessionId: string): readonly string[] {
  return withDatabase(path, [], (database) => {
    const session = database.prepare('SELECT * FROM session WHERE id = ?').all(sessionId);
    const rows = database
      .prepare(
        `SELECT 'part' AS kind, p.id, p.time_created AS at, p.data, m.data AS message FROM part p
         JOIN message m ON m.id = p.message_id WHERE p.session_id = ?1
         UNION ALL SELECT 'message', id, time_created, data, NULL FROM message WHERE session_id = ?1
         ORDER BY 3, 2`,
      )
      .all(sessionId);
    return [
      ...session.map((row) => JSON.stringify({ kind: 'session', ...row })),
      ...rows.map((row) => JSON.stringify(row)),
    ];
  });
}

/** A damaged or foreign database yields what it can: nothing, rather than an end of the autopsy. */
function withDatabase<T>(path: string, none: T, use: (database: DatabaseSync) => T): T {
  try {
    statSync(path);
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return use(database);
    } finally {
      database.close();
    }
  } catch {
    return none;
  }
}

class OpencodeSessionReader implements SessionReader {
  readonly #facts = noFacts();
  #turns = 0;
  #costUsd = 0;
  #usage: Usage = NO_USAGE;
  readonly #seen = new Set<string>();

  push(line: string): readonly TranscriptEntry[] {
    const row = readRecord(line, this.#facts);
    if (row === null) return [];
    if (row['kind'] === 'session') {
      this.#facts.sessionId = jsonText(row['id']);
      this.#facts.cwd = jsonText(row['directory']) || null;
      this.#facts.version = jsonText(row['version']) || null;
      return [];
    }
    const data = objectOrNull(jsonText(row['data']));
    if (data === null) {
      this.#facts.damagedLines++;
      return [];
    }
    const at = jsonNumber(row['at']);
    return row['kind'] === 'message' ? this.#message(row, data, at) : this.#part(row, data, at);
  }

  facts(): SessionFacts {
    const usage = this.#turns === 0 ? null : { ...this.#usage, turns: this.#turns, costUsd: this.#costUsd };
    return { ...this.#facts, usage };
  }

  #once(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #message(row: JsonObject, data: JsonObject, at: number): readonly TranscriptEntry[] {
    this.#facts.model = jsonText(data['modelID']) || this.#facts.model;
    const error = jsonObject(data['error']);
    const name = jsonText(error['name']);
    if (name === '' || !this.#once(`error ${jsonText(row['id'])}`)) return [];
    if (name === 'MessageAbortedError') return [{ type: 'message', at, role: 'person', text: '[aborted]' }];
    const details = jsonObject(error['data']);
    const status = jsonNumber(details['statusCode']) || null;
    return [{ type: 'error', at, text: cutText(`${name}: ${jsonText(details['message'])}`), status }];
  }

  #part(row: JsonObject, data: JsonObject, at: number): readonly TranscriptEntry[] {
    const id = jsonText(row['id']);
    switch (data['type']) {
      case 'text': {
        const text = jsonText(data['text']);
        if (text.trim() === '' || !this.#once(`text ${id} ${text.length}`)) return [];
        const author = jsonText(objectOrNull(jsonText(row['message']))?.['role']);
        const role = data['synthetic'] === true ? 'system' : author === 'user' ? 'person' : 'agent';
        return [{ type: 'message', at, role, text: cutText(role === 'person' ? unquoted(text) : text) }];
      }
      case 'tool':
        return this.#tool(id, data, at);
      case 'compaction':
        return this.#once(id)
          ? [{ type: 'compaction', at, text: data['auto'] === true ? 'auto' : 'asked for' }]
          : [];
      case 'step-finish':
        return this.#once(id) ? this.#finish(data, at) : [];
      default:
        return [];
    }
  }

  #tool(id: string, data: JsonObject, at: number): readonly TranscriptEntry[] {
    const state = jsonObject(data['state']);
    const status = jsonText(state['status']);
    const time = jsonObject(state['time']);
    const entries: TranscriptEntry[] = [];
    const call = jsonText(data['callID']) || id;
    const startedAt = jsonNumber(time['start']) || at;
    if (status !== 'pending' && this.#once(`call ${call}`)) {
      const input = cutText(JSON.stringify(state['input'] ?? {}));
      entries.push({ type: 'tool_call', at: startedAt, id: call, tool: jsonText(data['tool']), input });
    }
    if ((status === 'completed' || status === 'error') && this.#once(`result ${call}`)) {
      const output = cutText(jsonText(state['output']) || jsonText(state['error']));
      entries.push({
        type: 'tool_result',
        at: jsonNumber(time['end']) || startedAt,
        id: call,
        output,
        isError: hasFailed(state),
        marksErrors: true,
      });
    }
    return entries;
  }

  #finish(data: JsonObject, at: number): readonly TranscriptEntry[] {
    this.#turns++;
    this.#costUsd += jsonNumber(data['cost']);
    this.#usage = addUsage(this.#usage, stepUsage(data));
    return [{ type: 'usage', at, usage: { ...this.#usage, turns: this.#turns, costUsd: this.#costUsd } }];
  }
}

/** `opencode run` puts quotes around words that were given to it as one argument. */
function unquoted(text: string): string {
  return /^"[^"]+"$/.test(text) ? text.slice(1, -1) : text;
}
