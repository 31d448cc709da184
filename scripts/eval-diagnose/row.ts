/** A labelled output, in the form of the corpus. */
import { readFileSync } from 'node:fs';

export interface Row {
  readonly id: string;
  readonly tool: string;
  readonly command: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly failure_type: string;
  readonly recoverable: boolean;
  readonly root_cause_line: string;
  readonly root_cause_lines?: readonly string[];
  /** What a second reader said; it counts as right. */
  readonly second_label?: string | null;
  /** Where a text from elsewhere comes from: `ci`, `tool`, `agent`, each with `-pass` for fine ones. */
  readonly kind?: string;
  /** In `unseen.jsonl`: which of the five captures it is of, A to E. */
  readonly half?: string;
}

/** `captures`: given from outside (`dev.jsonl` and what is kept back); `own captures`: made here, of other tools. */
export type Origin = 'captures' | 'own captures' | 'threads' | 'tools' | 'CI' | 'agent forms';

export function originOf(row: Row): Origin {
  switch (row.kind?.split('-')[0]) {
    case 'ci':
      return 'CI';
    case 'agent':
      return 'agent forms';
    case 'tool':
      return 'tools';
    default:
      if (row.half !== undefined || /^(?:own|know)-/.test(row.id)) return 'own captures';
      return row.id.startsWith('t') && row.exit_code === null && row.command === null
        ? 'threads'
        : 'captures';
  }
}

export function readRows(file: string): readonly Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
