/** `insideNote`: the note for Mayday's own commands that are called inside a run, where its home is hidden. */
import { join } from 'node:path';
import { readOrNull } from '../process/proc-table.ts';

export const INSIDE_FILE = 'inside-a-run.json';

/** A file in the hidden home. It tells a command of Mayday that it was started inside a run, and inside which one. */
export interface InsideNote {
  readonly runId: string;
  /** Where an agent may raise the blocker flag; null for checks. */
  readonly blocker: string | null;
}

/** The note in a hidden home; null: this process was not started inside a run, or its home is not hidden. */
export function insideNote(home: string): InsideNote | null {
  const text = readOrNull(join(home, INSIDE_FILE));
  return text === null ? null : (JSON.parse(text) as InsideNote);
}
