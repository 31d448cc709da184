/** `followToEnd`: shows a run live until it settles, prints its end and returns the exit code. */
import { openQuestion } from '../core/state/run-state.ts';
import { answerQuestion } from '../use-cases/answer-question.ts';
import type { Caller } from '../use-cases/caller.ts';
import { canChoose, chooseAtTerminal } from './choose-at-terminal.ts';
import type { Invocation } from './command.ts';
import { finish } from './finish.ts';
import { follow, type FollowEnd } from './follow.ts';
import { liveView } from './render/live-view.ts';
import { refusalError } from '../use-cases/refusal-error.ts';
import type { Opened } from './with-record.ts';

interface Following {
  readonly runId: string;
  /** Only what happens after this line of the journal is told; left out: all of it. */
  readonly seq?: number;
  readonly maxWaitMs?: number | null;
  /** The run is neither taken over nor interrupted by Ctrl-C. */
  readonly onlyLook?: boolean;
}

/** A caller may decide an open question on the spot; a view that only looks has no word. */
export async function followToEnd(
  invocation: Invocation,
  opened: Opened | Caller,
  following: Following,
): Promise<number> {
  const end = await followOnce(invocation, opened, following);
  const code = finish(end, invocation);
  const asked = end.type === 'question' ? openQuestion(end.asker ?? end.state)?.question : undefined;
  if (asked === undefined || !('by' in opened) || following.onlyLook === true || !canChoose(invocation))
    return code;
  const choice = await chooseAtTerminal(invocation, asked);
  if (choice === null) return code;
  const result = await answerQuestion(opened, choice);
  if (result.type === 'refused') throw refusalError(result);
  return await followToEnd(invocation, opened, { ...following, seq: end.state.seq });
}

async function followOnce(
  invocation: Invocation,
  { home, record }: Opened,
  { runId, seq, maxWaitMs = null, onlyLook = false }: Following,
): Promise<FollowEnd> {
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
  return end;
}
