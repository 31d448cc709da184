/** `mayday watch [RUN]`: the live view of one run, or of all live runs: full-screen at a terminal. Closing it changes nothing. */
import { movesAt } from '../render/live-view.ts';
import type { Invocation } from '../command.ts';
import { canChoose } from '../choose-at-terminal.ts';
import { followToEnd } from '../follow-to-end.ts';
import { watchAll } from './watch-all.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const look = (runId: string) => followToEnd(invocation, caller, { runId, onlyLook: true });
    const [name] = invocation.args;
    if (name !== undefined) return look(await findRun(caller.record, name));
    if (canChoose(invocation) && movesAt(invocation.stdout, invocation.env)) {
      const { watchScreen } = await import('../screen/watch-screen.ts');
      return await watchScreen(invocation, caller);
    }
    const live = (await caller.record.rows()).filter(({ ended }) => !ended);
    const [only] = live;
    return live.length === 1 && only !== undefined ? look(only.runId) : watchAll(invocation, caller);
  });
}
