/** `mayday checkpoints RUN`: lists the checkpoints that can be restored. */
import { counted } from '../../core/text/counted.ts';
import { listCheckpoints } from '../../act/checkpoint/checkpoint.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { columns } from '../../core/text/columns.ts';
import { ago } from '../render/time.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async ({ home, record }, runId) => {
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
    const cells = rows.map(({ number, state, files, reason, at }) => [
      String(number).padStart(4),
      state,
      counted(files, 'file'),
      at === null ? '' : ago(at, Date.now()),
      reason,
    ]);
    const documents = rows.map((row) => ({ ...row, at: row.at && new Date(row.at).toISOString() }));
    return print(invocation, documents, columns(cells));
  });
}
