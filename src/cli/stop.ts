/** `mayday stop RUN`: checkpoint and stop; nothing is lost. */
import { runJson } from '../core/view/run-json.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { follow, userName } from './follow.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, json, options } = invocation;
    const { record, home } = opened;
    const runId = await findRun(record, invocation.args[0] ?? '');
    await assertPerson(opened, '`mayday stop`');
    const before = await loadState(record, runId);
    const reason = typeof options['reason'] === 'string' ? options['reason'] : '';
    const idle =
      before.life.type === 'ended' || (before.life.type === 'waiting' && before.life.for === 'person');
    if (!idle) {
      await speak(opened, runId, { type: 'stop_requested', by: userName(env), reason }, env);
      await follow({ home, record, runId, env, maxWaitMs: null, onEvent: () => {} });
    }
    const state = await loadState(record, runId);
    const where = state.checkpoints.at(-1)?.number;
    const said =
      state.life.type === 'ended'
        ? `run ${runId} has ended: ${state.life.state}`
        : `run ${runId} is stopped${where === undefined ? '' : ` at checkpoint ${where}`}; mayday resume ${runId}`;
    stdout.write(json ? `${JSON.stringify(runJson(state))}\n` : `${said}\n`);
    return 0;
  });
}
