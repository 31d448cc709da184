/** `mayday diff RUN`: shows the work so far, also of a run whose agent died. */
import { diffWork } from '../../act/diff-work.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { loadState } from '../../supervise/run-journal.ts';
import type { Invocation } from '../command.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const state = await loadState(record, await findRun(record, invocation.args[0] ?? ''));
    if (state.workspace === null) throw usageError('NO_WORKSPACE', `run ${state.runId} has no workspace yet`);
    const { stdout, json, options } = invocation;
    const patch = await diffWork(home, state, options['stat'] === true);
    stdout.write(json ? `${JSON.stringify({ run_id: state.runId, ...state.partialWork, patch })}\n` : patch);
    return 0;
  });
}
