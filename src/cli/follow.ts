/** `follow`: tells the story of a run at a terminal, event by event; Ctrl-C stops the run. Closing the terminal changes nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, openQuestion, type RunState } from '../core/state/run-state.ts';
import type { RunRecord } from '../record/contract.ts';
import { KeeperGuard } from '../supervise/lease/keeper-guard.ts';
import { postWord } from '../supervise/mail/mail.ts';
import { patientRecord } from '../supervise/patient-record.ts';
import { loadState } from '../supervise/load-state.ts';
import { type Listener, RunTeller } from '../supervise/run-teller.ts';
import { userName } from '../use-cases/caller.ts';

/** Polling may be this frequent: one read of the journal costs a tenth of a millisecond. */
const LOOK_MS = 40;
/** The keeper of a run that has settled ends within a few of these. */
const LAST_LOOK_MS = 5;
/** One Ctrl-C can arrive twice: the terminal signals every process, and `bin/mayday.js` on an older Node forwards its own signal. */
const DOUBLED_MS = 300;

export interface FollowOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly runId: string;
  readonly env: NodeJS.ProcessEnv;
  /** The longest time to wait, over all waits of the run together. */
  readonly maxWaitMs?: number | null;
  /** Events up to here are folded but not told again. */
  readonly afterSeq?: number;
  /** Ctrl-C ends the view and leaves the run alone. */
  readonly onlyLook?: boolean;
  /** True once the person has left: the view ends and the run goes on. */
  readonly isLeft?: () => boolean;
  /** Called with the state after each event, oldest first. */
  readonly onEvent?: Listener;
  readonly onIdle?: (state: RunState) => Promise<void>;
}

export type FollowEnd = {
  readonly type: 'ended' | 'question' | 'stopped' | 'waited' | 'interrupted' | 'detached' | 'terminated';
  readonly state: RunState;
  /** The run whose question this one waits for. */
  readonly asker?: RunState;
};

export async function follow(options: FollowOptions): Promise<FollowEnd> {
  const { runId, home, env, maxWaitMs = null } = options;
  // The view outlasts a store that does not answer for a while, as the keeper does.
  const record = patientRecord(options.record, new AbortController().signal);
  const teller = new RunTeller(record, runId, (event, state) => {
    if (state.seq > (options.afterSeq ?? 0)) options.onEvent?.(event, state);
  });
  const guard = new KeeperGuard({ home, record, runId, env });
  const interruption = options.onlyLook === true ? null : onInterrupt({ home, record }, runId, env);
  let waitedMs = 0;
  let lookedAt = performance.now();
  try {
    for (;;) {
      await teller.tell();
      const { state } = teller;
      const settled = state === null ? null : settledAs(state);
      if (state !== null) {
        // The run has settled only when its keeper has ended; a keeper that waits for the host stays and continues.
        if (settled !== null && (waitsForHost(state) || !(await guard.isKept())))
          return { type: interruption?.came() ? 'interrupted' : settled, state };
        const asker = options.onlyLook === true ? null : await askerFor(record, state);
        if (asker !== null && (await guard.isKept())) return { type: 'question', state, asker };
        // A queued run has no keeper until a worker takes it.
        if (settled === null && state.life.type !== 'queued') await guard.look();
        const now = performance.now();
        if (state.life.type === 'waiting') waitedMs += now - lookedAt;
        lookedAt = now;
        if (maxWaitMs !== null && state.life.type === 'waiting' && waitedMs > maxWaitMs)
          return { type: 'waited', state };
        await options.onIdle?.(state);
        if (options.isLeft?.() === true) return { type: 'detached', state };
      }
      await pause(settled === null ? LOOK_MS : LAST_LOOK_MS);
    }
  } finally {
    interruption?.forget();
  }
}

function waitsForHost({ life }: RunState): boolean {
  return life.type === 'waiting' && life.for === 'host';
}

async function askerFor(record: RunRecord, state: RunState): Promise<RunState | null> {
  const hold = state.holds.find(({ until, holder }) => until === null && holder !== state.runId);
  if (hold === undefined || !waitsForHost(state)) return null;
  if ((await record.row(hold.holder))?.needsPerson !== true) return null;
  const asker = await loadState(record, hold.holder);
  return openQuestion(asker) === undefined ? null : asker;
}

function settledAs(state: RunState): 'ended' | 'question' | 'stopped' | null {
  if (state.life.type === 'ended') return 'ended';
  if (isStopped(state)) return 'stopped';
  return openQuestion(state) === undefined ? null : 'question';
}

/** The first Ctrl-C asks the run to stop safely; the second ends this command at once while the keeper still stops the run. */
function onInterrupt(
  opened: { readonly home: string; readonly record: RunRecord },
  runId: string,
  env: NodeJS.ProcessEnv,
) {
  let cameAt: number | null = null;
  const listener = () => {
    if (cameAt !== null && performance.now() - cameAt < DOUBLED_MS) return;
    if (cameAt !== null) process.exit(130);
    cameAt = performance.now();
    void postWord(opened, runId, { type: 'stop_requested', by: userName(env), reason: 'Ctrl-C' });
  };
  process.on('SIGINT', listener);
  return { came: () => cameAt !== null, forget: () => process.off('SIGINT', listener) };
}
