/**
 * `streamShapeOf`: tells from one line whose event stream it belongs to, for programs that were started as plain commands and for captures
 * of stdout. Only lines that no other program would write count: a type of the CLI together with its own fields.
 */
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import type { TranscriptReader } from './adapter.ts';
import { ClaudeStreamReader } from './claude/stream-reader.ts';
import { CodexStreamReader } from './codex/stream-reader.ts';
import { GeminiStreamReader } from './gemini/stream-reader.ts';
import { OpencodeStreamReader } from './opencode/stream-reader.ts';
import { type JsonObject, jsonObject, jsonText, objectOrNull } from '../core/text/json.ts';

export interface StreamShape {
  readonly name: 'claude' | 'codex' | 'gemini' | 'opencode';
  /** The name for people. */
  readonly title: string;
  /** `earlier`: what another reader made of this stream before. */
  readonly reader: (earlier: Iterable<TranscriptEntry>) => TranscriptReader;
}

interface ShapeRule extends StreamShape {
  readonly fits: (line: JsonObject) => boolean;
}

const CLAUDE_TYPES = new Set(['system', 'assistant', 'user', 'result', 'stream_event']);
const OPENCODE_TYPES = new Set(['step_start', 'tool_use', 'text', 'step_finish', 'reasoning']);
const CODEX_ITEMS = /^item\.(?:started|updated|completed)$/;

const SHAPES: readonly ShapeRule[] = [
  {
    name: 'codex',
    title: 'Codex, output of `codex exec --json`',
    reader: () => new CodexStreamReader(),
    fits: (line) =>
      (line['type'] === 'thread.started' && jsonText(line['thread_id']) !== '') ||
      (CODEX_ITEMS.test(jsonText(line['type'])) && jsonText(jsonObject(line['item'])['type']) !== ''),
  },
  {
    name: 'opencode',
    title: 'opencode, output of `opencode run --format json`',
    reader: (earlier) => new OpencodeStreamReader(earlier),
    fits: (line) =>
      OPENCODE_TYPES.has(jsonText(line['type'])) &&
      jsonText(line['sessionID']) !== '' &&
      jsonText(jsonObject(line['part'])['type']) !== '',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI, output in `stream-json`',
    reader: () => new GeminiStreamReader(),
    fits: (line) =>
      jsonText(line['timestamp']) !== '' &&
      ((line['type'] === 'init' && jsonText(line['session_id']) !== '' && jsonText(line['model']) !== '') ||
        (line['type'] === 'tool_use' &&
          jsonText(line['tool_name']) !== '' &&
          jsonText(line['tool_id']) !== '')),
  },
  {
    name: 'claude',
    title: 'Claude Code, output in `stream-json`',
    reader: (earlier) => new ClaudeStreamReader(earlier),
    // The files of its sessions name the session `sessionId`.
    fits: (line) =>
      CLAUDE_TYPES.has(jsonText(line['type'])) && jsonText(line['session_id']) !== '' && 'uuid' in line,
  },
];
export function streamShapeOf(line: string): StreamShape | null {
  if (!line.startsWith('{')) return null;
  const parsed = objectOrNull(line);
  return parsed === null ? null : (SHAPES.find(({ fits }) => fits(parsed)) ?? null);
}
