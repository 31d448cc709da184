/** `mayday checkpoints RUN`: lists the checkpoints that can be restored. */
import { counted } from '../../core/text/counted.ts';
import { listCheckpoints } from '../../act/checkpoint/list-checkpoints.ts';
import { loadState } from '../../supervise/run-journal.ts';
import type { Invocation } from '../command.ts';
import { columns } from '../render/columns.ts';
import { ago } from '../render/time.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const runId = await findRun(record, invocation.args[0] ?? '');
    const { checkpoints } = await loadState(record, runId);
    const stored = await listCheckpoints({ home, runId });
    const rows = stored.map(({ number, state, tree, files, reason, missing }) => ({
      number,
      state,
      tree,
      files,
      reason,
      missing,
      at: checkpoints.find((known) => known.number === number)?.at ?? null,
    }));
    const { stdout, json } = invocation;
    if (json)
      stdout.write(
        `${JSON.stringify(rows.map((row) => ({ ...row, at: row.at === null ? null : new Date(row.at).toISOString() })))}\n`,
      );
    else
      stdout.write(
        columns(
          rows.map(({ number, state, files, reason, at }) => [
            String(number).padStart(4),
            state,
            counted(files, 'file'),
            at === null ? '' : ago(at, Date.now()),
            reason,
          ]),
        ),
      );
    return 0;
  });
}
