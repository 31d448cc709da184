/** `releaseHold`: ends a hold by a person's word; the runs that waited for it may start. */
import { type ActiveHold, activeHolds, liftHold } from '../../supervise/active-holds.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import type { Caller } from '../caller.ts';
import type { Refused } from '../refusal.ts';

export type ReleaseResult =
  | { readonly type: 'released'; readonly hold: ActiveHold; readonly at: number }
  | Refused<'unknown_hold'>;

export async function releaseHold(
  caller: Caller,
  { id, note }: { readonly id: string; readonly note: string },
): Promise<ReleaseResult> {
  const { record, by } = caller;
  const at = Date.now();
  const holds = await activeHolds(record, at);
  const hold = holds.find((one) => one.id === id);
  if (hold === undefined)
    return { type: 'refused', because: 'unknown_hold', id, active: holds.map((one) => one.id) };
  await assertPerson(caller, 'releasing a hold');
  await liftHold(record, hold, { by, note, at });
  return { type: 'released', hold, at };
}
