/** `mayday inbox`: lists the open questions. */
import { lastCheckpoint } from '../../core/state/last-tree.ts';
import { openQuestion } from '../../core/state/run-state.ts';
import { questionJson } from '../../core/view/run-json.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import { loadState } from '../../supervise/run-journal.ts';
import type { Invocation } from '../command.ts';
import { renderHold } from '../render/hold.ts';
import { renderQuestion } from '../render/question.ts';
import { withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ record }) => {
    const rows = await record.rows({ needsPerson: true });
    const states = await Promise.all(rows.map(({ runId }) => loadState(record, runId)));
    const { stdout, json } = invocation;
    const waiting = states.flatMap((state) => {
      const asked = openQuestion(state);
      return asked === undefined ? [] : [{ state, asked }];
    });
    if (json)
      stdout.write(
        `${JSON.stringify(waiting.map(({ state, asked }) => ({ run_id: state.runId, ...questionJson(state, asked) })))}\n`,
      );
    else {
      const now = Date.now();
      const holds = (await activeHolds(record, now)).map((hold) => renderHold(hold, now));
      if (waiting.length === 0) stdout.write('nothing waits for you\n');
      stdout.write(
        waiting
          .map(({ state, asked }) =>
            renderQuestion(state.runId, asked.question, lastCheckpoint(state)?.number ?? null),
          )
          .join('\n'),
      );
      stdout.write(holds.map((hold) => `\n${hold}`).join(''));
    }
    return 0;
  });
}
