/**
 * `FindReason`, `firstReason`: one way to find why something fails again and again. `editedInVain`, `editedMeanwhile`,
 * `errorSaid`, `thenRun`, `takeBack`: what was edited meanwhile, how it fails, and how an advice ends.
 */
import type { FailureClass } from '../../../vocabulary/classes/failure-class.ts';
import { callText, quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { otherResults } from '../other-results.ts';
import { editsWithin, type Repeated } from '../repeated-turns.ts';
import { editedPaths } from '../side-effects.ts';

export interface Reason {
  readonly cause: string;
  readonly startHere: string;
  /** Where the reason is of another class than what was noticed. */
  readonly failureClass?: FailureClass;
}

export interface FailureRecord {
  readonly turns: readonly RecordedTurn[];
  readonly failure: Repeated;
  /** What the person asked for. */
  readonly task: string;
}

export type FindReason = (record: FailureRecord) => Reason | null;

export function firstReason(record: FailureRecord, ways: readonly FindReason[]): Reason | null {
  for (const find of ways) {
    const reason = find(record);
    if (reason !== null) return reason;
  }
  return null;
}

const SHOWN = 3;

/** The first files that were edited while the check failed alike; empty if none was, or if it ended otherwise in between. */
export function editedInVain(record: FailureRecord): string {
  return otherResults(record.turns, record.failure).length > 0 ? '' : editedMeanwhile(record);
}

/** The first files that were edited between the first failure and the last; empty if none was. */
export function editedMeanwhile({ turns, failure: { first, last } }: FailureRecord): string {
  return editedPaths(editsWithin(turns, first.step, last.callStep))
    .slice(0, SHOWN)
    .join(', ');
}

/** The line of the failure, as a part of a sentence. */
export function errorSaid({ failure: { turn } }: FailureRecord): string {
  return quote(turn.errorLine).replace(/\.+$/, '');
}

/** The end of an advice: the check once, and what was edited for nothing. */
export function thenRun(record: FailureRecord): string {
  const paths = editedMeanwhile(record);
  const back = paths === '' ? '' : ` Take back what was changed only for this (${paths}).`;
  return `then run \`${callText(record.failure.turn)}\` once.${back}`;
}

/** To restore a file takes back all that is not committed in it, also what was there before the run. */
export function takeBack(path: string): string {
  return `Take back this run's own change of ${path} (\`git checkout -- ${path}\`, only if it had no other changes before)`;
}
