/** `takeRun`: makes this process the owner of a run whose lease is free or has expired, or whose owner was seen dead. */
import type { RunRecord } from '../../record/contract.ts';
import { isOwnerDead, ownOwner } from './owner.ts';

/** Returns the new fence; null while another process owns the run. */
export async function takeRun(
  record: RunRecord,
  runId: string,
  ttlMs: number,
): Promise<{ readonly fence: number; readonly from: string | null } | null> {
  const held = await record.lease(runId);
  const dead = held !== null && isOwnerDead(held);
  const fence = await record.acquireLease({
    runId,
    owner: ownOwner(),
    ttlMs,
    ...(dead ? { observedDeadFence: held.fence } : {}),
  });
  return fence === null ? null : { fence, from: held?.owner ?? null };
}
