/** `findRun`: a run by its name, or by a beginning that only one run has. */
import type { RunRecord } from '../record/contract.ts';
import { usageError } from '../platform/mayday-error.ts';

export async function findRun(record: RunRecord, name: string): Promise<string> {
  if ((await record.row(name)) !== null) return name;
  const like = name === '' ? [] : (await record.rows()).filter(({ runId }) => runId.startsWith(name));
  if (like.length === 1 && like[0] !== undefined) return like[0].runId;
  throw usageError('UNKNOWN_RUN', `there is no run ${JSON.stringify(name.slice(0, 80))}`, [
    [
      'do',
      like.length > 1
        ? `say which: ${like.map(({ runId }) => runId).join(', ')}`
        : 'mayday ps lists the runs',
    ],
  ]);
}
