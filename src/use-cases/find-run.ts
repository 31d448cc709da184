/** `findRun`: a run by its name, by a beginning that only one run has, or the last one that was started by `@`. */
import { nearestNames } from '../core/text/distance.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';

const LAST = '@';

export async function findRun(record: RunRecord, name: string): Promise<string> {
  if ((await record.row(name)) !== null) return name;
  const rows = name === '' ? [] : await record.rows({ withoutView: true });
  const [last] = rows.toSorted((a, b) => b.createdAt - a.createdAt);
  if (name === LAST && last !== undefined) return last.runId;
  const like = rows.filter(({ runId }) => runId.startsWith(name));
  if (like.length === 1 && like[0] !== undefined) return like[0].runId;
  const near = nearestNames(
    name,
    rows.map(({ runId }) => runId),
  );
  const given = JSON.stringify(name.slice(0, 80));
  if (like.length > 1)
    throw usageError('UNKNOWN_RUN', `the names of ${like.length} runs begin with ${given}`, [
      ['do', `say which: ${like.map(({ runId }) => runId).join(', ')}`],
    ]);
  throw usageError('UNKNOWN_RUN', `there is no run ${given}`, [
    ...(near.length > 0 ? ([['do', `did you mean ${near.join(', ')}?`]] as const) : []),
    ['do', 'mayday ps lists the runs'],
  ]);
}
