/** Following a run from a terminal: tells its story, lets it be stopped, starts a keeper where there is none. */
import { setTimeout as pause } from 'node:timers/promises';
import { evolve, createState } from '../core/evolve.ts';
import { openQuestion, type RunState } from '../core/run-state.ts';
import type { RunRecord } from '../record/contract.ts';
import { writeMail } from '../supervise/mail.ts';
import { readEvent } from '../supervise/run-journal.ts';
import { isKept, startKeeper } from '../supervise/start-keeper.ts';

const LOOK_MS = 100;
/** A keeper needs a moment to start; only then is its absence a fact. */
const KEEPER_GRACE_MS = 5_000;

export interface FollowOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly runId: string;
  readonly env: NodeJS.ProcessEnv;
  readonly maxWaitMs: number | null;
  /** Events up to here are folded but not told again. */
  readonly afterSeq?: number;
  /** Ctrl-C leaves the view and not the run. */
  readonly onlyLook?: boolean;
  /** Called with the state after each event, oldest first. */
  readonly onEvent: (event: ReturnType<typeof readEvent>, state: RunState) => void;
  readonly onIdle?: (state: RunState) => void;
}

export type FollowEnd = {
  readonly type: 'ended' | 'question' | 'waited' | 'interrupted';
  readonly state: RunState;
};

export async function follow(options: FollowOptions): Promise<FollowEnd> {
  const { record, runId, home, env, onEvent, maxWaitMs } = options;
  let state: RunState | null = null;
  let interrupted = false;
  let keeperSeenAt = performance.now();
  let waitingSince: number | null = null;
  const interrupt = () => {
    if (interrupted) process.exit(130);
    interrupted = true;
    void record.post(
      runId,
      Date.now(),
      writeMail({ type: 'stop_requested', by: userName(env), reason: 'Ctrl-C' }),
    );
  };
  if (options.onlyLook !== true) process.on('SIGINT', interrupt);
  try {
    for (;;) {
      for (const stored of await record.events(runId, state?.seq ?? 0)) {
        const event = readEvent(stored);
        state =
          state === null
            ? event.type === 'run_created'
              ? createState(runId, event)
              : null
            : evolve(state, event);
        if (state !== null && stored.seq > (options.afterSeq ?? 0)) onEvent(event, state);
      }
      if (state !== null) {
        if (state.life.type === 'ended' && !(await isKept(record, runId)))
          return { type: interrupted ? 'interrupted' : 'ended', state };
        if (openQuestion(state) !== undefined && !(await isKept(record, runId)))
          return { type: interrupted ? 'interrupted' : 'question', state };
        if (await isKept(record, runId)) keeperSeenAt = performance.now();
        else if (performance.now() - keeperSeenAt > KEEPER_GRACE_MS) {
          startKeeper(home, runId, env);
          keeperSeenAt = performance.now();
        }
        waitingSince = state.life.type === 'waiting' ? (waitingSince ?? performance.now()) : null;
        if (maxWaitMs !== null && waitingSince !== null && performance.now() - waitingSince > maxWaitMs)
          return { type: 'waited', state };
        options.onIdle?.(state);
      }
      await pause(LOOK_MS);
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}

export function userName(env: NodeJS.ProcessEnv): string {
  return env['USER'] || env['LOGNAME'] || 'a person';
}
