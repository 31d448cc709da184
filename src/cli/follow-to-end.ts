/** `followToEnd`: shows a run live until it settles, prints its end and returns the exit code. */
import type { Invocation } from './command.ts';
import { finish } from './finish.ts';
import { follow } from './follow.ts';
import { liveView } from './render/live-view.ts';
import type { Opened } from './with-record.ts';

interface Following {
  readonly runId: string;
  /** Only what happens after this line of the journal is told; left out: all of it. */
  readonly seq?: number;
  readonly maxWaitMs?: number | null;
  /** The run is neither taken over nor interrupted by Ctrl-C. */
  readonly onlyLook?: boolean;
}

export async function followToEnd(
  invocation: Invocation,
  { home, record }: Opened,
  { runId, seq, maxWaitMs = null, onlyLook = false }: Following,
): Promise<number> {
  const { env, json, stdout, stderr } = invocation;
  const view = liveView(json ? stderr : stdout, env);
  const end = await follow({
    home,
    record,
    runId,
    env,
    maxWaitMs,
    onlyLook,
    ...(seq === undefined ? {} : { afterSeq: seq }),
    onEvent: view.event,
    onIdle: view.idle,
  });
  view.close();
  return finish(end, invocation);
}
