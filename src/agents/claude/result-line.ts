/**
 * `resultEntries`, `claudeUsage`: read Claude Code's last line. "success" is only its shape: `is_error`, the status and the denials tell
 * the outcome.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { type JsonObject, jsonList, jsonNumber, jsonObject, jsonText } from '../../core/text/json.ts';
import { permissionRule } from './tool-text.ts';

export function resultEntries(line: JsonObject, at: number): readonly TranscriptEntry[] {
  const isError = line['is_error'] === true;
  const status = typeof line['api_error_status'] === 'number' ? line['api_error_status'] : null;
  const errors = jsonList(line['errors']).map(jsonText);
  const text = jsonText(line['result']) || errors.join('\n');
  const usage = resultUsage(line);
  return [
    { at, type: 'usage', usage },
    ...(isError && status !== null ? [{ at, type: 'error', text, status } as const] : []),
    {
      at,
      type: 'result',
      text,
      isError,
      subtype: subtypeOf(line),
      deniedTools: jsonList(line['permission_denials'])
        .map(jsonObject)
        .map((denial) => permissionRule(jsonText(denial['tool_name']), denial['tool_input'])),
      usage,
    },
  ];
}

/** `error_max_turns/max_turns`, `success/prompt_too_long`: the second half says why it ended, where it is not "completed". */
function subtypeOf(line: JsonObject): string {
  const subtype = jsonText(line['subtype']);
  const reason = jsonText(line['terminal_reason']);
  return reason === '' || reason === 'completed' ? subtype : `${subtype}/${reason}`;
}

export function claudeUsage(usage: JsonObject): Usage {
  return {
    inputTokens: jsonNumber(usage['input_tokens']),
    outputTokens: jsonNumber(usage['output_tokens']),
    cacheReadTokens: jsonNumber(usage['cache_read_input_tokens']),
    cacheWriteTokens: jsonNumber(usage['cache_creation_input_tokens']),
  };
}

function resultUsage(line: JsonObject): Usage {
  return {
    ...claudeUsage(jsonObject(line['usage'])),
    ...(typeof line['total_cost_usd'] === 'number' ? { costUsd: line['total_cost_usd'] } : {}),
    ...(typeof line['num_turns'] === 'number' ? { turns: line['num_turns'] } : {}),
  };
}
