/** `stopRun`: asks a run to save its work and stop. It does not wait for the stop. */
import { isStopped, type RunState } from '../../core/state/run-state.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';

/** `at_rest`: it had ended or was stopped already, and nothing was asked of it. */
export interface StopResult {
  readonly type: 'stopping' | 'at_rest';
  readonly state: RunState;
}

export async function stopRun(
  caller: Caller,
  { runId, ...asked }: { readonly runId: string; readonly reason: string; readonly withinMs?: number },
): Promise<StopResult> {
  await assertPerson(caller, 'a stop');
  const before = await loadState(caller.record, runId);
  if (before.life.type === 'ended' || isStopped(before)) return { type: 'at_rest', state: before };
  const state = await speak(caller, runId, { type: 'stop_requested', by: caller.by, ...asked });
  return { type: 'stopping', state };
}
