/** `stepUsage`, `hasFailed`: what a step of opencode used, and whether a call of it failed. */
import { type JsonObject, jsonNumber, jsonObject } from '../../core/text/json.ts';
import type { Usage } from '../../core/vocabulary/transcript.ts';

export function stepUsage(part: JsonObject): Usage {
  const tokens = jsonObject(part['tokens']);
  const cache = jsonObject(tokens['cache']);
  return {
    inputTokens: jsonNumber(tokens['input']),
    outputTokens: jsonNumber(tokens['output']) + jsonNumber(tokens['reasoning']),
    cacheReadTokens: jsonNumber(cache['read']),
    cacheWriteTokens: jsonNumber(cache['write']),
  };
}

export function hasFailed(state: JsonObject): boolean {
  const exit = jsonObject(state['metadata'])['exit'];
  return state['status'] === 'error' || (typeof exit === 'number' && exit !== 0);
}
