/** `mayday watch RUN`: the live view of a run; closing it changes nothing. */
import type { Invocation } from './command.ts';
import { follow } from './follow.ts';
import { liveView } from './render/live-view.ts';
import { finish } from './finish.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const { env, stdout, stderr, json } = invocation;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const view = liveView(json ? stderr : stdout, env);
    const end = await follow({
      home,
      record,
      runId,
      env,
      maxWaitMs: null,
      onlyLook: true,
      onEvent: view.event,
      onIdle: view.idle,
    });
    view.close();
    return finish(end, invocation);
  });
}
