/** `mayday watch [RUN]`: the live view of one run, or of all live runs. Closing it changes nothing. */
import type { Invocation } from '../command.ts';
import { followToEnd } from '../follow-to-end.ts';
import { watchAll } from './watch-all.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const look = (runId: string) => followToEnd(invocation, opened, { runId, onlyLook: true });
    const [name] = invocation.args;
    if (name !== undefined) return look(await findRun(opened.record, name));
    const live = (await opened.record.rows()).filter(({ ended }) => !ended);
    const [only] = live;
    return live.length === 1 && only !== undefined ? look(only.runId) : watchAll(invocation, opened);
  });
}
