/** `acceptRun`: delivers the work of a run as it is because a person says so; the person's word is recorded. */
import { acceptRefusal } from '../../core/gates/accept-refusal.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export type AcceptResult =
  | { readonly type: 'accepted'; readonly state: RunState }
  | Refused<'run_ended' | 'no_workspace' | 'nothing_to_deliver' | 'accept_needs_note'>;

export async function acceptRun(
  caller: Caller,
  { runId, note }: { readonly runId: string; readonly note: string },
): Promise<AcceptResult> {
  const before = await loadState(caller.record, runId);
  const ended = runEnded('accept', before);
  if (ended !== null) return ended;
  await assertPerson(caller, 'an acceptance');
  switch (acceptRefusal(before, note)) {
    case 'no_workspace':
      return { type: 'refused', because: 'no_workspace', runId };
    case 'note_missing':
      return { type: 'refused', because: 'accept_needs_note', runId };
    case 'nothing_to_deliver': {
      const question = openQuestion(before)?.question;
      const mayWaive = question?.options.some(({ id }) => id === 'waive_with_reason') === true;
      const waivable = mayWaive ? question : null;
      return { type: 'refused', because: 'nothing_to_deliver', runId, waivable };
    }
    case null:
  }
  const state = await speak(caller, runId, { type: 'accept_requested', by: caller.by, note });
  return { type: 'accepted', state };
}
