/**
 * `ClaudeHookReader`: reads the lines that our hooks write: exact tool durations and compaction. It makes no calls or results, because
 * stdout tells those too, and a call told twice looks like a loop.
 */
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { type JsonObject, jsonNumber, jsonText } from '../../core/text/json.ts';

/** Durations whose result has not come yet; tools in flight are few. */
const MAX_WAITING = 1_000;

export class ClaudeHookReader {
  readonly #durations = new Map<string, number>();
  #compactions = 0;

  /** Null for a hook we did not ask for. */
  read(line: JsonObject, at: number): readonly TranscriptEntry[] | null {
    switch (line['hook_event_name']) {
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (this.#durations.size >= MAX_WAITING) this.#durations.clear();
        this.#durations.set(jsonText(line['tool_use_id']), jsonNumber(line['duration_ms']));
        return [];
      case 'PreCompact':
        this.#compactions++;
        return [
          { at, type: 'compaction', text: `compaction began (${jsonText(line['trigger']) || 'auto'})` },
        ];
      case 'PreToolUse':
      case 'SessionStart':
      case 'StopFailure':
      case 'SessionEnd':
        return [];
      default:
        return null;
    }
  }

  /** Null when no hook told it. */
  takeDurationMs(callId: string): number | null {
    const duration = this.#durations.get(callId);
    this.#durations.delete(callId);
    return duration ?? null;
  }

  /** Whether a hook has already told the compaction that stdout tells now. */
  compactionTold(): boolean {
    if (this.#compactions === 0) return false;
    this.#compactions--;
    return true;
  }
}
