/** `followToEnd`: shows a run live until it settles, prints its end and returns the exit code. */
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { answerQuestion } from '../use-cases/steer/answer-question.ts';
import type { Caller } from '../use-cases/caller.ts';
import { AgentActivity } from './agent-activity.ts';
import { canChoose, chooseAtTerminal } from './choose-at-terminal.ts';
import type { Invocation } from './command.ts';
import { finish } from './finish.ts';
import { follow, type FollowEnd } from './follow.ts';
import { lastLines } from './look/status.ts';
import { liveView, movesAt } from './render/live-view.ts';
import { plainLine } from './render/plain.ts';
import { inForeground } from '../platform/process/foreground.ts';
import { granted } from '../use-cases/refusal-error.ts';
import type { Opened } from './with-record.ts';
import type { Out } from './write-text.ts';

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
  const code = await finish(end, invocation);
  const asked = end.type === 'question' ? openQuestion(end.asker ?? end.state)?.question : undefined;
  if (asked === undefined || !('by' in opened) || following.onlyLook === true || !canChoose(invocation))
    return code;
  const choice = await chooseAtTerminal(invocation, asked);
  if (choice === null) return code;
  granted(await answerQuestion(opened, choice));
  return await followToEnd(invocation, opened, { ...following, seq: end.state.seq });
}

async function followOnce(
  invocation: Invocation,
  { home, record }: Opened,
  { runId, seq, maxWaitMs = null, onlyLook = false }: Following,
): Promise<FollowEnd> {
  const { env, json, stdout, stderr } = invocation;
  const hasKeys = canChoose(invocation) && movesAt(stdout, env) && inForeground();
  const activity = new AgentActivity(home);
  const view = liveView(json ? stderr : stdout, env, {
    look: (state) => activity.look(state),
    keys: hasKeys ? (onlyLook ? LOOK_KEYS : RUN_KEYS) : null,
  });
  let isLeft = false;
  let isTerminated = false;
  const terminate = () => (isTerminated = isLeft = true);
  let now: RunState | null = null;
  const forget = hasKeys
    ? listenToKeys({
        d: () => (isLeft = true),
        l: () => {
          if (now !== null) void logs(home, now, stdout).then(view.print);
        },
      })
    : null;
  process.once('SIGTERM', terminate);
  try {
    const end = await follow({
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
    return isTerminated && end.type === 'detached' ? { ...end, type: 'terminated' } : end;
  } finally {
    process.off('SIGTERM', terminate);
    forget?.();
    view.close();
  }
}

const RUN_KEYS = 'Ctrl-C stops safely · d detaches · l logs';
const LOOK_KEYS = 'Ctrl-C or d leaves; the run goes on · l logs';
const LOG_LINES = 10;

async function logs(home: string, state: RunState, { columns }: Out): Promise<string[]> {
  const lines = await lastLines(home, state, LOG_LINES);
  const width = (columns || 80) - 1;
  if (lines.length === 0) return ['        the agent has said nothing yet'];
  return lines.map((line) => plainLine(line, width));
}

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001A': 'SIGTSTP',
  '\u001C': 'SIGQUIT',
};

/**
 * Hears single keys beside a live view. Ctrl-C, Ctrl-Z and Ctrl-\ do what they do without it. Returns what ends it and gives the terminal
 * back.
 */
function listenToKeys(keys: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process;
  const hear = (bytes: Buffer) => {
    for (const key of bytes.toString()) {
      const signal = SIGNALS[key];
      // As the terminal does it: to every process of the job.
      if (signal !== undefined) process.kill(0, signal);
      else keys[key]?.();
    }
  };
  const again = () => {
    stdin.setRawMode(false);
    stdin.setRawMode(true);
  };
  stdin.setRawMode(true);
  stdin.on('data', hear).resume();
  process.on('SIGCONT', again);
  return () => {
    process.off('SIGCONT', again);
    stdin.off('data', hear).pause();
    stdin.setRawMode(false);
  };
}
