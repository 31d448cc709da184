/** `durationText`, `costText`, `idText`: durations, tokens, money and ids as text. */
import type { Usage } from '../../core/vocabulary/transcript.ts';

export { minutes as durationText } from '../../core/text/minutes.ts';

/** Money where the agent tells it; tokens otherwise, never a guess at a price. */
export function costText(usage: Usage): string {
  if (usage.costUsd !== undefined && usage.costUsd > 0) return `$${usage.costUsd.toFixed(2)}`;
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (tokens < 1_000) return `${tokens} tokens`;
  return tokens < 1_000_000
    ? `${Math.round(tokens / 1_000)}k tokens`
    : `${(tokens / 1_000_000).toFixed(1)}M tokens`;
}

/** The first part of a session's id tells it from the others. */
const SHOWN_ID_CHARS = 8;

export function idText(id: string): string {
  return id.length > SHOWN_ID_CHARS ? `${id.slice(0, SHOWN_ID_CHARS)}…` : id;
}
