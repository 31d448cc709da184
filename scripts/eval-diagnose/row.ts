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
  /** In `unseen.jsonl`: which of the four captures it is of, A to D. */
  readonly half?: string;
}

export function readRows(file: string): readonly Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
