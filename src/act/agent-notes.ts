/** What the agent told Mayday through its files. Any bytes may be in them: what does not fit is dropped, never fatal. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** A note larger than this is not a note. */
const MAX_BYTES = 256 * 1024;

const BlockerNote = z.object({
  reason: z.string().min(1).max(4_000),
  code: z.string().max(100).nullish(),
  question: z.string().max(4_000).nullish(),
  options: z.array(z.string().max(500)).max(10).nullish(),
});

export interface AgentBlocker {
  readonly reason: string;
  readonly code: string | null;
  readonly question: string | null;
  readonly options: readonly string[];
}

export function readBlockerNote(path: string): AgentBlocker | null {
  const note = BlockerNote.safeParse(readJson(path));
  if (!note.success) return null;
  const { reason, code, question, options } = note.data;
  return { reason, code: code ?? null, question: question ?? null, options: options ?? [] };
}

/** When the file last changed, or null while it does not exist. */
export function noteTime(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) return null;
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Absent, half-written or not JSON: the agent may write it again.
    return null;
  }
}
