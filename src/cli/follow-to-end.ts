/** `followToEnd`: shows a run live until it settles, prints its end and returns the exit code. */
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { answerQuestion } from '../use-cases/steer/answer-question.ts';
import type { Caller } from '../use-cases/caller.ts';
import { canChoose, chooseAtTerminal } from './choose-at-terminal.ts';
import type { Invocation } from './command.ts';
import { finish } from './finish.ts';
import { follow, type FollowEnd } from './follow.ts';
import { listenToKeys } from './listen-to-keys.ts';
import { lastLines } from './look/status.ts';
import { liveView, movesAt } from './render/live-view.ts';
import { plainLine } from './render/plain.ts';
import { inForeground } from '../platform/process/in-foreground.ts';
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
  const hasKeys = canChoose(invocation) && movesAt(stdout, env) && inForeground();
  const view = liveView(json ? stderr : stdout, env, hasKeys ? (onlyLook ? LOOK_KEYS : RUN_KEYS) : null);
  let isLeft = false;
  let now: RunState | null = null;
  const forget = hasKeys
    ? listenToKeys({
        d: () => (isLeft = true),
        l: () => {
          if (now !== null) void logs(home, now).then(view.print);
        },
      })
    : null;
  try {
    return await follow({
      home,
      record,
      runId,
      env,
      maxWaitMs,
      onlyLook,
      ...(seq === undefined ? {} : { afterSeq: seq }),
      isLeft: () => isLeft,
      onEvent: view.event,
      onIdle: (state) => view.idle((now = state)),
    });
  } finally {
    forget?.();
    view.close();
  }
}

const RUN_KEYS = 'Ctrl-C stops safely · d detaches · l logs';
const LOOK_KEYS = 'Ctrl-C or d leaves; the run goes on · l logs';
const LOG_LINES = 10;

async function logs(home: string, state: RunState): Promise<string[]> {
  const lines = await lastLines(home, state, LOG_LINES);
  const width = (process.stdout.columns || 80) - 1;
  if (lines.length === 0) return ['        the agent has said nothing yet'];
  return lines.map((line) => plainLine(line, width));
}
