/** `transcriptLine`: one entry of a transcript as a line of text. */
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { plain } from './plain.ts';

export function transcriptLine(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'session':
      return `session ${entry.sessionId}`;
    case 'message':
      return `${entry.role}: ${plain(entry.text)}`;
    case 'tool_call':
      return `> ${entry.tool} ${plain(entry.input)}`;
    case 'tool_result':
      return `${entry.isError ? '! ' : '< '}${plain(entry.output)}`;
    case 'usage':
      return `usage ${entry.usage.inputTokens + entry.usage.outputTokens} tokens`;
    case 'retry':
      return `retry ${entry.attempt} in ${entry.delayMs} ms: ${plain(entry.text)}`;
    case 'error':
      return `error ${plain(entry.text)}`;
    case 'compaction':
      return 'context compacted';
    case 'result':
      return `${entry.isError ? 'failed' : 'says done'}: ${plain(entry.text)}`;
    case 'progress':
      return `progress (${entry.kind}): ${plain(entry.detail)}`;
    case 'output':
      return plain(entry.text);
    case 'unknown':
      return `? ${plain(entry.raw)}`;
  }
}
