/**
 * `Recordings`: what somebody who played the model answered, by the hash of the prompt; where the prompt has changed since, by the row.
 * JSON lines `{prompt_sha256, id, reply}`. Of outputs that belong to others no words are stored, only `{class, recoverable, confidence,
 * quote_held, line}`: with the outputs at hand the reply is put together again from the line that was quoted.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Line } from '../../src/core/diagnose/lines/read-lines.ts';

const Recording = z.object({
  prompt_sha256: z.string(),
  id: z.string().optional(),
  reply: z.string().optional(),
  class: z.string().optional(),
  recoverable: z.boolean().optional(),
  confidence: z.number().optional(),
  quote_held: z.boolean().nullish(),
  line: z.number().nullish(),
});
type Recording = z.infer<typeof Recording>;
/** As much as a quotation may have. */
const QUOTE_CHARS = 600;

export class Recordings {
  readonly #byKey = new Map<string, Recording>();
  /** Replies to prompts that have changed since. */
  changed = 0;

  constructor(files: readonly string[]) {
    for (const file of files)
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        if (line.trim() === '') continue;
        const recording = Recording.parse(JSON.parse(line));
        this.#byKey.set(recording.prompt_sha256, recording);
        if (recording.id !== undefined) this.#byKey.set(recording.id, recording);
      }
  }

  get ids(): readonly string[] {
    return [...new Set([...this.#byKey.values()].flatMap(({ id }) => (id === undefined ? [] : [id])))];
  }

  replyTo(hash: string, id: string, lines: readonly Line[]): string | null {
    const exact = this.#byKey.get(hash);
    const found = exact ?? this.#byKey.get(id);
    if (found === undefined) return null;
    if (exact === undefined) this.changed += 1;
    return found.reply ?? JSON.stringify(replyOf(found, lines));
  }
}

function replyOf(
  { class: type, recoverable, confidence, quote_held, line }: Recording,
  lines: readonly Line[],
) {
  const quoted = lines.filter(({ number }) => number === line).map(({ shown }) => shown.trim());
  const longest = quoted.toSorted((a, b) => b.length - a.length)[0] ?? '';
  const quote = quote_held === false ? 'words that stand nowhere' : longest.slice(0, QUOTE_CHARS);
  return { class: type, cause: 'not stored', quote, recoverable, next_step: '', confidence };
}
