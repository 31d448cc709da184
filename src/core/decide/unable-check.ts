/** `unableCheck`: finds a check that could not even start before the work: the first such check of the last baseline. */
import type { RecordedCheck, RunState } from '../state/run-state.ts';
import type { CannotRun } from '../vocabulary/work.ts';

export type Unable = RecordedCheck & { readonly cannotRun: CannotRun };

export function unableCheck({ checks }: Pick<RunState, 'checks'>): Unable | undefined {
  const last = checks.findLast(({ purpose }) => purpose === 'baseline');
  return checks.find(
    (check): check is Unable =>
      check.purpose === 'baseline' && check.at === last?.at && check.cannotRun !== undefined,
  );
}
