/** `LogStep`: a part of a log that one command, one job or one CI step wrote, and how it ended. */
import type { Line } from '../lines/read-lines.ts';

export interface LogStep {
  /** As people call it: the command, or the name that the CI service shows. */
  readonly name: string;
  /** What ran, where the log tells it. */
  readonly command: string | null;
  readonly lines: readonly Line[];
  readonly outcome: 'passed' | 'failed' | 'unknown';
  readonly exitCode: number | null;
  /** Set-up, clean-up, caches: it may explain a failure, it is never judged first. */
  readonly isAside: boolean;
}

/** How a kind of log is divided; null if the lines are not of that kind. */
export type Divide = (lines: readonly Line[]) => readonly LogStep[] | null;

export function outcomeOf(exitCode: number | null): LogStep['outcome'] {
  return exitCode === null ? 'unknown' : exitCode === 0 ? 'passed' : 'failed';
}
