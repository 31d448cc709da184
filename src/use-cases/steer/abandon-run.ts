/** `abandonRun`: tells a run to end for good; its agent is stopped and its work is kept. */
import type { RunState } from '../../core/state/run-state.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export type AbandonResult = { readonly type: 'ending'; readonly state: RunState } | Refused<'run_ended'>;

export async function abandonRun(
  caller: Caller,
  { runId, reason }: { readonly runId: string; readonly reason: string },
): Promise<AbandonResult> {
  await assertPerson(caller, 'abandoning a run');
  const ended = runEnded('abandon', await loadState(caller.record, runId));
  if (ended !== null) return ended;
  const state = await speak(caller, runId, { type: 'abandon_requested', by: caller.by, reason });
  return { type: 'ending', state };
}
