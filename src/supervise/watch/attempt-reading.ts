/** `AttemptReading`: reads what the agent wrote, piece by piece, for a limited time, and remembers when the agent last wrote. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { OpenText } from '../../core/detect/tick.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

/** A flood of output must not keep the watch from its other looks. */
const READ_SLICE_MS = 250;
/** Where most is skipped anyway, longer reading tells little more, and takes the processor from the agent that writes. */
const FLOOD_SLICE_MS = 50;

export class AttemptReading {
  readonly #watched: WatchedAttempt;
  readonly #notice: (entry: TranscriptEntry) => Promise<void>;
  lastOutputAt: number;
  /** When the last piece of an unfinished message came; null when none ever did. */
  partialAt: number | null = null;
  openText: OpenText | null = null;
  lastLine = '';

  constructor(watched: WatchedAttempt, notice: (entry: TranscriptEntry) => Promise<void>) {
    this.#watched = watched;
    this.#notice = notice;
    this.lastOutputAt = watched.now();
  }

  /** True once everything was read. */
  async read(final: boolean): Promise<boolean> {
    const { output, keep, now } = this.#watched;
    const begun = performance.now();
    let sliceMs = READ_SLICE_MS;
    for (;;) {
      const at = now();
      const { entries, grew, partialAt, openText, skippedBytes, atEnd, lastLine } = await output.read(
        at,
        final,
      );
      if (grew) this.lastOutputAt = at;
      this.partialAt = partialAt;
      this.openText = openText;
      this.lastLine = lastLine;
      const all = skippedBytes > 0 ? [gap(skippedBytes, at), ...entries] : entries;
      await keep(all);
      for (const entry of all) await this.#notice(entry);
      if (atEnd) return true;
      if (skippedBytes > 0) sliceMs = FLOOD_SLICE_MS;
      if (performance.now() - begun > sliceMs) return false;
      await yieldToOthers();
    }
  }
}

function gap(bytes: number, at: number): TranscriptEntry {
  return {
    type: 'unknown',
    at,
    raw: `[${bytes} bytes of output skipped: written faster than they could be read]`,
  };
}
