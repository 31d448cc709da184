/** `followToEnd`: shows a run live until it settles and prints how; gives the exit code. */
import type { RunState } from '../core/run-state.ts';
import type { Invocation } from './command.ts';
import { finish } from './finish.ts';
import { follow } from './follow.ts';
import { liveView } from './render/live-view.ts';
import type { Opened } from './with-record.ts';

/** Tells what happens after the given state. */
export async function followToEnd(
  invocation: Invocation,
  { home, record }: Opened,
  { runId, seq }: Pick<RunState, 'runId' | 'seq'>,
  maxWaitMs: number | null = null,
): Promise<number> {
  const { env, json, stdout, stderr } = invocation;
  const view = liveView(json ? stderr : stdout, env);
  const end = await follow({
    home,
    record,
    runId,
    env,
    maxWaitMs,
    afterSeq: seq,
    onEvent: view.event,
    onIdle: view.idle,
  });
  view.close();
  return finish(end, invocation);
}
