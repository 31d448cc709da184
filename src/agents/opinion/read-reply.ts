/** `readReply`: the reply of an agent CLI, read as the adapter reads its runs. Where a tool was offered or used, nothing it says counts. */
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { AgentAdapter } from '../adapter.ts';
import type { OpinionReply } from './ask-opinion.ts';
import type { OpinionCall } from './opinion-call.ts';

/** What is named of many. */
const SHOWN = 3;

export function readReply(
  output: string,
  { reader: newReader }: Pick<AgentAdapter, 'reader'>,
  { offered }: Pick<OpinionCall, 'offered'>,
): OpinionReply {
  const reader = newReader();
  const entries = [
    ...output.split('\n').flatMap((line) => (line === '' ? [] : reader.push(line, 'stdout', 0))),
    ...reader.end(0),
  ];
  const tools = [...(offered?.(output) ?? []), ...entries.flatMap(toolOf)];
  if (tools.length > 0) throw new Error(`it is not without tools: ${tools.slice(0, SHOWN).join(', ')}`);
  const result = entries.findLast((entry) => entry.type === 'result');
  const error = entries.findLast((entry) => entry.type === 'error');
  if (result === undefined) throw new Error(error?.text ?? 'it ended without a result');
  if (result.isError) throw new Error(result.text || error?.text || result.subtype);
  const usage = entries.findLast((entry) => entry.type === 'usage')?.usage;
  const tokens =
    usage === undefined
      ? 0
      : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const message = entries.findLast((entry) => entry.type === 'message' && entry.role === 'agent');
  const text = result.text || (message?.type === 'message' ? message.text : '');
  return { text, costUsd: usage?.costUsd ?? null, tokens: tokens > 0 ? tokens : null };
}

function toolOf(entry: TranscriptEntry): readonly string[] {
  return entry.type === 'tool_call' ? [entry.tool] : [];
}
