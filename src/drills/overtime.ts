/** `overtime`: abandons the run of a drill past its limit, so that its agent ends and its work is saved; the drill fails. */
import type { RunState } from '../core/state/run-state.ts';
import type { RunRecord } from '../record/contract.ts';
import { postWord } from '../supervise/mail/mail.ts';

/** The name under which the run is ended. */
const OVERTIME = 'the limit of drills';

/** Tells the run once that its time is over. */
export function overtime(
  opened: { readonly home: string; readonly record: RunRecord },
  limitMs: number,
): (runId: string) => Promise<void> {
  const deadline = performance.now() + limitMs;
  let told = false;
  return async (runId) => {
    if (told || performance.now() < deadline) return;
    told = true;
    await postWord(opened, runId, { type: 'abandon_requested', by: OVERTIME, reason: tooLong(limitMs) });
  };
}

export function tooLong(limitMs: number): string {
  return `still not over after ${Math.round(limitMs / 1000)} s, its limit`;
}

export function isOvertime({ asked }: RunState): boolean {
  return asked.abandon?.by === OVERTIME;
}
