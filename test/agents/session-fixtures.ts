/** `writeClaude`, `writeNeutral`: one short, stuck piece of work as Claude Code, or any agent in the neutral form, leaves it on disk. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
