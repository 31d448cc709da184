/** `rehearsalReader`: reads the rehearsal agent's JSON lines; other lines are plain output. */
import { objectOrNull } from '../../core/text/json.ts';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { LineStream, TranscriptReader } from '../adapter.ts';

interface Line {
  readonly rehearsal?: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly output?: string;
  readonly isError?: boolean;
  readonly usage?: Usage;
  readonly sessionId?: string;
}

export function rehearsalReader(): TranscriptReader {
  return { end: () => [], push: (line, stream, at) => [entryOf(line, stream, at)] };
}

function entryOf(line: string, stream: LineStream, at: number): TranscriptEntry {
  const parsed =
    stream === 'stdout' && line.startsWith('{"rehearsal":') ? (objectOrNull(line) as Line | null) : null;
  switch (parsed?.rehearsal) {
    case 'session':
      return { type: 'session', at, sessionId: parsed.sessionId ?? '' };
    case 'say':
      return { type: 'message', at, role: 'agent', text: parsed.text ?? '' };
    case 'call':
      return {
        type: 'tool_call',
        at,
        id: parsed.id ?? '',
        tool: parsed.tool ?? '',
        input: parsed.input ?? '',
      };
    case 'result':
      return {
        type: 'tool_result',
        at,
        id: parsed.id ?? '',
        output: parsed.output ?? '',
        isError: parsed.isError ?? false,
      };
    case 'usage':
      return parsed.usage === undefined
        ? { type: 'unknown', at, raw: line }
        : { type: 'usage', at, usage: parsed.usage };
    case 'claim':
      return {
        type: 'result',
        at,
        text: parsed.text ?? '',
        isError: false,
        subtype: 'claim',
        deniedTools: [],
      };
    default:
      return { type: 'output', at, stream: stream === 'stderr' ? 'stderr' : 'stdout', text: line };
  }
}
