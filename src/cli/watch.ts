/** `mayday watch [RUN]`: the live view of a run, or of all that live; closing it changes nothing. */
import type { Invocation } from './command.ts';
import { follow } from './follow.ts';
import { liveView } from './render/live-view.ts';
import { finish } from './finish.ts';
import { watchAll } from './watch-all.ts';
import { findRun, type Opened, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const [name] = invocation.args;
    if (name !== undefined) return watchOne(invocation, opened, await findRun(opened.record, name));
    const live = (await opened.record.rows()).filter(({ ended }) => !ended);
    const [only] = live;
    return live.length === 1 && only !== undefined
      ? watchOne(invocation, opened, only.runId)
      : watchAll(invocation, opened);
  });
}

async function watchOne(invocation: Invocation, { home, record }: Opened, runId: string): Promise<number> {
  const { env, stdout, stderr, json } = invocation;
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
}
