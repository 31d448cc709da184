/** The same short, stuck piece of work as each agent CLI would have left it on disk. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const TASK = 'make the upload test pass';
export const FAILURE = 'Error: connect ECONNREFUSED 127.0.0.1:9000';
const REPEATS = 6;
const BEGUN = Date.parse('2026-03-01T10:00:00Z');

interface Call {
  readonly id: string;
  readonly at: number;
  readonly edit: boolean;
}

const CALLS: readonly Call[] = Array.from({ length: REPEATS + 1 }, (_, index) => ({
  id: `call-${index}`,
  at: BEGUN + (index + 1) * 60_000,
  edit: index === 0,
}));
const iso = (at: number) => new Date(at).toISOString();
const EDIT = { file_path: '/repo/src/upload.ts', old_string: 'a', new_string: 'b' };

function write(path: string, lines: readonly unknown[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
  );
  return path;
}

export function writeClaude(home: string): string {
  const id = '5c1e0000-0000-4000-8000-000000000001';
  const common = { sessionId: id, cwd: '/repo', version: '2.1.325' };
  return write(join(home, '.claude', 'projects', '-repo', `${id}.jsonl`), [
    { type: 'summary', summary: 'Upload' },
    { ...common, type: 'user', timestamp: iso(BEGUN), message: { role: 'user', content: TASK } },
    '{"type":"assistant","message":{"id":"cut by a cra',
    ...CALLS.flatMap(({ id: call, at, edit }) => [
      {
        ...common,
        type: 'assistant',
        timestamp: iso(at),
        message: {
          id: `msg-${call}`,
          model: 'claude-opus-4-8',
          usage: {
            input_tokens: 1000,
            output_tokens: 100,
            cache_read_input_tokens: 0,
            cache_creation_input_tokens: 0,
          },
          content: [
            {
              type: 'tool_use',
              id: call,
              name: edit ? 'Edit' : 'Bash',
              input: edit ? EDIT : { command: 'pnpm test upload', description: call },
            },
          ],
        },
      },
      {
        ...common,
        type: 'user',
        timestamp: iso(at + 30_000),
        message: {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: call,
              content: edit ? 'The file has been updated.' : FAILURE,
              is_error: !edit,
            },
          ],
        },
      },
    ]),
    {
      ...common,
      type: 'user',
      timestamp: iso(BEGUN + 1_000_000),
      message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    },
  ]);
}

export function writeCodex(home: string): string {
  const line = (at: number, type: string, payload: unknown) => ({ timestamp: iso(at), type, payload });
  return write(
    join(home, '.codex', 'sessions', '2026', '03', '01', 'rollout-2026-03-01T10-00-00-019c.jsonl'),
    [
      line(BEGUN, 'session_meta', { id: '019c', cwd: '/repo', cli_version: '0.166.0' }),
      line(BEGUN, 'turn_context', { model: 'gpt-5-codex' }),
      line(BEGUN, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>linux</environment_context>' }],
      }),
      line(BEGUN, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: TASK }],
      }),
      ...CALLS.flatMap(({ id, at, edit }) => [
        edit
          ? line(at, 'response_item', {
              type: 'custom_tool_call',
              name: 'apply_patch',
              call_id: id,
              input: '*** Begin Patch\n*** Update File: src/upload.ts\n-a\n+b\n*** End Patch',
            })
          : line(at, 'response_item', {
              type: 'function_call',
              name: 'exec_command',
              call_id: id,
              arguments: '{"cmd":"pnpm test upload"}',
            }),
        line(at + 30_000, 'response_item', {
          type: edit ? 'custom_tool_call_output' : 'function_call_output',
          call_id: id,
          output: edit
            ? 'Success. Updated the following files'
            : `Chunk ID: ${id}\nWall time: 1.${at % 7} seconds\nProcess exited with code 1\nOutput:\n${FAILURE}`,
        }),
        line(at + 30_000, 'event_msg', {
          type: 'token_count',
          info: {
            total_token_usage: { input_tokens: at - BEGUN, cached_input_tokens: 0, output_tokens: 10 },
          },
        }),
      ]),
      line(BEGUN + 1_000_000, 'event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    ],
  );
}

export function writeGemini(home: string): string {
  const calls = CALLS.map(({ id, at, edit }) => ({
    id: `m-${id}`,
    timestamp: iso(at),
    type: 'gemini',
    content: '',
    model: 'gemini-2.5-flash',
    tokens: { input: 1000, output: 10, cached: 0, total: 1010 },
    toolCalls: [
      {
        id,
        name: edit ? 'replace' : 'run_shell_command',
        args: edit ? EDIT : { command: 'pnpm test upload' },
        status: edit ? 'success' : 'error',
        timestamp: iso(at + 30_000),
        result: [{ functionResponse: { id, response: edit ? { output: 'ok' } : { error: FAILURE } } }],
      },
    ],
  }));
  return write(join(home, '.gemini', 'tmp', 'abc', 'chats', 'session-2026-03-01T10-00-f92c8a63.jsonl'), [
    {
      sessionId: 'f92c8a63',
      projectHash: 'abc',
      startTime: iso(BEGUN),
      lastUpdated: iso(BEGUN),
      kind: 'main',
    },
    { id: 'u1', timestamp: iso(BEGUN), type: 'user', content: [{ text: TASK }] },
    // A message is written again when its calls are answered; it happened once.
    ...calls.flatMap((message) => [
      { ...message, toolCalls: [{ ...message.toolCalls[0], status: 'executing', result: null }] },
      message,
    ]),
    { $set: { lastUpdated: iso(BEGUN + 1) } },
  ]);
}

export function writeOpencode(home: string): string {
  const path = join(home, '.local', 'share', 'opencode', 'opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`);
  const end = BEGUN + 500_000;
  database
    .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)')
    .run('ses_1', null, '/repo', '1.18.33', BEGUN, end);
  database
    .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)')
    .run('ses_child', 'ses_1', '/repo', '1.18.33', BEGUN, end + 1);
  const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
  const part = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
  message.run('msg_0', 'ses_1', BEGUN, BEGUN, JSON.stringify({ role: 'user' }));
  part.run('prt_0', 'msg_0', 'ses_1', BEGUN, BEGUN, JSON.stringify({ type: 'text', text: TASK }));
  for (const { id, at, edit } of CALLS) {
    message.run(`msg_${id}`, 'ses_1', at, at, JSON.stringify({ role: 'assistant', modelID: 'm' }));
    const state = {
      status: 'completed',
      input: edit
        ? { filePath: '/repo/src/upload.ts', oldString: 'a', newString: 'b' }
        : { command: 'pnpm test upload' },
      output: edit ? 'ok' : FAILURE,
      metadata: { exit: edit ? 0 : 1 },
      time: { start: at, end: at + 30_000 },
    };
    part.run(
      `prt_${id}`,
      `msg_${id}`,
      'ses_1',
      at,
      at,
      JSON.stringify({ type: 'tool', callID: id, tool: edit ? 'edit' : 'bash', state }),
    );
    part.run(
      `prt_${id}f`,
      `msg_${id}`,
      'ses_1',
      at + 1,
      at + 1,
      JSON.stringify({
        type: 'step-finish',
        cost: 0.5,
        tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
      }),
    );
  }
  part.run('prt_bad', 'msg_0', 'ses_1', end, end, '{"type":"tex');
  database.close();
  return path;
}

export function writeNeutral(home: string): string {
  return write(join(home, 'run.jsonl'), [
    { type: 'message', role: 'user', output: TASK, ts: iso(BEGUN) },
    ...CALLS.flatMap(({ at, edit }) => [
      {
        type: 'action',
        tool: edit ? 'edit' : 'bash',
        input: edit ? JSON.stringify(EDIT) : 'pnpm test upload',
        ts: iso(at),
      },
      {
        type: edit ? 'observation' : 'error',
        tool: edit ? 'edit' : 'bash',
        output: edit ? 'ok' : FAILURE,
        ts: iso(at + 30_000),
      },
    ]),
  ]);
}
